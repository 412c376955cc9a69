package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// While an approval waits for the service the channel says so, and offers nothing that would only wait
// behind it; a message that waits keeps nobody from anything.
func TestTheCardSaysWhatWaitsForTheService(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "On its way")
	w.deliver(maria, order.ID)
	ben.SeesButton("Approve")
	w.Photos.Down()
	maria.PressOn("Ready for review", "Approve")
	maria.Press("Approve")
	ben.Sees("Approval by Maria is on the way")
	maria.SeesDM("Nothing was sent yet")
	ben.Sees("Approval by Maria is waiting for the photo service")
	ben.SeesNoButton("Approve")
	ben.SeesNoButton("Request Changes")

	w.restart()
	require.NoError(t, w.Photos.Up())
	ben.SeesInThread("On its way", "Approved by Maria")
	ben.DoesNotSee("waiting for the photo service")
	require.Equal(t, "closed", w.order().Status)
}

// What waited in vain is no longer said to wait, and the review asks again.
func TestAReviewAsksAgainWhenWhatWaitedWasRefused(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Too late")
	w.deliver(maria, order.ID)
	w.Photos.Down()
	maria.Type("/order cancel")
	maria.SeesModal("Cancel order")
	maria.Submit()
	maria.Sees("Nothing was sent yet")
	maria.CloseModal()
	maria.Sees("Cancellation by Maria is waiting for the photo service")
	maria.SeesNoButton("Approve")
	require.NoError(t, w.Photos.Up())
	maria.DoesNotSee("waiting for the photo service")
	maria.SeesButtonOn("Ready for review", "Approve")
	maria.SeesButton("Review")
}
