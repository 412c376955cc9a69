package store

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/order"
	"darkroom/store/queue"
)

// Move hands an order to another channel of its team, in one step: its generation grows,
// the new channel gets a card and a thread of its own with the event "moved" by actor
// and every event that the old one has not been told yet; the old channel's lane gets a
// job of [LeaveKind] if anything of ours is there. An order that is in that channel
// already stays as it is.
func (s *Store) Move(ctx context.Context, id, channel, actor string) (Tracked, error) {
	return s.repeat(ctx, id, func(old stored) (result, error) {
		switch {
		case old.Untracked:
			return stale, ErrNotTracked
		case old.Owner.Channel == channel:
			return written, nil
		}
		return s.move(ctx, old.Tracked, channel, actor)
	})
}

func (s *Store) move(ctx context.Context, old Tracked, channel, actor string) (result, error) {
	next := old
	next.Version++
	next.Owner.Generation++
	next.Owner.Channel = channel
	e := order.Event{
		ID: fmt.Sprintf("moved:g%d", next.Owner.Generation), Kind: order.EventMoved, Actor: actor,
		Order: order.Trim(old.Order, order.EventMoved), At: time.Now(),
	}
	args := []any{
		old.Version, old.ID, activeEntry(next), e.ID, encode(e), old.Owner.Channel, channel,
		next.Owner.Generation, orderedAt(old.Order).UnixMilli(), threadKey(old.Owner.Team, old.Owner.Channel, ""),
	}
	args = append(args, s.queue.PutArgs(announceJob(next, fmt.Sprintf("v%d", next.Version)))...)
	args = append(args, s.queue.PutArgs(leaveJob(old))...)
	keys := append(recordKeys(old.ID), ownerKeys(old.Owner)...)
	code, err := s.run(ctx, moveScript, append(keys, channelKey(old.Owner.Team, channel)), args...)
	return result(code), err
}

// KEYS: 1 order, 2 its events, 3 their ids, 4 the active orders, 5 the lagging ones,
// 6 the old channel's orders, 7 the requester's, 8 the channels, 9 the new channel's orders.
// ARGV: 1 version that must hold, 2 order id, 3 entry among the active ("": not active),
// 4 id and 5 document of the event, 6 the old channel, 7 the new one, 8 the new generation,
// 9 when it was ordered in ms, 10 the keys of the old channel's threads, then the
// announcement job, and from 19 on the leave job.
// Returns 1, or 0 when the version is another. The watermark stays: what the old channel
// was not told, the new one is.
var moveScript = redis.NewScript(queue.PutLua + appendLua + ownLua + leaveLua + `
local order, id = KEYS[1], ARGV[2]
if redis.call('HGET', order, 'version') ~= ARGV[1] then return 0 end
events_append(order, KEYS[2], KEYS[3], 4, 1)
leave_place(order, ARGV[10], 19)
redis.call('HSET', order, 'version', ARGV[1] + 1, 'generation', ARGV[8], 'channel', ARGV[7])
local at = redis.call('ZSCORE', KEYS[6], id) or ARGV[9]
own_exit(KEYS[6], KEYS[8], ARGV[6], id)
own_enter(KEYS[9], KEYS[8], ARGV[7], id, at)
own_active(KEYS[4], id, ARGV[3])
redis.call('SADD', KEYS[5], id)
queue_put(ARGV, 11)
return 1
`)
