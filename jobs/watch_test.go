package jobs_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards/place"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// The watches of an earlier and a later attempt run side by side, each with its own times.
func TestEveryAttemptIsWatchedForAsLong(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		r.Settle(10 * time.Minute) // the next look is after a quarter of an hour
		r.Service.Set(func(f *commandstest.Service) { f.NextCreate = append(f.NextCreate, commandstest.Never) })
		r.Presses(place.ActionRetry, pressOf(r, place.ActionRetry))
		r.Settle(4 * time.Minute)
		require.Equal(r.T, store.DraftUnknown, r.Draft().State)
		require.Equal(r.T, 2, r.Draft().Attempt)

		r.Settle(55 * time.Minute)
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
		r.Settle(6 * time.Minute)
		require.Equal(r.T, store.DraftPlaced, r.Draft().State)
	})
}

// watches makes the last search of a watch that began that long ago.
func watches(r *commandstest.Rig, ago time.Duration) error {
	r.T.Helper()
	body, err := json.Marshal(jobs.WatchArgs{Draft: r.Draft().ID, Step: len(jobs.Watches) - 1, Since: time.Now().Add(-ago)})
	require.NoError(r.T, err)
	return r.Doing(jobs.WatchJob)(r.T.Context(), &queue.Delivery{Job: queue.Job{ID: "watch:x", Kind: jobs.WatchJob, Body: body}})
}

// The watch ends if the service answers, but never shows its list. Without an answer it waits.
func TestTheWatchEndsThoughTheListIsNeverShown(t *testing.T) {
	for name, story := range map[string]struct {
		says error
		ends bool
	}{
		"it is refused":      {&order.Error{Op: "list", Messages: []string{"invalid timestamp"}}, true},
		"it is too often":    {commandstest.TooMany, true},
		"it does not answer": {&order.Error{Op: "list", Outcome: order.ErrUnavailable}, false},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.GivenUp()
				r.Service.Set(func(f *commandstest.Service) {
					f.Instead = func(order.Page) (order.Page, error) { return order.Page{}, story.says }
				})
				require.Error(r.T, watches(r, 24*time.Hour+30*time.Minute), "the last look waits a while for the list")
				require.Equal(r.T, story.ends, watches(r, 25*time.Hour+time.Minute) == nil)
			})
		})
	}
}

// A watch without its draft, which was deleted with the workspace's data, ends without an error.
func TestTheWatchOfADraftThatIsNoMoreEnds(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.GivenUp()
		body, err := json.Marshal(jobs.WatchArgs{Draft: "gone", Since: time.Now()})
		require.NoError(r.T, err)
		for name, state := range map[string]string{"it looks": "", "it has seen an order": `{"id":"order002"}`} {
			d := &queue.Delivery{Job: queue.Job{ID: "watch:x", Kind: jobs.WatchJob, Body: body}, State: json.RawMessage(state)}
			require.NoError(r.T, r.Doing(jobs.WatchJob)(r.T.Context(), d), name)
		}
	})
}

func TestThePhotosOfAnOrderThatTurnsUpAreCounted(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.GivenUp()
		draft := r.Draft()
		draft.Files = []store.DraftFile{{ID: "F1", Name: "a.jpg", URL: "https://darkroom.example.com/files/a"}}
		require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), draft))
		r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + draft.Reference + "]") })
		r.Settle(20 * time.Minute)
		t, err := r.Store.Orders.Find(r.T.Context(), draft.Reference)
		require.NoError(r.T, err, id)
		require.Equal(r.T, 2, t.Images)
	})
}
