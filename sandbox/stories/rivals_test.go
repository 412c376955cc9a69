package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// Two people decide at once, each through another replica: one decision counts, and both hear whose it was.
func TestTwoPeopleWhoDecideAtOnceHearWhoWasFirst(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Two deciders")
	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Approve with feedback")
	ben.PressOn("Ready for review", "Request Changes")
	maria.SeesModal("Approve order")
	ben.SeesModal("Request changes")
	ben.Fill("1 · beach.jpg", "Less yellow.")

	w.Photos.Misbehave(photos.Approve, photos.Slow(time.Second), 1)
	other := w.launch()
	maria.Submit()
	w.Workspace.SetAppURL(other.url)
	ben.Submit()
	maria.Sees("The order is closed")
	ben.Sees("@Maria approved it a moment ago")
	ben.Sees("Less yellow.")
	require.Empty(t, w.order().Revisions)
	require.Equal(t, 1, w.order().Approvals)

	maria.CloseModal()
	maria.Type("/order approve " + order.ID)
	maria.Sees("You approved it a moment ago")
}
