package store

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// Two misses make an order gone; an older one than this is forgotten.
const (
	missesToGone = 2
	missLife     = 25 * time.Hour
)

// MarkGone notes that the service does not know the order. The second time in
// a row the order is gone: it leaves the active ones and gets the event "gone".
// Any Record in between proves that it exists, and the next look at it by whichever
// replica is one: its entry among the active ones differs from all that can be seen.
func (s *Store) MarkGone(ctx context.Context, id string) error {
	now := time.Now()
	misses, err := s.run(ctx, missScript, []string{orderKey(id), activeKey()},
		now.UnixMilli(), missLife.Milliseconds(), rand.Text(), id)
	if err == nil && misses == 0 {
		err = ErrNotTracked
	}
	if err != nil || misses < missesToGone {
		return orderError(id, err)
	}
	for range raceTries {
		old, err := s.load(ctx, id)
		if err != nil || old.Gone || old.Left || old.misses < missesToGone {
			return err
		}
		c := change{old: old, next: old.Tracked, events: []Event{{
			ID: string(Gone), Kind: Gone, Order: trim(old.Order, Gone), At: now,
		}}}
		c.next.Gone = true
		if _, result, err := s.write(ctx, c); err != nil || result == written {
			return orderError(id, err)
		}
	}
	return orderError(id, ErrStale)
}

// KEYS: 1 order, 2 the active orders. ARGV: 1 now in ms, 2 ms after which a miss is
// forgotten, 3 a nonce of this call, 4 order id. Returns the misses in a row so far, 0 when the order is not
// tracked. A call sent again because its answer was lost counts once.
var missScript = redis.NewScript(`
local h = redis.call('HMGET', KEYS[1], 'id', 'misses', 'missed_at', 'missed_by')
if not h[1] then return 0 end
local misses = tonumber(h[2] or 0)
if h[4] == ARGV[3] then return misses end
if h[3] and ARGV[1] - h[3] > tonumber(ARGV[2]) then misses = 0 end
local entry = redis.call('HGET', KEYS[2], ARGV[4])
if entry then
  local active = cjson.decode(entry)
  active.status = ''
  redis.call('HSET', KEYS[2], ARGV[4], cjson.encode(active))
end
redis.call('HSET', KEYS[1], 'misses', misses + 1, 'missed_at', ARGV[1], 'missed_by', ARGV[3])
return misses + 1
`)
