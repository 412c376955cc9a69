package store

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/shopspring/decimal"

	"darkroom/store/queue"
	"darkroom/upstream"
)

// Placement is a new order and whose it is.
type Placement struct {
	ID        string
	Owner     Owner // Generation 0 means 1
	Reference string
	Images    int
	Order     upstream.Order
	Credits   decimal.NullDecimal // what remains
	// Adopted: made elsewhere, and tracked from now on. The event is "tracked"
	// and the first conversation is old news.
	Adopted bool
}

// Place is Record for a new order: it writes the order, its first event, its
// indexes and its announcement job in one step. An order that is tracked
// already stays as it is, whoever places it, and is returned.
func (s *Store) Place(ctx context.Context, p Placement) (Tracked, error) {
	t := p.tracked()
	e := Event{
		ID: string(Placed), Kind: Placed, Actor: t.Owner.Requester,
		Order: trim(t.Order, Placed), Credits: p.Credits, At: time.Now(),
	}
	if p.Adopted {
		e.ID, e.Kind = string(TrackedNow), TrackedNow
	}
	fields := []any{
		"id", t.ID, "reference", t.Reference,
		"team", t.Owner.Team, "channel", t.Owner.Channel, "requester", t.Owner.Requester,
		"generation", t.Owner.Generation, "images", t.Images, "adopted", flag(t.Adopted),
		"order", encode(t.Order), "version", t.Version,
	}
	args := append([]any{t.ID, orderedAt(t.Order).UnixMilli(), activeEntry(t), e.ID, encode(e), len(fields)}, fields...)
	args = append(args, s.queue.PutArgs(announceJob(t, "v1"))...)
	keys := []string{
		orderKey(t.ID), eventsKey(t.ID), eventIDsKey(t.ID), activeKey(), laggingKey(),
		channelKey(t.Owner.Team, t.Owner.Channel), referenceKey(t.Reference),
	}
	if _, err := s.run(ctx, placeScript, keys, args...); err != nil {
		return Tracked{}, orderError(p.ID, err)
	}
	return s.Order(ctx, p.ID)
}

func (p Placement) tracked() Tracked {
	owner := p.Owner
	owner.Generation = max(owner.Generation, 1)
	order := Merge(upstream.Order{}, p.Order)
	order.ID = p.ID
	return Tracked{
		ID: p.ID, Reference: p.Reference, Owner: owner, Order: order,
		Images: p.Images, Version: 1, Adopted: p.Adopted,
	}
}

// orderedAt is the service's time, else ours.
func orderedAt(o upstream.Order) time.Time {
	if o.OrderedAt.IsZero() {
		return time.Now()
	}
	return o.OrderedAt
}

// KEYS: 1 order, 2 its events, 3 their ids, 4 the active orders, 5 the lagging
// ones, 6 the channel's orders, 7 the reference.
// ARGV: 1 order id, 2 when it was ordered in ms, 3 entry among the active ("":
// not active), 4 id and 5 document of the first event, 6 number n of values that
// follow, n values: the fields of the order, then the announcement job.
// Returns 1, or 0 when the order is tracked already. A reference that another
// order holds stays that order's.
var placeScript = redis.NewScript(queue.PutLua + appendLua + `
local order, id, n = KEYS[1], ARGV[1], tonumber(ARGV[6])
if redis.call('EXISTS', order) == 1 then return 0 end
redis.call('HSET', order, unpack(ARGV, 7, 6 + n))
events_append(order, KEYS[2], KEYS[3], 4, 1)
if ARGV[3] ~= '' then redis.call('HSET', KEYS[4], id, ARGV[3]) end
redis.call('SADD', KEYS[5], id)
redis.call('ZADD', KEYS[6], ARGV[2], id)
local reserved = redis.call('GET', KEYS[7]) or ''
if redis.call('HGET', order, 'reference') ~= '' and string.sub(reserved, 1, 6) ~= 'order:' then
  redis.call('SET', KEYS[7], 'order:' .. id)
end
queue_put(ARGV, 7 + n)
return 1
`)
