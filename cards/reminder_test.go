package cards_test

import (
	"strings"
	"testing"
	"time"

	"darkroom/cards"
	"darkroom/cards/cardstest"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"
)

// nudges adds the messages that time alone causes.
func nudges(s cardstest.Scene, shown map[string]any) {
	t := s.Tracked(order.StatusReviewing)
	ready, reminder, snoozed := s.Event("ready", order.StatusReviewing), s.Event("reminder", order.StatusReviewing), s.Event("snoozed", order.StatusReviewing)
	ready.Seq, reminder.Seq, snoozed.Seq = 2, 3, 4
	reminder.ID = "reminder:ready:r1:1"
	snoozed.ID, snoozed.Until = order.SnoozeID(reminder.ID), cardstest.Now.Add(4*time.Hour)
	shown["reminder"] = cards.Reminder(t, reminder, []order.Event{ready, reminder}, true, cards.Thumbs{})
	shown["reminder_snoozed"] = cards.Reminder(t, reminder, []order.Event{ready, reminder, snoozed}, false, cards.Thumbs{})
	shown["reminder_over"] = cards.Reminder(t, reminder, []order.Event{ready, reminder}, false, cards.Thumbs{})
	shown["reminder_unknown"] = cards.Reply(t, reminder, true, cardstest.Previews)
	paused := s.Event("reminder", order.StatusPaused)
	paused.ID = "reminder:paused:1"
	shown["reminder_paused"] = cards.Reminder(s.Tracked(order.StatusPaused), paused, nil, true, cards.Thumbs{})
	shown["past_estimate"] = cards.Reply(s.Tracked(order.StatusEditing), s.Event("late", order.StatusEditing), true, cardstest.Previews)
	digest, _ := cards.Digest(morning(s), "2026-11-25", cardstest.Links, time.UTC, cardstest.Now)
	shown["digest"] = digest
}

// morning returns orders for every part of a digest.
func morning(s cardstest.Scene) []store.Tracked {
	late, due, later := s.Tracked(order.StatusEditing), s.Tracked(order.StatusRevising), s.Tracked(order.StatusEditing)
	late.Order.EstimatedDelivery, due.Order.EstimatedDelivery = cardstest.Now.Add(-time.Hour), cardstest.Now.Add(time.Hour)
	later.Order.EstimatedDelivery = cardstest.Now.Add(48 * time.Hour)
	late.CardTS = "1795166700.000100"
	all := append(s.Many(25), s.Tracked(order.StatusReviewing), late, s.Tracked(order.StatusPaused), due, later, s.Tracked(order.StatusClosed))
	return all
}

// A digest names each order once, and only orders that need somebody.
func TestADigestIsSilentWhenThereIsNothingToSay(t *testing.T) {
	t.Parallel()
	s := cardstest.Of("beach", 1)
	later := s.Tracked(order.StatusEditing)
	later.Order.EstimatedDelivery = cardstest.Now.Add(48 * time.Hour)
	gone, left := s.Tracked(order.StatusReviewing), s.Tracked(order.StatusReviewing)
	gone.Gone, left.Untracked = true, true
	undated := s.Tracked(order.StatusEditing)
	undated.Order.EstimatedDelivery = time.Time{}
	_, tells := cards.Digest([]store.Tracked{later, gone, left, undated, s.Tracked(order.StatusClosed)}, "2026-11-25", cardstest.Links, time.UTC, cardstest.Now)
	require.False(t, tells)
	_, tells = cards.Digest(nil, "2026-11-25", cardstest.Links, time.UTC, cardstest.Now)
	require.False(t, tells)
}

// *Due today* follows the channel's time zone.
func TestADigestsDayIsThatOfTheChannelsClock(t *testing.T) {
	t.Parallel()
	due := cardstest.Of("beach", 1).Tracked(order.StatusEditing)
	due.Order.EstimatedDelivery = time.Date(2026, 11, 25, 20, 0, 0, 0, time.UTC)
	morning := time.Date(2026, 11, 25, 7, 0, 0, 0, time.UTC)
	for zone, today := range map[string]bool{"UTC": true, "Asia/Kolkata": false, "America/New_York": true} {
		m, tells := cards.Digest([]store.Tracked{due}, "2026-11-25", cardstest.Links, order.Zone(zone), morning)
		require.Equal(t, today, tells, zone)
		require.Equal(t, today, strings.Contains(m.Text, "Due today"), zone)
	}
	m, _ := cards.Digest([]store.Tracked{due}, "2026-11-25", cardstest.Links, time.UTC, morning)
	day, ours := cards.DigestDay(slack.Message{Msg: slack.Msg{Metadata: *m.Metadata}})
	require.True(t, ours)
	require.Equal(t, "2026-11-25", day)
	_, ours = cards.DigestDay(slack.Message{})
	require.False(t, ours)
}
