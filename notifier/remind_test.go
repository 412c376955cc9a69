package notifier_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
)

// wants sets what the channel wants to be told.
func (d *darkness) wants(s store.Settings) {
	d.t.Helper()
	settingstest.Save(d.t, d.Store, "T1", "C1", s)
}

// passes lets so much time pass, in which one replica polls every five minutes after the other.
func (d *darkness) passes(long time.Duration) {
	d.t.Helper()
	replicas := []*notifier.Reminders{notifier.NewReminders(d.Store, 0), notifier.NewReminders(d.Store, 0)}
	var pollers []*notifier.Poller
	for _, r := range replicas {
		pollers = append(pollers, newPoller(d.t, notifier.PollerConfig{Service: d.s, Store: d.Store, Reminders: r}))
	}
	for end, i := time.Now().Add(long), 0; time.Now().Before(end); i++ {
		after(5 * time.Minute)
		require.NoError(d.t, pollers[i%2].Tick(d.t.Context()))
	}
}

// reminders are the events of an order that time has brought, with the hours since the first of all.
func (d *darkness) reminders(id string) (said []string) {
	d.t.Helper()
	events, err := d.Events(d.t.Context(), id)
	require.NoError(d.t, err)
	for _, e := range events {
		if slices.Contains([]order.EventKind{order.EventReminder, order.EventLate}, e.Kind) {
			said = append(said, e.ID+" "+e.At.Sub(events[0].At).Round(time.Hour).String())
		}
	}
	return said
}

// Nobody is reminded of anything in a channel that set nothing.
func TestAChannelThatSetNothingIsRemindedOfNothing(t *testing.T) {
	t.Parallel()
	inTheDark(t, 2, func(d *darkness) {
		d.s.set("o0", order.StatusReviewing, 0)
		d.s.orders[1].EstimatedDelivery = time.Now().Add(time.Hour)
		d.passes(100 * time.Hour)
		require.Empty(d.t, d.reminders("o0"))
		require.Empty(d.t, d.reminders("o1"))
	})
}

// An order that waits is said to wait once a round, by whichever replica, and after a snooze again.
func TestWhoIsWaitedForIsRemindedOnceARound(t *testing.T) {
	t.Parallel()
	inTheDark(t, 2, func(d *darkness) {
		d.wants(store.Settings{RemindHours: 4})
		d.s.set("o0", order.StatusReviewing, 0)
		d.passes(48 * time.Hour)
		first := []string{"reminder:ready:r0:1 4h0m0s"}
		require.Equal(d.t, first, d.reminders("o0"))
		require.Empty(d.t, d.reminders("o1"), "the editor works on it")

		require.ErrorIs(d.t, d.Snooze(d.t.Context(), "o0", "reminder:ready:r0:2", "UBEN", time.Now()), store.ErrSettled)
		until := time.Now().Add(12 * time.Hour)
		require.NoError(d.t, d.Snooze(d.t.Context(), "o0", "reminder:ready:r0:1", "UBEN", until))
		require.NoError(d.t, d.Snooze(d.t.Context(), "o0", "reminder:ready:r0:1", "UANNA", until.Add(time.Hour)), "once")
		d.passes(11 * time.Hour)
		require.Equal(d.t, first, d.reminders("o0"))
		d.passes(48 * time.Hour)
		second := append(first, "reminder:ready:r0:2 60h0m0s")
		require.Equal(d.t, second, d.reminders("o0"))

		require.NoError(d.t, d.Snooze(d.t.Context(), "o0", "reminder:ready:r0:2", "UBEN", time.Now().Add(time.Hour)))
		d.s.set("o0", order.StatusRevising, 1)
		d.passes(48 * time.Hour)
		require.Equal(d.t, second, d.reminders("o0"), "it moved on: a snooze brings nothing back")
		require.ErrorIs(d.t, d.Snooze(d.t.Context(), "o0", "reminder:ready:r0:2", "UBEN", time.Now()), store.ErrSettled)

		d.s.set("o0", order.StatusReviewing, 1)
		d.passes(24 * time.Hour)
		require.Equal(d.t, append(second, "reminder:ready:r1:1 159h0m0s"), d.reminders("o0"))
		d.s.set("o0", order.StatusClosed, 1)
		d.passes(24 * time.Hour)
		require.Len(d.t, d.reminders("o0"), 3)
	})
}

// A pause that lasts is said once; one that is over is not, and the review before it goes on to wait since its end.
func TestAPauseThatLastsIsSaidOnce(t *testing.T) {
	t.Parallel()
	inTheDark(t, 1, func(d *darkness) {
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

// An order is late once a round, however its estimate moves.
func TestAnOrderIsSaidToBeLateOnceARound(t *testing.T) {
	t.Parallel()
	inTheDark(t, 0, func(d *darkness) {
		d.wants(store.Settings{SayLate: true})
		zero := 0
		o := order.Order{ID: "o0", Status: order.StatusEditing, Revision: &zero, OrderedAt: time.Now(), EstimatedDelivery: time.Now().Add(10 * time.Hour)}
		d.s.orders = append(d.s.orders, o)
		_, err := d.AddOrder(d.t.Context(), store.NewOrder{ID: "o0", Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "UMARIA"}, Order: o})
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

// What is due at night waits until the morning of the channel's own clock.
func TestRemindersWaitForTheEndOfQuietHours(t *testing.T) {
	t.Parallel()
	inTheDark(t, 1, func(d *darkness) { // it begins at midnight UTC, which is half past five there
		d.wants(store.Settings{RemindHours: 4, Quiet: order.QuietHours{From: "09:00", Until: "16:00"}, Zone: "Asia/Kolkata"})
		d.s.set("o0", order.StatusReviewing, 0)
		d.passes(48 * time.Hour)
		require.Equal(d.t, []string{"reminder:ready:r0:1 11h0m0s"}, d.reminders("o0"), "at 10:30 UTC")
	})
}

// A reminder that waits to be posted while its order moves on is not posted any more, and one that is out asks for nothing then.
// A reminder calls whom its review called, and offers the order when who ordered is no longer here.
func TestAReminderAsksWhomItsReviewAsks(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Decides: store.Decides{Approvers: []string{"U0OLGA"}}})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.says(t, order.EventReminder, "reminder:ready:r0:1")
	r.announce(t)
	first := r.reply(t, shoots, "reminder:ready:r0:1")
	require.Contains(t, first.Text, "<@U0OLGA>")
	require.NotContains(t, first.Text, "<@U0MARIA>")

	r.gone("maria")
	r.says(t, order.EventReminder, "reminder:ready:r0:2")
	r.announce(t)
	second := r.reply(t, shoots, "reminder:ready:r0:2")
	require.Contains(t, second.Text, "is no longer here. <@U0OLGA>")
	require.Equal(t, buttons(first)+1, buttons(second), "to take it over")
}

func TestAReminderIsNotPostedWhenItsOrderHasMovedOn(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.says(t, order.EventReminder, "reminder:ready:r0:1")
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0", "reminder:ready:r0:1"}, r.thread(t, shoots))
	require.Equal(t, 2, buttons(r.reply(t, shoots, "reminder:ready:r0:1")))
	require.Equal(t, []string{"card", "ready:r0"}, r.channelOnly(shoots), "a reminder stays in its thread")

	require.NoError(t, r.Snooze(t.Context(), orderID, "reminder:ready:r0:1", "U0BEN", time.Now().Add(time.Hour)))
	r.announce(t)
	snoozed := r.reply(t, shoots, "reminder:ready:r0:1")
	require.Zero(t, buttons(snoozed))
	require.Contains(t, snoozed.Text, "Snoozed by <@U0BEN>")
	r.says(t, order.EventReminder, "reminder:ready:r0:2")
	r.announce(t)
	require.Equal(t, 2, buttons(r.reply(t, shoots, "reminder:ready:r0:2")))

	r.says(t, order.EventReminder, "reminder:ready:r0:3")
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0", "reminder:ready:r0:1", "reminder:ready:r0:2", "approved"}, r.thread(t, shoots))
	require.Zero(t, buttons(r.reply(t, shoots, "reminder:ready:r0:2")))
}

// says records what time has brought.
func (r *rig) says(t *testing.T, kind order.EventKind, id string) {
	t.Helper()
	tracked, err := r.Order(t.Context(), orderID)
	require.NoError(t, err)
	said, err := r.Say(t.Context(), orderID, tracked.Version, kind, id)
	require.NoError(t, err)
	require.True(t, said)
	said, err = r.Say(t.Context(), orderID, tracked.Version, kind, id+"x")
	require.NoError(t, err)
	require.False(t, said, "of an order that has changed nothing is said")
	said, err = r.Say(t.Context(), orderID, tracked.Version+1, kind, id)
	require.NoError(t, err)
	require.False(t, said, "once")
}

// digestJob is a channel's digest of a day.
func digestJob(day string) *queue.Delivery {
	return delivery(store.DigestKind, store.DigestJob{Team: "T0SANDBOX", Channel: shoots, Day: day, Until: time.Now().Add(time.Hour)}, shoots)
}

// tellsDigest delivers a digest's job until it is done.
func (r *rig) tellsDigest(t *testing.T, d *queue.Delivery) {
	t.Helper()
	if r.seldom {
		r.finishesInTime(t, d)
		return
	}
	var err error
	for range 20 {
		if err = handler(notifier.NewAnnouncer(r.config), store.DigestKind)(t.Context(), d); err == nil {
			return
		}
		r.freshClient(t)
	}
	require.NoError(t, err)
}

// digests are those in the channel.
func (r *rig) digests() (texts []string) {
	for _, m := range r.w.Messages(shoots) {
		if strings.Contains(m.Text, "How the orders of this channel stand") {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// A channel reads the digest of a day once, whatever becomes of its post, and none when there is nothing to say.
func TestADigestIsPostedOnce(t *testing.T) {
	t.Parallel()
	for name, mishap := range mishaps() {
		slacks(t, name, func(t *testing.T) {
			t.Helper()
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			r.announce(t)
			settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Digest: "08:00"})
			r.tellsDigest(t, digestJob("2026-11-24"))
			require.Empty(t, r.digests(), "nothing to say")
			r.happens(t, order.StatusReviewing, 0)
			r.announce(t)
			mishap(r)
			r.tellsDigest(t, digestJob("2026-11-25"))
			require.Len(t, r.digests(), 1)
			require.Contains(t, r.digests()[0], "Waits for review")
			r.tellsDigest(t, digestJob("2026-11-25"))
			r.tellsDigest(t, digestJob("2026-11-24"))
			require.Len(t, r.digests(), 1, "a day has one, and no day comes again")
			r.tellsDigest(t, digestJob("2026-11-26"))
			require.Len(t, r.digests(), 2)
		})
	}
}

// A worker that died after it had left its mark may have posted: the channel is read before it is posted again.
func TestADigestOfAWorkerThatDiedIsLookedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Digest: "08:00"})
	died := func() *queue.Delivery {
		d := digestJob("2026-11-25")
		d.State = []byte(`{"posting":"` + time.Now().Add(-time.Minute).Format(time.RFC3339) + `"}`)
		return d
	}
	r.tellsDigest(t, died())
	require.Len(t, r.digests(), 1, "it had not posted")
	require.NoError(t, r.Delete(t.Context(), "digest:T0SANDBOX:"+shoots), "nor noted that it had")
	r.tellsDigest(t, died())
	require.Len(t, r.digests(), 1, "it had")
}

// A digest that nobody wants any more, that comes too late, or whose channel is out of reach, is left out.
func TestADigestIsLeftOut(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.tellsDigest(t, digestJob("2026-11-25"))
	require.Empty(t, r.digests(), "it was turned off")
	settingstest.Save(t, r.Store, "T0SANDBOX", shoots, store.Settings{Digest: "08:00"})
	late := delivery(store.DigestKind, store.DigestJob{Team: "T0SANDBOX", Channel: shoots, Day: "2026-11-25", Until: time.Now().Add(-time.Minute)}, shoots)
	r.tellsDigest(t, late)
	require.Empty(t, r.digests(), "it is too late")
	r.w.Misbehave("chat.postMessage", workspace.Fails("is_archived"), 1)
	r.tellsDigest(t, digestJob("2026-11-25"))
	require.Empty(t, r.digests())
}
