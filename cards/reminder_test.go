package cards

import (
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// nudges are what a channel reads because time has passed.
func (s scene) nudges(shown map[string]any) {
	t := s.tracked(order.StatusReviewing)
	ready, reminder, snoozed := s.event("ready", order.StatusReviewing), s.event("reminder", order.StatusReviewing), s.event("snoozed", order.StatusReviewing)
	ready.Seq, reminder.Seq, snoozed.Seq = 2, 3, 4
	reminder.ID = "reminder:ready:r1:1"
	snoozed.ID, snoozed.Until = order.SnoozeID(reminder.ID), now.Add(4*time.Hour)
	shown["reminder"] = Reminder(t, reminder, []order.Event{ready, reminder}, true, Thumbs{})
	shown["reminder_snoozed"] = Reminder(t, reminder, []order.Event{ready, reminder, snoozed}, false, Thumbs{})
	shown["reminder_over"] = Reminder(t, reminder, []order.Event{ready, reminder}, false, Thumbs{})
	shown["reminder_unknown"] = Reply(t, reminder, true, previews)
	paused := s.event("reminder", order.StatusPaused)
	paused.ID = "reminder:paused:1"
	shown["reminder_paused"] = Reminder(s.tracked(order.StatusPaused), paused, nil, true, Thumbs{})
	shown["past_estimate"] = Reply(s.tracked(order.StatusEditing), s.event("late", order.StatusEditing), true, previews)
	digest, _ := Digest(s.morning(), "2026-11-25", links, time.UTC, now)
	shown["digest"] = digest
}

// morning are the orders of a channel in which there is something of everything.
func (s scene) morning() []store.Tracked {
	late, due, later := s.tracked(order.StatusEditing), s.tracked(order.StatusRevising), s.tracked(order.StatusEditing)
	late.Order.EstimatedDelivery, due.Order.EstimatedDelivery = now.Add(-time.Hour), now.Add(time.Hour)
	later.Order.EstimatedDelivery = now.Add(48 * time.Hour)
	late.CardTS = "1795166700.000100"
	all := append(s.many(25), s.tracked(order.StatusReviewing), late, s.tracked(order.StatusPaused), due, later, s.tracked(order.StatusClosed))
	return all
}

// A digest names what somebody can act on, each order once, and is silent when there is nothing.
func TestADigestIsSilentWhenThereIsNothingToSay(t *testing.T) {
	t.Parallel()
	s := scene{"beach", 1}
	later := s.tracked(order.StatusEditing)
	later.Order.EstimatedDelivery = now.Add(48 * time.Hour)
	gone, left := s.tracked(order.StatusReviewing), s.tracked(order.StatusReviewing)
	gone.Gone, left.Untracked = true, true
	undated := s.tracked(order.StatusEditing)
	undated.Order.EstimatedDelivery = time.Time{}
	_, tells := Digest([]store.Tracked{later, gone, left, undated, s.tracked(order.StatusClosed)}, "2026-11-25", links, time.UTC, now)
	require.False(t, tells)
	_, tells = Digest(nil, "2026-11-25", links, time.UTC, now)
	require.False(t, tells)
}

// What is due today is due by the channel's clock.
func TestADigestsDayIsThatOfTheChannelsClock(t *testing.T) {
	t.Parallel()
	due := scene{"beach", 1}.tracked(order.StatusEditing)
	due.Order.EstimatedDelivery = time.Date(2026, 11, 25, 20, 0, 0, 0, time.UTC)
	morning := time.Date(2026, 11, 25, 7, 0, 0, 0, time.UTC)
	for zone, today := range map[string]bool{"UTC": true, "Asia/Kolkata": false, "America/New_York": true} {
		m, tells := Digest([]store.Tracked{due}, "2026-11-25", links, order.Zone(zone), morning)
		require.Equal(t, today, tells, zone)
		require.Equal(t, today, strings.Contains(m.Text, "Due today"), zone)
	}
	m, _ := Digest([]store.Tracked{due}, "2026-11-25", links, time.UTC, morning)
	day, ours := DigestDay(slack.Message{Msg: slack.Msg{Metadata: *m.Metadata}})
	require.True(t, ours)
	require.Equal(t, "2026-11-25", day)
	_, ours = DigestDay(slack.Message{})
	require.False(t, ours)
}
