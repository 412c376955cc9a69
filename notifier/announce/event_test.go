package announce_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/announce"
	"darkroom/order"
	"darkroom/sandbox/workspace"
)

// An observer gets each event once, when its message is posted, with the delay.
func TestWhoeverWatchesHearsOfEachMessageThatIsOut(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	var told []order.EventKind
	r.config.Observe = func(a announce.Announced) {
		require.True(t, a.Dated)
		require.Less(t, a.Delay, time.Minute)
		require.GreaterOrEqual(t, a.Delay, time.Duration(0))
		told = append(told, a.Event)
	}
	r.place(t, shoots)
	require.Empty(t, told)
	r.announce(t)
	r.happens(t, order.StatusReviewing, 0)
	r.announce(t)
	r.announce(t)
	require.Equal(t, []order.EventKind{order.EventPlaced, order.EventReady}, told)
}
