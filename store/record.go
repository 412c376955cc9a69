package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"darkroom/order"
	"darkroom/store/conn"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// Changes changes orders. Each change is one atomic step.
type Changes struct {
	db      kv.DB
	records *records
	server  *conn.Server
	ledgers *Ledgers
}

// Record is the only way an order changes. It merges what an answer of the
// service shows into the order, and writes in one atomic step the snapshot, the
// events that [order.Diff] finds and that are new, the indexes, and the job that
// announces them; an intent that the change fulfils ends with it.
//
// version is the order's version before the service was asked. [ErrStale] says
// that the order has changed since: fetch it again and record that. What shows
// nothing new writes nothing. It returns the order as it is now and its new
// events. What an untracked order shows is kept, and no event: nobody is told.
func (s *Changes) Record(ctx context.Context, id string, version int64, seen order.Order) (Tracked, []order.Event, error) {
	return s.RecordAnswer(ctx, id, version, seen, "")
}

// RecordAnswer is Record for the answer to the request of the given job, or
// for what was fetched after that answer. The job's intent was certainly
// carried out, also where no answer can show it: reference images, a message
// without its conversation.
func (s *Changes) RecordAnswer(ctx context.Context, id string, version int64, seen order.Order, job string) (Tracked, []order.Event, error) {
	var now Tracked
	var news []order.Event
	err := kv.RetryOnConflict(orderError(id, ErrStale), func() (kv.Result, error) {
		old, err := s.records.load(ctx, id)
		if err != nil {
			return kv.Stale, err
		}
		now = old.Tracked
		if old.Version != version {
			return kv.Stale, orderError(id, ErrStale)
		}
		next, events := observe(old.Tracked, seen, job, time.Now())
		c := change{old: old, next: next, events: events}
		if c.empty() {
			return kv.Written, nil
		}
		added, result, err := s.records.write(ctx, c)
		switch {
		case err != nil:
			return result, orderError(id, err)
		case result == kv.Stale:
			return result, orderError(id, ErrStale)
		case result == kv.Written:
			now, news = c.after(added), added
		}
		return result, nil
	})
	return now, news, err
}

// observe is what an answer makes of an order; it is pure. job names the
// request that was answered, or "".
func observe(old Tracked, seen order.Order, job string, now time.Time) (Tracked, []order.Event) {
	intent := old.Intent
	if job != "" && intent != nil && intent.Job == job {
		answered := *intent
		answered.Answered = true
		intent = &answered
	}
	next := old
	known, events, fulfilled := order.Observe(old.known(), seen, intent, now)
	events = order.Bounded(events, old.LastEvent)
	next.Known, next.Missed = known, Missed{}
	if fulfilled {
		next.Intent = nil
	}
	return next, events
}

// CustomerID is the customer's ID as it was typed, else as the service has it, which may have made a number
// of it; "": none.
func (t Tracked) CustomerID() string {
	if t.Brief != nil && t.Brief.CustomerID != "" {
		return t.Brief.CustomerID
	}
	return t.Order.CustomerID
}

// known is what is known of the order. Of one whose last delivery was recorded before it was
// noted that it is not the first under its number, its reply tells.
func (t Tracked) known() order.Known {
	k := t.Known
	if d := k.Delivered; d != nil && !d.Again {
		again := fmt.Sprintf("ready:r%d:%s", d.Revision, d.Images)
		k.Delivered = new(*d)
		k.Delivered.Again = slices.ContainsFunc(t.Thread, func(p Posted) bool { return p.ID == again })
	}
	return k
}

// Intend leaves an intent on an order, in place of any other. It is no change:
// the version stays. Writes on one order share a lane, so only one is under way.
// Nobody acts on an order that was untracked: that is [ErrNotTracked].
func (s *Changes) Intend(ctx context.Context, id string, intent order.Intent) error {
	done, err := s.records.step(ctx, "intend", Tracked{ID: id}, script.Args{"intent": kv.Encode(intent)})
	if err == nil && done == kv.Stale {
		err = ErrNotTracked
	}
	return orderError(id, err)
}

// ClearIntent takes an intent back, after a refusal, if it is that job's own.
func (s *Changes) ClearIntent(ctx context.Context, id, job string) error {
	_, err := s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		if old.Intent == nil || old.Intent.Job != job {
			return kv.Written, nil
		}
		return s.records.step(ctx, "clear_intent", old.Tracked, script.Args{"intent": old.rawIntent})
	})
	return err
}
