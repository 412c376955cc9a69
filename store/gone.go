package store

import (
	"context"
	"fmt"
	"time"

	"darkroom/order"

	"github.com/redis/go-redis/v9"
)

// missLife is how long a miss counts with nobody looking: after a longer silence the
// next one is the first again.
const missLife = 25 * time.Hour

// Missed notes that the service, asked at that time, did not know the order, and returns
// since when that is so. It is no change: the version stays, and nobody is told. Any
// Record proves that the order exists and ends it, and what was missed differs from all
// that can be seen, so that whoever sees it records it. Saying the same again changes
// nothing. An order that was untracked is [ErrNotTracked].
func (s *Store) Missed(ctx context.Context, id string, at time.Time) (Missed, error) {
	at = time.UnixMilli(at.UnixMilli()).UTC()
	now, err := s.repeat(ctx, id, func(old stored) (result, error) {
		if old.Untracked {
			return stale, ErrNotTracked
		}
		t := old.Tracked
		if t.Missed.Since.IsZero() || at.Sub(t.Missed.Last) > missLife {
			t.Missed.Since = at
		}
		t.Missed.Last = at
		code, err := s.run(ctx, missScript, []string{orderKey(id), activeKey()},
			old.Version, id, t.Missed.Since.UnixMilli(), at.UnixMilli(), activeEntry(t))
		return result(code), err
	})
	return now.Missed, err
}

// MarkGone gives an order up that the service has not known since then: the event "gone"
// is announced, and the order is looked at only now and then. It does nothing when the
// order was seen meanwhile, or is missed since another time.
func (s *Store) MarkGone(ctx context.Context, id string, since time.Time) error {
	_, err := s.repeat(ctx, id, func(old stored) (result, error) {
		if old.Gone || old.Untracked || old.Missed.IsZero() || !old.Missed.Since.Equal(since) {
			return written, nil
		}
		c := change{old: old, next: old.Tracked, events: []order.Event{{
			ID: fmt.Sprintf("%s:v%d", order.EventGone, old.Version), Kind: order.EventGone, Order: order.Trim(old.Order, order.EventGone), At: time.Now(),
		}}}
		c.next.Gone = true
		_, result, err := s.write(ctx, c)
		return result, err
	})
	return err
}

// KEYS: 1 order, 2 the active orders. ARGV: 1 version that must hold, 2 order id, 3 since
// when and 4 when it was missed, in ms, 5 entry among the active ("": not active).
// Returns 1, or 0 when the version is another.
var missScript = redis.NewScript(ownLua + `
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'missed_since', ARGV[3], 'missed_at', ARGV[4])
own_active(KEYS[2], ARGV[2], ARGV[5])
return 1
`)
