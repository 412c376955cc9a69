package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The editor hands other pictures in while Ben has the form open: he is shown them before
// anything is approved.
func TestWhatWasNotSeenIsNotApproved(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Second thoughts of the editor")
	w.deliver(ben, order.ID)
	ben.PressOn("Ready for review", "Approve with feedback")
	ben.SeesModal("Approve order")
	ben.Fill("Feedback", "Lovely light.")
	require.NoError(t, w.Photos.Replace(order.ID))
	ben.Submit()
	ben.Sees("has other photos now than those you saw")
	ben.Sees("Nothing was approved")
	require.Zero(t, w.order().Approvals)
	ben.SeesValue("Feedback", "Lovely light.")
	ben.Cancel()

	// The message still shows the old ones.
	ben.PressOn("Ready for review", "Approve with feedback")
	ben.Sees("has other photos now than those you saw")
	ben.Fill("Feedback", "These are better.")
	ben.Submit()
	ben.Sees("The order is closed")
	ben.CloseModal()
	maria.SeesInThread("Second thoughts of the editor", "Approved by Ben")
	require.Equal(t, 1, w.order().Approvals)
}
