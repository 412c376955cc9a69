package announce_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
)

// works lets the announcer do all jobs of the queue.
func (r *rig) works(t *testing.T) {
	t.Helper()
	a := announce.New(r.config)
	r.drain(t, map[string]queue.Handler{
		store.AnnounceKind: handler(a, store.AnnounceKind), store.LeaveKind: handler(a, store.LeaveKind), store.MarkKind: handler(a, store.MarkKind), announce.DedupeKind: handler(a, announce.DedupeKind),
	})
}

func TestAMovedOrderLeavesItsOldPlaceTidy(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.ordered = time.Now()
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, order.EditedImage{ID: "i1", Name: "beach.jpg"})
	r.announce(t)
	old, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)

	_, err = r.Changes.Move(t.Context(), orderID, weddings, "U0BEN")
	require.NoError(t, err)
	r.works(t)
	require.Equal(t, []string{"card", "moved:g2"}, r.thread(t, weddings), "the new place begins with a card")
	require.Equal(t, 2, buttons(r.reply(t, weddings, "card")), "those of the review, which is not out there")
	for _, m := range r.w.Thread(shoots, old.CardTS) {
		require.Zero(t, buttons(m), "nothing to press at the old place")
		raw, err := json.Marshal(m)
		require.NoError(t, err)
		require.NotContains(t, string(raw), weddings, "the old place does not name the new one")
	}
	require.Contains(t, shown(t, r.w.Thread(shoots, old.CardTS)[0]), "no longer tracks")

	_, err = r.Orders.ByThread(t.Context(), "T0SANDBOX", shoots, old.CardTS)
	require.ErrorIs(t, err, store.ErrNotTracked)
}

// A review's temporary text would stay forever in a channel that gets no more updates.
func TestAReviewThatTheOrderLeftDoesNotSayWhatWaits(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	waits := []store.Wait{{Verb: order.VerbApprove, Actor: "U0MARIA"}}
	require.NoError(t, r.Changes.NoteWaits(t.Context(), orderID, waits, time.Now().Add(time.Minute)))
	r.works(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r0")), "waiting for the photo service")
	old, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	_, err = r.Changes.Move(t.Context(), orderID, weddings, "U0BEN")
	require.NoError(t, err)
	r.works(t)
	review := r.w.Thread(shoots, old.CardTS)[2]
	require.Contains(t, shown(t, review), "no longer tracks")
	require.NotContains(t, shown(t, review), "waiting for")
}

// A pause is shown as over only if it is.
func TestAPauseIsNotSaidToBeOverWhereTheOrderLeft(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		leaves func(r *rig) error
		says   string // "": nothing of it
	}{
		"moved": {func(r *rig) error {
			_, err := r.Changes.Move(t.Context(), orderID, weddings, "U0BEN")
			return err
		}, "no longer tracks"},
		"moved, and then it goes on": {func(r *rig) error {
			_, err := r.Changes.Move(t.Context(), orderID, weddings, "U0BEN")
			r.happens(t, order.StatusEditing, 0)
			return err
		}, "no longer tracks"},
		"untracked": {func(r *rig) error {
			_, err := r.Changes.Untrack(t.Context(), orderID, "U0BEN")
			return err
		}, "no longer tracks"},
		"untracked, and seen going on": {func(r *rig) error {
			_, err := r.Changes.Untrack(t.Context(), orderID, "U0BEN")
			r.becomes(t, order.StatusEditing, 0)
			return err
		}, "no longer tracks"},
		"untracked, and tracked here again": {func(r *rig) error {
			_, err := r.Changes.Untrack(t.Context(), orderID, "U0BEN")
			if err != nil {
				return err
			}
			tracked, err := r.Orders.Order(t.Context(), orderID)
			if err != nil {
				return err
			}
			_, err = r.Changes.AddOrder(t.Context(), store.NewOrder{ID: orderID, Adopted: true, Order: tracked.Order, Owner: tracked.Owner})
			return err
		}, ""},
		"over before": {func(r *rig) error {
			r.happens(t, order.StatusEditing, 0)
			_, err := r.Changes.Move(t.Context(), orderID, weddings, "U0BEN")
			return err
		}, "The pause is over."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			r.happens(t, order.StatusPaused, 0)
			r.announce(t)
			old, err := r.Orders.Order(t.Context(), orderID)
			require.NoError(t, err)
			require.NoError(t, tt.leaves(r))
			r.works(t)
			said := shown(t, r.w.Thread(shoots, old.CardTS)[2])
			require.Contains(t, said, "Paused by the photo service: Smith wedding")
			require.NotContains(t, said, "the photo service has paused this order")
			require.Contains(t, said, tt.says)
			if tt.says != "The pause is over." {
				require.NotContains(t, said, "The pause is over.")
			}
		})
	}
}

// A pause continues while the service does not know the order, and its buttons come back with the order.
func TestAPauseOutlastsTheServiceForgettingTheOrder(t *testing.T) {
	t.Parallel()
	for name, then := range map[string]struct {
		status order.Status
		says   string
	}{
		"still paused": {order.StatusPaused, "the photo service has paused this order"},
		"goes on":      {order.StatusEditing, "The pause is over."},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			r.happens(t, order.StatusPaused, 0)
			r.announce(t)
			missed, err := r.Changes.Missed(t.Context(), orderID, time.Now())
			require.NoError(t, err)
			require.NoError(t, r.Changes.MarkGone(t.Context(), orderID, missed.Since))
			r.announce(t)
			pause := r.reply(t, shoots, "paused")
			require.Contains(t, shown(t, pause), "The photo service no longer knows this order.")
			require.NotContains(t, shown(t, pause), "The pause is over.")
			require.Zero(t, buttons(pause))
			r.happens(t, then.status, 0)
			r.announce(t)
			pause = r.reply(t, shoots, "paused")
			require.Contains(t, shown(t, pause), then.says)
			require.NotContains(t, shown(t, pause), "no longer knows")
			require.Equal(t, then.status == order.StatusPaused, buttons(pause) > 0)
		})
	}
}

// The same holds for a reply whose text is unknown because its answer was lost.
func TestAPauseThatWasAdoptedIsAskedAboutAgainToo(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.happens(t, order.StatusPaused, 0)
	missed, err := r.Changes.Missed(t.Context(), orderID, time.Now())
	require.NoError(t, err)
	require.NoError(t, r.Changes.MarkGone(t.Context(), orderID, missed.Since))
	r.w.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
	r.announce(t)
	require.Zero(t, buttons(r.reply(t, shoots, "paused")))
	r.happens(t, order.StatusPaused, 0)
	r.announce(t)
	require.Equal(t, 1, buttons(r.reply(t, shoots, "paused")))
}

func TestNewsThatTheOldPlaceNeverHeardGoesToTheNewOne(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.announce(t)
	r.w.Archive("shoots")
	r.happens(t, order.StatusReviewing, 0)
	r.unreachable(t, 1)
	_, err := r.Changes.Move(t.Context(), orderID, weddings, "U0MARIA")
	require.NoError(t, err)
	r.works(t)
	require.Equal(t, []string{"card", "ready:r0", "moved:g2"}, r.thread(t, weddings))
}

func TestAnUntrackedOrderSaysSoAndThenNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	old, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	_, err = r.Changes.Untrack(t.Context(), orderID, "U0BEN")
	require.NoError(t, err)
	r.works(t)
	require.Equal(t, []string{"card", "placed", "ready:r0", "untracked:g1"}, r.thread(t, shoots))
	for _, m := range r.w.Thread(shoots, old.CardTS) {
		require.Zero(t, buttons(m))
	}
}

func TestTheCancelButtonGoesWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.ordered = time.Now()
	r.place(t, shoots)
	r.announce(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "card")), "order:cancel-now")
	require.Len(t, r.put.jobs, 1)
	require.True(t, strings.Contains(r.put.jobs[0].ID, ":cancel-over:"))
	require.InDelta(t, order.CancelWindow, r.put.delays[0], float64(5*time.Second))

	tracked, err := r.Orders.Order(t.Context(), orderID)
	require.NoError(t, err)
	_, _, err = r.Changes.Record(t.Context(), orderID, tracked.Version, order.Order{OrderedAt: time.Now().Add(-order.CancelWindow)})
	require.NoError(t, err)
	r.announce(t)
	require.NotContains(t, shown(t, r.reply(t, shoots, "card")), "order:cancel-now", "what is left is in its menu")
	before := len(r.w.Requests())
	r.job.Job = r.put.jobs[0]
	r.announce(t)
	require.Len(t, r.w.Requests(), before+1, "the job that was put edits the card once, though it is current")
}

// mover is a Slack in which the order moves while a message is posted.
type mover struct {
	whole
	posts int
	at    int // before which post, from 1
	move  func()
}

func (m *mover) Post(ctx context.Context, p client.Post) (string, error) {
	if m.posts++; m.posts == m.at {
		m.move()
	}
	return m.whole.Post(ctx, p)
}

func TestAnOrderThatMovesWhileItIsAnnouncedIsToldWholeAtItsNewPlace(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		at    int
		there []string
	}{
		"with the card":        {1, []string{"card", "placed", "ready:r0", "moved:g2"}},
		"with the first reply": {2, []string{"card", "placed", "ready:r0", "moved:g2"}},
		"with the last reply":  {3, []string{"card", "ready:r0", "moved:g2"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			r.place(t, shoots)
			r.happens(t, order.StatusReviewing, 0)
			r.config.Slack = &mover{whole: r.slack, at: tt.at, move: func() {
				_, err := r.Changes.Move(t.Context(), orderID, weddings, "U0MARIA")
				require.NoError(t, err)
			}}
			require.NoError(t, r.try(t), "the new place has a job of its own")
			r.config.Slack = r.slack
			r.works(t)
			require.Equal(t, tt.there, r.thread(t, weddings))
			for _, root := range r.w.Messages(shoots) {
				for _, m := range r.w.Thread(shoots, root.TS) {
					require.Zero(t, buttons(m), "nothing to press at the old place")
				}
			}
			require.Empty(t, r.w.Violations())
		})
	}
}
