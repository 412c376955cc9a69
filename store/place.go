package store

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"

	"darkroom/order"
	"darkroom/store/queue"
)

// Placement is a new order and whose it is.
type Placement struct {
	ID        string
	Owner     Owner // Generation 0 means 1
	Reference string
	Images    int
	Order     order.Order
	Credits   decimal.NullDecimal // what remains
	// Adopted: made elsewhere, and tracked from now on. The event is "tracked"
	// and the first conversation is old news.
	Adopted bool
}

// Place is Record for a new order: it writes the order, its first event, its
// indexes and its announcement job in one step. An order that is tracked
// already stays as it is, whoever places it, and is returned, but that one without a
// reference gets it: see claim.go. One that was untracked is taken over again when it is
// adopted: see retrack.go.
func (s *Store) Place(ctx context.Context, p Placement) (Tracked, error) {
	for range raceTries {
		old, err := s.load(ctx, p.ID)
		var result result
		switch {
		case errors.Is(err, ErrNotTracked):
			result, err = s.placeNew(ctx, p)
		case err == nil && old.Untracked && p.Adopted:
			result, err = s.retrack(ctx, old, p)
		case err == nil && !old.Untracked && old.Reference == "" && p.Reference != "":
			return s.claim(ctx, old.Tracked, p.Reference)
		default:
			return old.Tracked, err
		}
		if err != nil {
			return Tracked{}, orderError(p.ID, err)
		}
		if result == written {
			return s.Order(ctx, p.ID)
		}
	}
	return Tracked{}, orderError(p.ID, ErrStale)
}

// placeNew writes an order that nobody tracks.
func (s *Store) placeNew(ctx context.Context, p Placement) (result, error) {
	t := p.tracked()
	e := p.event(t)
	fields := []any{
		"id", t.ID, "reference", t.Reference,
		"team", t.Owner.Team, "channel", t.Owner.Channel, "requester", t.Owner.Requester,
		"generation", t.Owner.Generation, "images", t.Images, "adopted", flag(t.Adopted),
		"order", encode(t.Order), "brief", encodeBrief(t.Order), "version", t.Version,
	}
	args := []any{t.ID, orderedAt(t.Order).UnixMilli(), activeEntry(t), e.ID, encode(e), t.Owner.Channel, len(fields)}
	args = append(args, fields...)
	args = append(args, s.queue.PutArgs(announceJob(t, "v1"))...)
	keys := append(recordKeys(t.ID), ownerKeys(t.Owner)...)
	code, err := s.run(ctx, placeScript, append(keys, referenceKey(t.Reference)), args...)
	return result(code), err
}

// event is the first event of a placement.
func (p Placement) event(t Tracked) order.Event {
	e := order.Event{
		ID: string(order.EventPlaced), Kind: order.EventPlaced, Actor: t.Owner.Requester,
		Order: order.Trim(t.Order, order.EventPlaced), Credits: p.Credits, At: time.Now(),
	}
	if p.Adopted {
		e.ID, e.Kind = string(order.EventTracked), order.EventTracked
	}
	return e
}

func (p Placement) tracked() Tracked {
	owner := p.Owner
	owner.Generation = max(owner.Generation, 1)
	o := order.Merge(order.Order{}, p.Order)
	o.ID = p.ID
	return Tracked{
		ID: p.ID, Reference: p.Reference, Owner: owner, Images: p.Images,
		Known: order.Known{Order: o, Version: 1, Adopted: p.Adopted},
	}
}

// orderedAt is the service's time, else ours.
func orderedAt(o order.Order) time.Time {
	if o.OrderedAt.IsZero() {
		return time.Now()
	}
	return o.OrderedAt
}

// KEYS: 1 order, 2 its events, 3 their ids, 4 the active orders, 5 the lagging
// ones, 6 the channel's orders, 7 the requester's, 8 the channels, 9 the reference.
// ARGV: 1 order id, 2 when it was ordered in ms, 3 entry among the active ("":
// not active), 4 id and 5 document of the first event, 6 channel, 7 number n of values
// that follow, n values: the fields of the order, then the announcement job.
// Returns 1, or 0 when the order is tracked already. A reference that another
// order holds stays that order's.
var placeScript = redis.NewScript(queue.PutLua + appendLua + ownLua + `
local order, id, n = KEYS[1], ARGV[1], tonumber(ARGV[7])
if redis.call('EXISTS', order) == 1 then return 0 end
redis.call('HSET', order, unpack(ARGV, 8, 7 + n))
events_append(order, KEYS[2], KEYS[3], 4, 1)
own_active(KEYS[4], id, ARGV[3])
redis.call('SADD', KEYS[5], id)
own_enter(KEYS[6], KEYS[8], ARGV[6], id, ARGV[2])
redis.call('ZADD', KEYS[7], ARGV[2], id)
own_reference(KEYS[9], id, redis.call('HGET', order, 'reference'))
queue_put(ARGV, 8 + n)
return 1
`)
