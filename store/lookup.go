package store

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Order returns a tracked order, or [ErrNotTracked].
func (s *Store) Order(ctx context.Context, id string) (Tracked, error) {
	o, err := s.load(ctx, id)
	return o.Tracked, err
}

func (s *Store) load(ctx context.Context, id string) (stored, error) {
	h, err := s.rdb.HGetAll(ctx, orderKey(id)).Result()
	if err == nil && len(h) == 0 {
		err = ErrNotTracked
	}
	if err != nil {
		return stored{}, orderError(id, err)
	}
	o, err := decode(id, h)
	return o, orderError(id, err)
}

// Find returns the tracked order with that id of the service, or with that
// reference of ours, in any case and with or without its brackets.
func (s *Store) Find(ctx context.Context, idOrReference string) (Tracked, error) {
	name := strings.Trim(strings.TrimSpace(idOrReference), "[]#`")
	t, err := s.Order(ctx, name)
	if !errors.Is(err, ErrNotTracked) || name == "" {
		return t, err
	}
	return s.pointedAt(ctx, name, referenceKey(name))
}

// ByThread returns the order whose card is that message. A card in a channel
// that no longer owns the order finds nothing.
func (s *Store) ByThread(ctx context.Context, team, channel, ts string) (Tracked, error) {
	t, err := s.pointedAt(ctx, ts, threadKey(team, channel, ts))
	if err == nil && (t.Owner.Team != team || t.Owner.Channel != channel) {
		return Tracked{}, orderError(t.ID, ErrNotTracked)
	}
	return t, err
}

// pointedAt returns the order that an index entry names.
func (s *Store) pointedAt(ctx context.Context, name, key string) (Tracked, error) {
	value, err := s.rdb.Get(ctx, key).Result()
	id, isOrder := strings.CutPrefix(value, "order:")
	if errors.Is(err, redis.Nil) || err == nil && !isOrder {
		err = ErrNotTracked
	}
	if err != nil {
		return Tracked{}, orderError(name, err)
	}
	return s.Order(ctx, id)
}

// InChannel returns a channel's orders, newest first, and how many there are
// in all. A limit of 0 means no limit.
func (s *Store) InChannel(ctx context.Context, team, channel string, offset, limit int) ([]Tracked, int, error) {
	key := channelKey(team, channel)
	var total *redis.IntCmd
	var ids *redis.StringSliceCmd
	_, err := s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		total = p.ZCard(ctx, key)
		ids = p.ZRevRange(ctx, key, int64(offset), int64(offset+limit)-1)
		if limit <= 0 {
			ids = p.ZRevRange(ctx, key, int64(offset), -1)
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	orders, err := s.all(ctx, ids.Val())
	return orders, int(total.Val()), err
}

// all reads orders in one round trip and leaves out those that are not tracked.
func (s *Store) all(ctx context.Context, ids []string) ([]Tracked, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	hashes := make([]*redis.MapStringStringCmd, len(ids))
	_, err := s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, id := range ids {
			hashes[i] = p.HGetAll(ctx, orderKey(id))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var orders []Tracked
	for i, id := range ids {
		if len(hashes[i].Val()) == 0 {
			continue
		}
		o, err := decode(id, hashes[i].Val())
		if err != nil {
			return nil, orderError(id, err)
		}
		orders = append(orders, o.Tracked)
	}
	return orders, nil
}

// Active returns the orders that can still change, by id.
func (s *Store) Active(ctx context.Context) (map[string]Active, error) {
	docs, err := s.rdb.HGetAll(ctx, activeKey()).Result()
	if err != nil {
		return nil, err
	}
	active := make(map[string]Active, len(docs))
	for id, doc := range docs {
		var a Active
		if err := json.Unmarshal([]byte(doc), &a); err != nil {
			return nil, orderError(id, err)
		}
		active[id] = a
	}
	return active, nil
}
