package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"darkroom/order"
	"darkroom/store/kv"
)

// Orders finds and lists orders.
type Orders part

// Order returns an order by the service's id, or [ErrNotTracked]. It also returns an
// untracked order, with Untracked set, so that its jobs can finish. All other look-ups
// leave it out.
func (s *Orders) Order(ctx context.Context, id string) (Tracked, error) {
	return s.records.order(ctx, id)
}

func (s *records) order(ctx context.Context, id string) (Tracked, error) {
	o, err := s.load(ctx, id)
	return o.Tracked, err
}

func (s *records) load(ctx context.Context, id string) (stored, error) {
	h, err := s.db.Redis.HGetAll(ctx, s.db.Key("order", id)).Result()
	if err == nil && len(h) == 0 {
		err = ErrNotTracked
	}
	if err != nil {
		return stored{}, orderError(id, err)
	}
	o, err := decode(id, h)
	if err == nil && o.Shrunk {
		var snapshot shrunkOrder
		err = s.db.ReadJSON(ctx, s.db.Key("snapshot", id), &snapshot, ErrNotTracked) // absent: deleted since
		snapshot.into(&o.Tracked)
	}
	return o, orderError(id, err)
}

// Find returns the tracked order with that id of the service, or with that
// reference. The reference's case and brackets do not matter.
func (s *Orders) Find(ctx context.Context, idOrReference string) (Tracked, error) {
	name := strings.Trim(strings.TrimSpace(idOrReference), "[]#`")
	t, err := s.tracked(ctx, name)
	if !errors.Is(err, ErrNotTracked) || name == "" {
		return t, err
	}
	return s.byReference(ctx, name)
}

func (s *Orders) byReference(ctx context.Context, reference string) (Tracked, error) {
	value, err := s.db.Redis.Get(ctx, referenceKey(s.db, reference)).Result()
	id, isOrder := strings.CutPrefix(value, "order:")
	if errors.Is(err, redis.Nil) || err == nil && !isOrder {
		err = ErrNotTracked
	}
	if err != nil {
		return Tracked{}, orderError(reference, err)
	}
	return s.tracked(ctx, id)
}

// tracked is Order without untracked orders.
func (s *Orders) tracked(ctx context.Context, id string) (Tracked, error) {
	t, err := s.records.order(ctx, id)
	if err == nil && t.Untracked {
		return Tracked{}, orderError(id, ErrNotTracked)
	}
	return t, err
}

// ByThread returns the order whose card is that message. A card of an earlier generation
// finds no order, even in a channel that owns the order again.
func (s *Orders) ByThread(ctx context.Context, team, channel, ts string) (Tracked, error) {
	value, err := s.db.Redis.Get(ctx, s.db.Key("thread", team, channel, ts)).Result()
	if errors.Is(err, redis.Nil) {
		err = ErrNotTracked
	}
	if err != nil {
		return Tracked{}, orderError(ts, err)
	}
	generation, id, _ := strings.Cut(value, ":")
	t, err := s.tracked(ctx, id)
	if err == nil && strconv.Itoa(t.Owner.Generation) != generation {
		return Tracked{}, orderError(id, ErrNotTracked)
	}
	return t, err
}

// all reads orders in one round trip and leaves out untracked and deleted ones.
func (s *records) all(ctx context.Context, ids []string) ([]Tracked, error) {
	hashes, err := kv.AskAll(ctx, s.db.Redis, ids, func(p redis.Pipeliner, id string) *redis.MapStringStringCmd {
		return p.HGetAll(ctx, s.db.Key("order", id))
	})
	if err != nil {
		return nil, err
	}
	var orders []Tracked
	var shrunk []int // places in orders
	for i, id := range ids {
		if len(hashes[i].Val()) == 0 {
			continue
		}
		o, err := decode(id, hashes[i].Val())
		if err != nil {
			return nil, orderError(id, err)
		}
		if o.Untracked {
			continue
		}
		if o.Shrunk {
			shrunk = append(shrunk, len(orders))
		}
		orders = append(orders, o.Tracked)
	}
	return s.withSnapshots(ctx, orders, shrunk)
}

// activeBatch is about how many active orders are read at once. Redis serves nobody else meanwhile,
// and one batch is in memory at a time.
const activeBatch = 2000

// EachActive calls f with every order that can still change. An order that changes meanwhile may come
// twice; one that begins or ends meanwhile may be missing.
func (s *Orders) EachActive(ctx context.Context, f func(id string, a Active)) error {
	for cursor, more := uint64(0), true; more; more = cursor != 0 {
		var docs []string
		var err error
		if docs, cursor, err = s.db.Redis.HScan(ctx, s.db.Key("active"), cursor, "", activeBatch).Result(); err != nil {
			return err
		}
		for pair := range slices.Chunk(docs, 2) {
			var a Active
			if err := json.Unmarshal([]byte(pair[1]), &a); err != nil {
				return orderError(pair[0], err)
			}
			f(pair[0], a)
		}
	}
	return nil
}

// Events returns all events of an order, oldest first.
func (s *Orders) Events(ctx context.Context, id string) ([]order.Event, error) {
	events, err := s.records.events(ctx, id, 0, -1)
	if err != nil || !slices.ContainsFunc(events, func(e order.Event) bool { return e.Kind == order.EventReady && e.Order.EditedImages == nil }) {
		return events, orderError(id, err)
	}
	o, err := s.records.load(ctx, id)
	return withPictures(events, o.Order), err
}

// WithEvents returns an order with all its events, oldest first, in one round trip. The error is [ErrNotTracked], or
// another one that may pass. A shrunk order comes without what its snapshot has.
func (s *Orders) WithEvents(ctx context.Context, id string) (Tracked, []order.Event, error) {
	pipe := s.db.Redis.Pipeline()
	fields, docs := pipe.HGetAll(ctx, s.db.Key("order", id)), pipe.LRange(ctx, s.db.Key("events", id), 0, -1)
	if _, err := pipe.Exec(ctx); err != nil {
		return Tracked{}, nil, orderError(id, err)
	}
	if len(fields.Val()) == 0 {
		return Tracked{}, nil, orderError(id, ErrNotTracked)
	}
	o, err := decode(id, fields.Val())
	if err != nil {
		return Tracked{}, nil, orderError(id, err)
	}
	events, err := decodeEvents(docs.Val(), 0)
	return o.Tracked, withPictures(events, o.Order), orderError(id, err)
}

// events returns the events after the one with Seq after, up to index stop of their list (from 0;
// -1: the last).
func (s *records) events(ctx context.Context, id string, after, stop int64) ([]order.Event, error) {
	docs, err := s.db.Redis.LRange(ctx, s.db.Key("events", id), after, stop).Result()
	if err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	return decodeEvents(docs, after)
}

// decodeEvents reads the events after the one with Seq after.
func decodeEvents(docs []string, after int64) ([]order.Event, error) {
	events := make([]order.Event, len(docs))
	for i, doc := range docs {
		if err := json.Unmarshal([]byte(doc), &events[i]); err != nil {
			return nil, fmt.Errorf("event %d: %w", after+int64(i)+1, err)
		}
		events[i].Seq = after + int64(i) + 1
	}
	return events, nil
}
