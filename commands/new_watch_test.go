package commands

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/store"
)

// The watch of an earlier attempt goes on beside that of a later one, and takes no look of
// it away: the one after an hour comes an hour after the later attempt was given up.
func TestEveryAttemptIsWatchedForAsLong(t *testing.T) {
	bubble(t, func(r *rig) {
		r.givenUp()
		r.settle(10 * time.Minute) // the next look is after a quarter of an hour
		r.service.set(func(f *forgetful) { f.create = append(f.create, never) })
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
