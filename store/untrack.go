package store

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/order"
	"darkroom/store/queue"
)

// Untrack ends a channel's ownership: the event "untracked" by actor is announced, then
// nothing more; the order is in no list and is found by no name. See [Tracked.Untracked]. An
// order that has left already stays as it is.
func (s *Store) Untrack(ctx context.Context, id, actor string) (Tracked, error) {
	return s.repeat(ctx, id, func(old stored) (result, error) {
		if old.Untracked {
			return written, nil
		}
		return s.untrack(ctx, old.Tracked, actor)
	})
}

func (s *Store) untrack(ctx context.Context, old Tracked, actor string) (result, error) {
	next := old
	next.Version++
	e := order.Event{
		ID: fmt.Sprintf("untracked:g%d", old.Owner.Generation), Kind: order.EventUntracked, Actor: actor,
		Order: order.Trim(old.Order, order.EventUntracked), At: time.Now(),
	}
	args := []any{old.Version, old.ID, old.Owner.Channel, e.ID, encode(e)}
	args = append(args, s.queue.PutArgs(announceJob(next, fmt.Sprintf("v%d", next.Version)))...)
	code, err := s.run(ctx, untrackScript, append(recordKeys(old.ID), ownerKeys(old.Owner)...), args...)
	return result(code), err
}

// KEYS: 1 order, 2 its events, 3 their ids, 4 the active orders, 5 the lagging ones,
// 6 the channel's orders, 7 the requester's, 8 the channels.
// ARGV: 1 version that must hold, 2 order id, 3 channel, 4 id and 5 document of the event,
// then the announcement job. Returns 1, or 0 when the version is another. The reference
// stays the order's, so that it is found by it when it is tracked again.
var untrackScript = redis.NewScript(queue.PutLua + appendLua + ownLua + `
local order, id = KEYS[1], ARGV[2]
if redis.call('HGET', order, 'version') ~= ARGV[1] then return 0 end
events_append(order, KEYS[2], KEYS[3], 4, 1)
redis.call('HSET', order, 'version', ARGV[1] + 1, 'left', 1)
redis.call('HDEL', order, 'intent')
own_exit(KEYS[6], KEYS[8], ARGV[3], id)
redis.call('ZREM', KEYS[7], id)
own_active(KEYS[4], id, '')
redis.call('SADD', KEYS[5], id)
queue_put(ARGV, 6)
return 1
`)
