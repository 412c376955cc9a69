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

// Record is the only way an order changes. It merges an answer of the service
// into the order. One atomic step writes the snapshot, the new events of
// [order.Diff], the indexes, and the job that announces them. It ends an intent
// that the change fulfils.
//
// version is the order's version before the service was asked. [ErrStale] says
// that the order has changed since: fetch it again and record that. An answer
// without news writes nothing. Record returns the order as it is now and its new
// events. An untracked order gets a new snapshot but no events.
func (s *Changes) Record(ctx context.Context, id string, version int64, seen order.Order) (Tracked, []order.Event, error) {
	return s.RecordAnswer(ctx, id, version, seen, "")
}

// RecordAnswer is Record for the answer to the given job's request, or for a
// fetch after that answer. It counts the job's intent as carried out, even where
// no answer can show that: reference images, a message without its conversation.
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

// observe merges an answer into an order and returns the events; it is pure. job names
// the job whose request was answered, or "".
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

// CustomerID returns the customer's ID as typed, else as the service has it, perhaps as a number;
// "" without an ID.
func (t Tracked) CustomerID() string {
	if t.Brief != nil && t.Brief.CustomerID != "" {
		return t.Brief.CustomerID
	}
	return t.Order.CustomerID
}

// Preset returns the name of the preset that filled the order's form; "" if none did, or it is not known.
func (t Tracked) Preset() string {
	if t.Brief != nil {
		return t.Brief.Preset
	}
	return t.preset
}

// known returns t.Known with Delivered.Again filled in. Earlier versions did not record Again; the
// reply to the delivery shows it.
func (t Tracked) known() order.Known {
	k := t.Known
	if d := k.Delivered; d != nil && !d.Again {
		again := fmt.Sprintf("ready:r%d:%s", d.Revision, d.Images)
		k.Delivered = new(*d)
		k.Delivered.Again = slices.ContainsFunc(t.Thread, func(p Posted) bool { return p.ID == again })
	}
	return k
}

// Intend leaves an intent on an order, in place of any other. The version stays.
// Writes on one order share a lane, so only one is under way. An untracked order
// returns [ErrNotTracked].
func (s *Changes) Intend(ctx context.Context, id string, intent order.Intent) error {
	done, err := s.records.step(ctx, "intend", Tracked{ID: id}, script.Args{"intent": kv.Encode(intent)})
	if err == nil && done == kv.Stale {
		err = ErrNotTracked
	}
	return orderError(id, err)
}

// ClearIntent removes an order's intent after a refusal, if it belongs to the job.
func (s *Changes) ClearIntent(ctx context.Context, id, job string) error {
	_, err := s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		if old.Intent == nil || old.Intent.Job != job {
			return kv.Written, nil
		}
		return s.records.step(ctx, "edit_field", old.Tracked, script.Args{"field": "intent", "was": old.rawIntent, "is": ""})
	})
	return err
}
