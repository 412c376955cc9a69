package main

import (
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An admin connects a workspace anew after it was polled for a while: its polls go on, and so does the app. The metrics
// count on from what they had.
func TestAWorkspaceThatIsConnectedAnewIsPolledOn(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"studio"}, nil)
	w.open()
	maria := w.in("studio", "maria")
	w.place(maria, "Spring shoes")
	w.eventuallyPolled(5, "it is polled for a while")
	before := w.polled()
	w.connect("studio", "olga")
	require.NoError(t, w.Photos("studio").Deliver(w.Photos("studio").Orders()[0].ID))
	maria.SeesBroadcast("Ready for review")
	w.eventuallyPolled(before+1, "what is polled is counted on")
}

// eventuallyPolled waits until polls asked a service so often. It looks seldom: the metrics are counted in each shard.
func (w *manyTown) eventuallyPolled(times int, why string) {
	w.t.Helper()
	require.Eventually(w.t, func() bool { return w.polled() >= times }, time.Minute, 250*time.Millisecond, why)
}

// pollRequests is the line of the metrics with how often polls asked a service.
var pollRequests = regexp.MustCompile(`(?m)^darkroom_poll_requests_total (\d+)$`)

// polled is how often polls asked a service.
func (w *manyTown) polled() int {
	w.t.Helper()
	found := pollRequests.FindStringSubmatch(w.metrics())
	require.NotNil(w.t, found)
	n, err := strconv.Atoi(found[1])
	require.NoError(w.t, err)
	return n
}
