package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/queue"
)

// skewed sets the clock of Redis that far ahead of this machine's, and keeps it going.
func (r *rig) skewed(ahead time.Duration) {
	r.t.Helper()
	r.server.SetTime(time.Now().Add(ahead))
	go func() {
		for {
			select {
			case <-r.t.Context().Done():
				return
			case <-time.After(100 * time.Millisecond):
				r.server.SetTime(time.Now().Add(ahead))
			}
		}
	}()
}

// What is said while a card is in doubt waits as long whatever this machine's clock says.
func TestAClockThatIsAheadLosesNoWords(t *testing.T) {
	bubble(t, func(r *rig) {
		about := r.cardless()
		r.skewed(-5 * time.Minute)
		r.begins(card, "UDARKROOM", cards.About{})
		require.NoError(r.t, r.store.BeginPost(r.t.Context(), about.Order, 1, 0))
		r.hears(r.mention(nil))
		r.settle(time.Minute)
		require.Empty(r.t, r.screen.told)
		require.NoError(r.t, r.store.CardPosted(r.t.Context(), about.Order, 1, card, 1))
		r.settle(jobs.ThreadPause)
		require.Equal(r.t, []string{"Softer"}, r.conversation())
	})
}

// An order of a form from before Redis was started again may be on its way when its job dies,
// and when the person tries again at once.
func TestAfterAJobThatDiedTheOrderIsLookedForAsLongAsOneThatWasSent(t *testing.T) {
	for name, sent := range map[string]bool{"it is known when it was sent": true, "that was forgotten": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.skewed(10 * time.Minute)
				d := r.placingJob(r.t, jobs.PlaceState{})
				draft := r.draft()
				draft.Run = "the run before"
				_, err := r.store.Run(r.t.Context())
				require.NoError(r.t, err)
				r.settle(20 * time.Minute)
				died := time.Now().Add(10 * time.Minute) // by the clock of Redis
				if sent {
					draft.SentAt = died
				}
				require.NoError(r.t, r.store.SaveDraft(r.t.Context(), draft))
				r.jobs.Died(r.t.Context(), queue.DeadLetter{Job: d.Job, At: died})
				r.settle(time.Second)
				r.presses(cards.ActionRetry, r.pressOf(cards.ActionRetry))
				r.settle(time.Minute)
				r.service.set(func(f *forgetful) { f.add("Smith wedding [" + draft.Reference + "]") })
				r.settle(5 * time.Minute)
				require.Equal(r.t, store.DraftPlaced, r.draft().State)
				require.Len(r.t, r.service.orders, 1)
			})
		})
	}
}
