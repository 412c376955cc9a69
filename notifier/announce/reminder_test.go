package announce_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/settingstest"
)

// A reminder is not posted if its order has moved on, and a posted one then loses its buttons. It mentions
// the same people as its review, and offers the order if the requester was deactivated.
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
	require.Contains(t, second.Text, "has left this workspace. <@U0OLGA>")
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

	require.NoError(t, r.Reminders.Snooze(t.Context(), orderID, "reminder:ready:r0:1", "U0BEN", time.Now().Add(time.Hour)))
	r.announce(t)
	snoozed := r.reply(t, shoots, "reminder:ready:r0:1")
	require.Zero(t, buttons(snoozed))
	require.Contains(t, snoozed.Text, "Snoozed by Ben")
	r.says(t, order.EventReminder, "reminder:ready:r0:2")
	r.announce(t)
	require.Equal(t, 2, buttons(r.reply(t, shoots, "reminder:ready:r0:2")))

	r.says(t, order.EventReminder, "reminder:ready:r0:3")
	r.happens(t, order.StatusClosed, 0)
	r.announce(t)
	require.Equal(t, []string{"card", "placed", "ready:r0", "reminder:ready:r0:1", "reminder:ready:r0:2", "approved"}, r.thread(t, shoots))
	require.Zero(t, buttons(r.reply(t, shoots, "reminder:ready:r0:2")))
}

// says records a timed event.
func (r *rig) says(t *testing.T, kind order.EventKind, id string) {
	t.Helper()
	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	said, err := r.Reminders.Say(t.Context(), orderID, tracked.Version, kind, id)
	require.NoError(t, err)
	require.True(t, said)
	said, err = r.Reminders.Say(t.Context(), orderID, tracked.Version, kind, id+"x")
	require.NoError(t, err)
	require.False(t, said, "of an order that has changed nothing is said")
	said, err = r.Reminders.Say(t.Context(), orderID, tracked.Version+1, kind, id)
	require.NoError(t, err)
	require.False(t, said, "once")
}

// digestJob is a channel's digest of a day.
func digestJob(day string) *queue.Delivery {
	return delivery(store.DigestKind, store.DigestJob{Team: "T0SANDBOX", Channel: shoots, Day: day, Until: time.Now().Add(time.Hour)}, shoots)
}

// tellsDigest delivers a digest job until it is done.
func (r *rig) tellsDigest(t *testing.T, d *queue.Delivery) {
	t.Helper()
	if r.seldom {
		r.finishesInTime(t, d)
		return
	}
	var err error
	for range 20 {
		if err = handler(announce.New(r.config), store.DigestKind)(t.Context(), d); err == nil {
			return
		}
		r.freshClient(t)
	}
	require.NoError(t, err)
}

// digests returns the digests in the channel.
func (r *rig) digests() (texts []string) {
	for _, m := range r.w.Messages(shoots) {
		if strings.Contains(m.Text, "This channel's open orders") {
			texts = append(texts, m.Text)
		}
	}
	return texts
}

// A channel gets one digest a day, whatever happens to its post, and none without content.
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

// A worker that died after its mark may have posted: the channel is read before it posts again.
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
	require.NoError(t, r.Documents.Delete(t.Context(), "digest:T0SANDBOX:"+shoots), "nor noted that it had")
	r.tellsDigest(t, died())
	require.Len(t, r.digests(), 1, "it had")
}

// A digest is left out if it is unwanted or too late, or its channel is out of reach.
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
