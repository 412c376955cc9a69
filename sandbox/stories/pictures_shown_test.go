package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// One of two images comes back changed: what is looked at again, to decide and to ask anew, is that one.
func TestALaterRoundIsJudgedByWhatChanged(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Harbour calendar")
	w.deliver(ben, order.ID)
	ben.PressOn("Ready for review", "Request Changes")
	ben.SeesModal("Request changes")
	ben.Fill("1 · beach.jpg", "Less yellow.")
	ben.Submit()
	ben.Sees("Changes requested")
	ben.CloseModal()
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 2")
	maria.Sees("The other one is as in round 1.")

	maria.PressOn("round 2", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Sees("1 of 2 photos is new")
	maria.Sees("1 · beach.jpg, before")
	maria.Sees("Less yellow.")
	maria.SeesThumbnails(2)
	maria.SeesButton("See All 2")
	maria.Cancel()

	maria.PressOn("round 2", "Request Changes")
	maria.SeesModal("Request changes")
	maria.Sees("1 · beach.jpg, before")
	maria.Sees("@Ben asked: Less yellow.")
	maria.SeesThumbnails(3)
	maria.Cancel()

	approveOn(maria, "round 2", "Harbour calendar")
	ben.SeesInThread("Harbour calendar", "Final photos: 1 · beach.jpg")
}

// A Slack that knows neither layouts nor alerts shows the same in its own way, and nobody waits for it.
func TestASlackThatRefusesNewerBlocksShowsTheFormsAllTheSame(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Old town")
	w.deliver(ben, order.ID)
	w.Workspace.RefuseBlocks("layout", "alert", "card")
	ben.PressOn("Ready for review", "Approve with feedback")
	ben.SeesModal("Approve order")
	ben.SeesThumbnails(2)
	ben.Sees("1 · beach.jpg")

	require.NoError(t, w.Photos.Replace(order.ID))
	ben.Submit()
	ben.Sees("has other photos now than those you saw")
	ben.SeesThumbnails(4)
	ben.Cancel()

	ben.PressOn("Ready for review", "Request Changes")
	ben.SeesModal("Request changes")
	ben.SeesThumbnails(4)
	ben.Fill("3 · beach.jpg", "Less yellow.")
	ben.Submit()
	ben.Sees("Changes requested")
	require.Len(t, w.order().Revisions, 1)
}
