package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A pause asks the person whose order it is, and its end is told too; the time by which the order is
// expected is the same after it.
func TestWorkGoesOnAfterAPause(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Held up")
	maria.SeesInThread("Held up", "Estimated delivery")
	require.NoError(t, w.Photos.Pause(order.ID))
	maria.SeesBroadcast("Paused by the photo service: Held up")
	maria.SeesBroadcast("@Maria the photo service has paused this order.")
	maria.PressOn("the photo service has paused this order", "Message the Editor")
	maria.SeesModal("Message the editor")
	maria.Fill("Message", "What is the matter?")
	maria.Submit()
	maria.Sees("Sent to the editor of Held up")
	maria.CloseModal()
	require.NoError(t, w.Photos.Resume(order.ID))
	maria.SeesInThread("Held up", "Work goes on: Held up")
	maria.SeesInThread("Held up", "The pause is over.")
	maria.DoesNotSee("the photo service has paused this order")
	maria.Sees("Being edited · expected")

	require.NoError(t, w.Photos.Pause(order.ID))
	maria.SeesBroadcast("the photo service has paused this order")
	require.NoError(t, w.Photos.Resume(order.ID))
	maria.DoesNotSee("the photo service has paused this order")
	w.deliver(maria, order.ID)
	maria.SeesBroadcast("Ready for review: Held up")
}
