package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
)

// ErrSettled says that a reminder cannot be put off: another came since, or nobody is waited for any more.
var ErrSettled = errors.New("the reminder is over")

// Standing is how long an order has waited for somebody here, and what was said of that.
type Standing struct {
	Of        string    // the id of the delivery, or pause, that is waited about
	Since     time.Time // since when
	Reminders int       // how often that was said
	Snoozed   time.Time // until when the next one was put off; zero: it was not
}

// StandingOf finds it among all that happened to an order, oldest first; false when nobody here is waited for.
func StandingOf(t Tracked, events []order.Event) (s Standing, waits bool) {
	kind := order.EventReady
	switch {
	case t.Paused() && !t.Untracked:
		kind = order.EventPaused
	case !t.InReview(t.Order.Rev()):
		return s, false
	}
	for _, e := range events {
		of := e.Order.Status == t.Order.Status
		switch {
		case e.Kind == kind:
			s = Standing{Of: e.ID, Since: e.At}
		case e.Kind == order.EventResumed && of:
			s.Since = e.At
		case e.Kind == order.EventReminder && of:
			s.Reminders, s.Snoozed = s.Reminders+1, time.Time{}
		case e.Kind == order.EventSnoozed && of:
			s.Snoozed = e.Until
		}
	}
	return s, s.Of != ""
}

// Due is when somebody is to be reminded, who is reminded after so long; false: nobody is.
func (s Standing) Due(after time.Duration) (at time.Time, due bool) {
	if s.Reminders > 0 {
		return s.Snoozed, !s.Snoozed.IsZero()
	}
	return s.Since.Add(after), after > 0
}

// Reminder is the id of the next reminder.
func (s Standing) Reminder() string {
	return fmt.Sprintf("%s:%s:%d", order.EventReminder, s.Of, s.Reminders+1)
}

// LateID is the id of the event that the estimate of an order's delivery has passed: one in a round.
func LateID(t Tracked) string { return fmt.Sprintf("%s:r%d", order.EventLate, t.Order.Rev()) }

// Summaries reads orders without pictures, conversation and thread, and leaves out those that are not tracked.
func (s *Orders) Summaries(ctx context.Context, ids []string) ([]Tracked, error) {
	orders, err := s.records.summaries(ctx, ids)
	return orders, kv.About("summaries of", fmt.Sprint(len(ids), " orders"), err)
}

// Reminders records what time brings to an order.
type Reminders part

// Say records that something is to be told of an order because time has passed: an event of that kind and id,
// with the job that announces it. It does nothing when the order has another version, or the event is
// known, and says whether it was recorded.
func (s *Reminders) Say(ctx context.Context, id string, version int64, kind order.EventKind, event string) (bool, error) {
	old, err := s.records.load(ctx, id)
	if err != nil || old.Version != version || old.Untracked {
		return false, orderError(id, err)
	}
	known, err := s.db.Redis.SIsMember(ctx, s.db.Key("event-ids", id), event).Result()
	if err != nil || known {
		return false, orderError(id, err)
	}
	e := eventOf(old, kind, "", "")
	e.ID = event
	added, _, err := s.records.write(ctx, change{old: old, next: old.Tracked, events: []order.Event{e}})
	return len(added) > 0, orderError(id, err)
}

// Snooze puts the reminder after that one off. It is [ErrSettled] when that is not the last one of an order that still waits.
// A reminder is put off once: who does it again changes nothing.
func (s *Reminders) Snooze(ctx context.Context, id, reminder, by string, until time.Time) error {
	_, err := s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		events, err := s.records.events(ctx, id, 0, -1)
		if err != nil {
			return kv.Stale, err
		}
		now, waits := StandingOf(old.Tracked, events)
		last := now
		last.Reminders--
		if !waits || now.Reminders == 0 || last.Reminder() != reminder {
			return kv.Stale, ErrSettled
		}
		e := eventOf(old, order.EventSnoozed, "", by)
		e.ID = order.SnoozeID(reminder)
		if slices.ContainsFunc(events, func(other order.Event) bool { return other.ID == e.ID }) {
			return kv.Written, nil
		}
		e.Until = until.UTC()
		_, result, err := s.records.write(ctx, change{old: old, next: old.Tracked, events: []order.Event{e}})
		return result, err
	})
	return err
}

// DigestKind is the kind of the job that tells a channel how its orders stand.
const DigestKind = "digest"

// DigestJob is the body of that job, which is done by the announcer alone.
type DigestJob struct {
	Team    string    `json:"team"`
	Channel string    `json:"channel"`
	Day     string    `json:"day"`   // whose digest it is, as the channel's clocks have it: "2026-11-25"
	Until   time.Time `json:"until"` // it is not worth reading any more
}

// PutDigest puts that job, once for each channel and day.
func (s *Reminders) PutDigest(ctx context.Context, job DigestJob) error {
	id := fmt.Sprintf("digest:%s:%s:%s", job.Team, job.Channel, job.Day)
	_, err := s.records.queue.Put(ctx, channelJob(job.Team, job.Channel, DigestKind, id, job))
	return kv.About("digest of", job.Channel, err)
}
