package store

import (
	"context"

	"darkroom/order"

	"github.com/redis/go-redis/v9"
)

// Intend leaves an intent on an order, in place of any other. It is no change:
// the version stays. Writes on one order share a lane, so only one is under way.
// Nobody acts on an order that was untracked: that is [ErrNotTracked].
func (s *Store) Intend(ctx context.Context, id string, intent order.Intent) error {
	code, err := s.run(ctx, intendScript, []string{orderKey(id)}, encode(intent))
	if err == nil && code == 0 {
		err = ErrNotTracked
	}
	return orderError(id, err)
}

// ClearIntent takes an intent back, after a refusal, if it is that job's own.
func (s *Store) ClearIntent(ctx context.Context, id, job string) error {
	for range raceTries {
		o, err := s.load(ctx, id)
		if err != nil {
			return err
		}
		if o.Intent == nil || o.Intent.Job != job {
			return nil
		}
		code, err := s.run(ctx, clearIntentScript, []string{orderKey(id)}, o.rawIntent)
		if err != nil || code == 1 {
			return orderError(id, err)
		}
	}
	return orderError(id, ErrStale)
}

// KEYS: 1 order. ARGV: 1 intent. Returns 1, or 0 when the order is not tracked (any more).
var intendScript = redis.NewScript(`
local h = redis.call('HMGET', KEYS[1], 'id', 'left')
if not h[1] or h[2] == '1' then return 0 end
redis.call('HSET', KEYS[1], 'intent', ARGV[1])
return 1
`)

// KEYS: 1 order. ARGV: 1 intent that must hold. Returns 1, or 0 when another does.
var clearIntentScript = redis.NewScript(`
if redis.call('HGET', KEYS[1], 'intent') ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'intent')
return 1
`)
