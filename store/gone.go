package store

import (
	"context"
	"fmt"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// missLife is how long a miss counts without another one: after a longer silence the
// next miss is the first again.
const missLife = 25 * time.Hour

// Missed notes that the service did not know the order at that time, and returns since when.
// The version stays, and nothing is announced. A Record proves that the order exists and
// ends the miss; [Active.Differs] is true for a missed order, so that any sight of it is
// recorded. Repeating a call changes nothing. An untracked order returns [ErrNotTracked].
func (s *Changes) Missed(ctx context.Context, id string, at time.Time) (Missed, error) {
	at = time.UnixMilli(at.UnixMilli()).UTC()
	now, err := s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		if old.Untracked {
			return kv.Stale, ErrNotTracked
		}
		t := old.Tracked
		if t.Missed.Since.IsZero() || at.Sub(t.Missed.Last) > missLife {
			t.Missed.Since = at
		}
		t.Missed.Last = at
		return s.records.step(ctx, "keep_active", old.Tracked, script.Args{
			"active": activeEntry(t), "missed": script.Args{"since": t.Missed.Since.UnixMilli(), "at": at.UnixMilli()},
		})
	})
	return now.Missed, err
}

// MarkGone gives up an order that the service has not known since then: it announces the
// event "gone", and the order is polled only now and then. It does nothing if the order was
// seen meanwhile, or is missed since another time.
func (s *Changes) MarkGone(ctx context.Context, id string, since time.Time) error {
	_, err := s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		if old.Gone || old.Untracked || old.Missed.IsZero() || !old.Missed.Since.Equal(since) {
			return kv.Written, nil
		}
		gone := eventOf(old, order.EventGone, fmt.Sprintf("v%d", old.Version), "")
		c := change{old: old, next: old.Tracked, events: []order.Event{gone}}
		c.next.Gone = true
		_, result, err := s.records.write(ctx, c)
		return result, err
	})
	return err
}
