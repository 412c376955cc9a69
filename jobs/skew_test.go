package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/queue"
)

// skewed sets Redis's clock ahead of this machine's, and keeps it running.
func skewed(r *commandstest.Rig, ahead time.Duration) {
	r.T.Helper()
	r.Server.SetTime(time.Now().Add(ahead))
	go func() {
		for {
			select {
			case <-r.T.Context().Done():
				return
			case <-time.After(100 * time.Millisecond):
				r.Server.SetTime(time.Now().Add(ahead))
			}
		}
	}()
}

// A message that waits for an unrecorded card waits by Redis's clock alone.
func TestAClockThatIsAheadLosesNoWords(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		about := cardless(r)
		skewed(r, -5*time.Minute)
		r.Begins(commandstest.CardTS, "UDARKROOM", cards.About{})
		require.NoError(r.T, r.Store.Announcements.BeginPost(r.T.Context(), about.Order, 1, 0))
		r.Hears(mention(r, nil))
		r.Settle(time.Minute)
		require.Empty(r.T, r.Screen.Ephemerals)
		require.NoError(r.T, r.Store.Announcements.CardPosted(r.T.Context(), about.Order, 1, commandstest.CardTS, 1))
		r.Settle(jobs.ThreadPause)
		require.Equal(r.T, []string{"Softer"}, r.Conversation())
	})
}

// Redis was restarted after the form was opened. The order may be sent when its job dies, and when the person tries
// again at once.
func TestAfterAJobThatDiedTheOrderIsLookedForAsLongAsOneThatWasSent(t *testing.T) {
	for name, sent := range map[string]bool{"it is known when it was sent": true, "that was forgotten": false} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				skewed(r, 10*time.Minute)
				d := placingJob(r, jobs.PlaceState{})
				draft := r.Draft()
				draft.Run = "the run before"
				_, err := r.Store.Server.Run(r.T.Context())
				require.NoError(r.T, err)
				r.Settle(20 * time.Minute)
				died := time.Now().Add(10 * time.Minute) // by the clock of Redis
				if sent {
					draft.SentAt = died
				}
				require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), draft))
				require.NoError(r.T, r.Jobs.Died(r.T.Context(), queue.DeadLetter{Job: d.Job, At: died}))
				r.Settle(time.Second)
				r.Presses(place.ActionRetry, pressOf(r, place.ActionRetry))
				r.Settle(time.Minute)
				r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + draft.Reference + "]") })
				r.Settle(5 * time.Minute)
				require.Equal(r.T, store.DraftPlaced, r.Draft().State)
				require.Len(r.T, r.Service.Orders, 1)
			})
		})
	}
}
