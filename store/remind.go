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

// ErrSettled says that a reminder cannot be snoozed: another came since, or the order no longer waits.
var ErrSettled = errors.New("the reminder is over")

// ReminderState is an order's wait for somebody in its channel, and its reminders so far.
type ReminderState struct {
	Of        string    // the id of the delivery, or pause, that waits for somebody
	Since     time.Time // when the wait began
	Reminders int       // how many were sent
	Snoozed   time.Time // when the next one is due; zero: not snoozed
}

// ReminderStateOf returns the state after all events of an order, oldest first; false if the order waits for nobody here.
func ReminderStateOf(t Tracked, events []order.Event) (s ReminderState, waits bool) {
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
			s = ReminderState{Of: e.ID, Since: e.At}
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

// Due returns when the next reminder is due, if the first comes after that time; false: no reminder is due.
func (s ReminderState) Due(after time.Duration) (at time.Time, due bool) {
	if s.Reminders > 0 {
		return s.Snoozed, !s.Snoozed.IsZero()
	}
	return s.Since.Add(after), after > 0
}

// Reminder returns the id of the next reminder.
func (s ReminderState) Reminder() string {
	return fmt.Sprintf("%s:%s:%d", order.EventReminder, s.Of, s.Reminders+1)
}

// LateID returns the id of the event "late": the estimated delivery has passed. Each round has one.
func LateID(t Tracked) string { return fmt.Sprintf("%s:r%d", order.EventLate, t.Order.Rev()) }

// Summaries reads orders without pictures, conversation and thread, and leaves out untracked ones.
func (s *Orders) Summaries(ctx context.Context, ids []string) ([]Tracked, error) {
	orders, err := s.records.summaries(ctx, ids)
	return orders, kv.About("summaries of", fmt.Sprint(len(ids), " orders"), err)
}

// Reminders records events that are due because time has passed.
type Reminders part

// Say records an event that is due because time has passed, with the job that announces it. It does nothing
// if the order has another version or the event is known. It reports whether the event was recorded.
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

// Snooze puts off the reminder that follows the given one. It returns [ErrSettled] unless that is the last one of an
// order that still waits. A reminder is snoozed once; repeating it changes nothing.
func (s *Reminders) Snooze(ctx context.Context, id, reminder, by string, until time.Time) error {
	_, err := s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		events, err := s.records.events(ctx, id, 0, -1)
		if err != nil {
			return kv.Stale, err
		}
		now, waits := ReminderStateOf(old.Tracked, events)
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

// DigestKind is the kind of the job that posts a channel's daily digest.
const DigestKind = "digest"

// DigestJob is the body of that job, which only the announcer does.
type DigestJob struct {
	Team    string    `json:"team"`
	Channel string    `json:"channel"`
	Day     string    `json:"day"`   // of the digest, in the channel's time zone: "2026-11-25"
	Until   time.Time `json:"until"` // when the digest is outdated
}

// PutDigest puts that job, once for each channel and day.
func (s *Reminders) PutDigest(ctx context.Context, job DigestJob) error {
	id := fmt.Sprintf("digest:%s:%s:%s", job.Team, job.Channel, job.Day)
	_, err := s.records.queue.Put(ctx, channelJob(job.Team, job.Channel, DigestKind, id, job))
	return kv.About("digest of", job.Channel, err)
}
