package store

import (
	"cmp"
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"darkroom/order"
	"darkroom/store/queue"
)

// retrack takes an untracked order over again, as if it were new here: its course begins
// with the event "tracked", what happened before is not told to the new owner, and the
// conversation so far is old news. The messages of its last place are left tidy. It keeps
// its reference, its version and its events, and the generation grows.
func (s *Store) retrack(ctx context.Context, old stored, p Placement) (result, error) {
	t := old.again(p)
	e := p.event(t)
	e.ID = fmt.Sprintf("%s:g%d", order.EventTracked, t.Owner.Generation)
	fields := []any{
		"reference", t.Reference,
		"team", t.Owner.Team, "channel", t.Owner.Channel, "requester", t.Owner.Requester,
		"generation", t.Owner.Generation, "images", t.Images, "adopted", flag(t.Adopted),
		"order", encode(t.Order), "brief", encodeBrief(t.Order), "version", t.Version,
	}
	args := []any{
		old.Version, t.ID, activeEntry(t), e.ID, encode(e), t.Owner.Channel,
		orderedAt(t.Order).UnixMilli(), threadKey(old.Owner.Team, old.Owner.Channel, ""),
	}
	args = append(args, s.queue.PutArgs(announceJob(t, fmt.Sprintf("v%d", t.Version)))...)
	args = append(args, s.queue.PutArgs(leaveJob(old.Tracked))...)
	args = append(args, fields...)
	keys := append(recordKeys(t.ID), ownerKeys(t.Owner)...)
	code, err := s.run(ctx, retrackScript, append(keys, referenceKey(t.Reference)), args...)
	return result(code), err
}

// again is an order that has left, under its new owner.
func (old stored) again(p Placement) Tracked {
	t := p.tracked()
	known := old.Order
	known.Conversation = nil
	t.Order = order.Merge(known, t.Order)
	t.Reference = cmp.Or(old.Reference, p.Reference)
	t.Images = cmp.Or(p.Images, old.Images)
	t.Version = old.Version + 1
	t.Owner.Generation = old.Owner.Generation + 1
	return t
}

// KEYS: 1 order, 2 its events, 3 their ids, 4 the active orders, 5 the lagging ones,
// 6 the new channel's orders, 7 the new requester's, 8 the channels, 9 the reference.
// ARGV: 1 version that must hold, 2 order id, 3 entry among the active ("": not active),
// 4 id and 5 document of the event, 6 the new channel, 7 when it was ordered in ms, 8 the
// keys of the old channel's threads, the announcement job from 9 on, the leave job from 17
// on, and then the fields of the order. Returns 1, or 0 when the version is another.
var retrackScript = redis.NewScript(queue.PutLua + appendLua + ownLua + leaveLua + `
local order, id = KEYS[1], ARGV[2]
if redis.call('HGET', order, 'version') ~= ARGV[1] then return 0 end
leave_place(order, ARGV[8], 17)
redis.call('HDEL', order, 'left', 'delivered', 'pauses', 'gone', 'missed_since', 'missed_at', 'intent')
redis.call('HSET', order, unpack(ARGV, 25))
redis.call('HSET', order, 'announced', redis.call('LLEN', KEYS[2]))
redis.call('DEL', KEYS[3])
events_append(order, KEYS[2], KEYS[3], 4, 1)
own_active(KEYS[4], id, ARGV[3])
redis.call('SADD', KEYS[5], id)
own_enter(KEYS[6], KEYS[8], ARGV[6], id, ARGV[7])
redis.call('ZADD', KEYS[7], ARGV[7], id)
own_reference(KEYS[9], id, redis.call('HGET', order, 'reference'))
queue_put(ARGV, 9)
return 1
`)
