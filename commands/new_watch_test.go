package commands

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// The watch of an earlier attempt goes on beside that of a later one, and takes no look of
// it away: the one after an hour comes an hour after the later attempt was given up.
func TestEveryAttemptIsWatchedForAsLong(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.settle(10 * time.Minute) // the next look is after a quarter of an hour
		r.service.set(func(f *forgetful) { f.nextCreate = append(f.nextCreate, never) })
		r.presses(cards.ActionRetry, r.pressOf(cards.ActionRetry))
		r.settle(4 * time.Minute)
		require.Equal(r.t, store.DraftUnknown, r.draft().State)
		require.Equal(r.t, 2, r.draft().Attempt)

		r.settle(55 * time.Minute)
		r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
		r.settle(6 * time.Minute)
		require.Equal(r.t, store.DraftPlaced, r.draft().State)
	})
}

// watches is the last look of a watch that began that long ago.
func (r *rig) watches(ago time.Duration) error {
	r.t.Helper()
	body, err := json.Marshal(jobs.WatchArgs{Draft: r.draft().ID, Step: len(jobs.Watches) - 1, Since: time.Now().Add(-ago)})
	require.NoError(r.t, err)
	return r.doing(jobs.WatchJob)(r.t.Context(), &queue.Delivery{Job: queue.Job{ID: "watch:x", Kind: jobs.WatchJob, Body: body}})
}

// A service that answers, but never shows its list, is not asked for ever; one that does not
// answer at all is waited for.
func TestTheWatchEndsThoughTheListIsNeverShown(t *testing.T) {
	for name, story := range map[string]struct {
		says error
		ends bool
	}{
		"it is refused":      {&order.Error{Op: "list", Messages: []string{"invalid timestamp"}}, true},
		"it is too often":    {tooMany, true},
		"it does not answer": {&order.Error{Op: "list", Outcome: order.ErrUnavailable}, false},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(r *rig) {
				r.givenUp()
				r.service.set(func(f *forgetful) {
					f.instead = func(order.Page) (order.Page, error) { return order.Page{}, story.says }
				})
				require.Error(r.t, r.watches(24*time.Hour+30*time.Minute), "the last look waits a while for the list")
				require.Equal(r.t, story.ends, r.watches(25*time.Hour+time.Minute) == nil)
			})
		})
	}
}
