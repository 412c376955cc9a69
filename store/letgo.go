package store

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// letGo forgets an order for good, with all that leads to it: it is as if its channel had
// never owned it. One that still owes its channel something is put off.
func (s *Store) letGo(ctx context.Context, id string, later time.Duration) error {
	old, err := s.load(ctx, id)
	if errors.Is(err, ErrNotTracked) {
		return s.forgetFinished(ctx, id)
	}
	if err != nil {
		return errors.Join(err, s.putOff(ctx, shrunkKey(), id, later))
	}
	keys := append(s.finishedKeys(id), activeKey())
	keys = append(keys, ownerKeys(old.Owner)...)
	keys = append(keys, threadKey(old.Owner.Team, old.Owner.Channel, old.CardTS), referenceKey(old.Reference))
	args := []any{old.Version, id, later.Milliseconds(), old.Owner.Channel}
	return orderError(id, letGoScript.Run(ctx, s.rdb, keys, args...).Err())
}

// KEYS: those of finishedLua, then 9 the active orders, 10 the channel's, 11 the requester's,
// 12 the channels, 13 the card's thread, 14 the reference. ARGV: 1 version that must hold,
// 2 order id, 3 ms by which one that is not idle is put off, 4 the channel. Returns 1, or 0
// when the version is another or the order is not idle.
var letGoScript = redis.NewScript(finishedLua + ownLua + `
local id = ARGV[2]
if redis.call('HGET', order, 'version') ~= ARGV[1] then return 0 end
if not idle(id) then put_off(shrunk, id, ARGV[3]) return 0 end
local generation = redis.call('HGET', order, 'generation')
redis.call('DEL', order, KEYS[2], KEYS[3], KEYS[7])
redis.call('HDEL', KEYS[9], id)
own_exit(KEYS[10], KEYS[12], ARGV[4], id)
redis.call('ZREM', KEYS[11], id)
if redis.call('GET', KEYS[13]) == generation .. ':' .. id then redis.call('DEL', KEYS[13]) end
if redis.call('GET', KEYS[14]) == 'order:' .. id then redis.call('DEL', KEYS[14]) end
redis.call('ZREM', finished, id)
redis.call('ZREM', shrunk, id)
return 1
`)
