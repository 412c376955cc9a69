package poll_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// wants sets the channel's reminders.
func (d *lossyService) wants(s store.Settings) {
	d.t.Helper()
	settingstest.Save(d.t, d.Store, "T1", "C1", s)
}

// passes lets time pass while replicas poll in turn every five minutes.
func (d *lossyService) passes(long time.Duration) {
	d.t.Helper()
	replicas := []*poll.Reminders{poll.NewReminders(d.Settings, d.Orders, d.Reminders, 0), poll.NewReminders(d.Settings, d.Orders, d.Reminders, 0)}
	var pollers []*poll.Poller
	for _, r := range replicas {
		pollers = append(pollers, newPoller(d.t, poll.Config{Service: d.s, Store: poll.StoreOf(d.Store), Reminders: r}))
	}
	for end, i := time.Now().Add(long), 0; time.Now().Before(end); i++ {
		after(5 * time.Minute)
		require.NoError(d.t, pollers[i%2].Poll(d.t.Context()))
	}
}

// reminders returns an order's timed events, with the hours since the first event.
func (d *lossyService) reminders(id string) (said []string) {
	d.t.Helper()
	events, err := d.Orders.Events(d.t.Context(), id)
	require.NoError(d.t, err)
	for _, e := range events {
		if slices.Contains([]order.EventKind{order.EventReminder, order.EventLate}, e.Kind) {
			said = append(said, e.ID+" "+e.At.Sub(events[0].At).Round(time.Hour).String())
		}
	}
	return said
}

// A channel without settings gets no reminders.
func TestAChannelThatSetNothingIsRemindedOfNothing(t *testing.T) {
	t.Parallel()
	withLossyService(t, 2, func(d *lossyService) {
		d.s.set("o0", order.StatusReviewing, 0)
		d.s.orders[1].EstimatedDelivery = time.Now().Add(time.Hour)
		d.passes(100 * time.Hour)
		require.Empty(d.t, d.reminders("o0"))
		require.Empty(d.t, d.reminders("o1"))
	})
}

// An order that waits gets one reminder each round, from any replica, and another after a snooze.
func TestWhoIsWaitedForIsRemindedOnceARound(t *testing.T) {
	t.Parallel()
	withLossyService(t, 2, func(d *lossyService) {
		d.wants(store.Settings{RemindHours: 4})
		d.s.set("o0", order.StatusReviewing, 0)
		d.passes(48 * time.Hour)
		first := []string{"reminder:ready:r0:1 4h0m0s"}
		require.Equal(d.t, first, d.reminders("o0"))
		require.Empty(d.t, d.reminders("o1"), "the editor works on it")

		require.ErrorIs(d.t, d.Reminders.Snooze(d.t.Context(), "o0", "reminder:ready:r0:2", "UBEN", time.Now()), store.ErrSettled)
		until := time.Now().Add(12 * time.Hour)
		require.NoError(d.t, d.Reminders.Snooze(d.t.Context(), "o0", "reminder:ready:r0:1", "UBEN", until))
		require.NoError(d.t, d.Reminders.Snooze(d.t.Context(), "o0", "reminder:ready:r0:1", "UANNA", until.Add(time.Hour)), "once")
		d.passes(11 * time.Hour)
		require.Equal(d.t, first, d.reminders("o0"))
		d.passes(48 * time.Hour)
		second := append(first, "reminder:ready:r0:2 60h0m0s")
		require.Equal(d.t, second, d.reminders("o0"))

		require.NoError(d.t, d.Reminders.Snooze(d.t.Context(), "o0", "reminder:ready:r0:2", "UBEN", time.Now().Add(time.Hour)))
		d.s.set("o0", order.StatusRevising, 1)
		d.passes(48 * time.Hour)
		require.Equal(d.t, second, d.reminders("o0"), "it moved on: a snooze brings nothing back")
		require.ErrorIs(d.t, d.Reminders.Snooze(d.t.Context(), "o0", "reminder:ready:r0:2", "UBEN", time.Now()), store.ErrSettled)

		d.s.set("o0", order.StatusReviewing, 1)
		d.passes(24 * time.Hour)
		require.Equal(d.t, append(second, "reminder:ready:r1:1 159h0m0s"), d.reminders("o0"))
		d.s.set("o0", order.StatusClosed, 1)
		d.passes(24 * time.Hour)
		require.Len(d.t, d.reminders("o0"), 3)
	})
}

// A lasting pause gets one reminder. After a pause, the review before it waits anew from the end of the
// pause.
func TestAPauseThatLastsIsSaidOnce(t *testing.T) {
	t.Parallel()
	withLossyService(t, 1, func(d *lossyService) {
		d.wants(store.Settings{RemindHours: 4})
		d.s.set("o0", order.StatusPaused, 0)
		d.passes(3 * time.Hour)
		d.s.set("o0", order.StatusEditing, 0)
		d.passes(24 * time.Hour)
		require.Empty(d.t, d.reminders("o0"))
		d.s.set("o0", order.StatusPaused, 0)
		d.passes(48 * time.Hour)
		require.Equal(d.t, []string{"reminder:paused:2:1 31h0m0s"}, d.reminders("o0"))
	})
}

// An order is reported late once a round, even if its estimate moves.
func TestAnOrderIsSaidToBeLateOnceARound(t *testing.T) {
	t.Parallel()
	withLossyService(t, 0, func(d *lossyService) {
		d.wants(store.Settings{SayLate: true})
		zero := 0
		o := order.Order{ID: "o0", Status: order.StatusEditing, Revision: &zero, OrderedAt: time.Now(), EstimatedDelivery: time.Now().Add(10 * time.Hour)}
		d.s.orders = append(d.s.orders, o)
		_, err := d.Changes.AddOrder(d.t.Context(), store.NewOrder{ID: "o0", Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "UMARIA"}, Order: o})
		require.NoError(d.t, err)
		d.passes(9 * time.Hour)
		require.Empty(d.t, d.reminders("o0"))
		d.passes(48 * time.Hour)
		require.Equal(d.t, []string{"late:r0 10h0m0s"}, d.reminders("o0"))
		d.s.set("o0", order.StatusReviewing, 0)
		d.passes(48 * time.Hour)
		d.s.set("o0", order.StatusRevising, 1)
		d.s.orders[0].EstimatedDelivery = time.Now().Add(5 * time.Hour)
		d.passes(48 * time.Hour)
		require.Equal(d.t, []string{"late:r0 10h0m0s", "late:r1 110h0m0s"}, d.reminders("o0"))
	})
}

// A reminder that is due at night waits for the morning in the channel's time zone.
func TestRemindersWaitForTheEndOfQuietHours(t *testing.T) {
	t.Parallel()
	withLossyService(t, 1, func(d *lossyService) { // it begins at midnight UTC, which is half past five there
		d.wants(store.Settings{RemindHours: 4, Quiet: order.QuietHours{From: "09:00", Until: "16:00"}, Zone: "Asia/Kolkata"})
		d.s.set("o0", order.StatusReviewing, 0)
		d.passes(48 * time.Hour)
		require.Equal(d.t, []string{"reminder:ready:r0:1 11h0m0s"}, d.reminders("o0"), "at 10:30 UTC")
	})
}

// counted counts checks for reminders.
type counted struct {
	looks int
}

// Reminding returns no channels.
func (c *counted) Reminding(context.Context) (map[store.Place]store.Settings, error) {
	c.looks++
	return nil, nil
}

func TestRemindersAreLookedAfterThreeTimesAMinute(t *testing.T) {
	t.Parallel()
	for every, looks := range map[time.Duration]int{0: 3, time.Second: 60} {
		synctest.Test(t, func(t *testing.T) {
			c := &counted{}
			p := newPoller(t, poll.Config{Service: serviceOf(0), Store: (&memoryStore{}).parts(), Reminders: poll.NewReminders(c, nil, nil, every)})
			for range 60 {
				require.NoError(t, p.Poll(t.Context()))
				after(time.Second)
			}
			require.Equal(t, looks, c.looks)
		})
	}
}
