package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A channel that has set nothing reads one card, one reply for each thing that happens, and in the channel itself only
// what asks somebody to act. Whatever else can be set, this is all until somebody sets it.
func TestAChannelThatSetNothingReadsNothingMore(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Quiet")
	w.deliver(ben, order.ID)
	ben.PressOn("Ready for review", "Request Changes")
	ben.SeesModal("Request changes")
	ben.Fill("All other photos", "Straighten it.")
	ben.Submit()
	ben.Sees("Everybody in #shoots can see your request.")
	ben.CloseModal()
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 2")
	approveOn(maria, "round 2", "Quiet")
	ben.SeesInThread("Quiet", "Approved by Maria")
	require.Eventually(t, func() bool { return strings.Contains(w.app.metrics(), "\ndarkroom_queue_jobs 0\n") }, patience, tick,
		"nothing is on its way any more")

	require.Len(t, w.stands(), 6, "the card; placed, ready, changes requested, ready, approved")
	require.Len(t, w.Workspace.Messages("#shoots"), 3, "the card, and what asked for a review, twice")
	require.Empty(t, w.Workspace.DMs("maria"))
	require.Empty(t, w.Workspace.DMs("ben"))
}
