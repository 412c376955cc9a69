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
	require.NoError(t, w.Photos.Say(order.ID, "Which of the two logos?"))
	maria.PressOn("the photo service has paused this order", "Ask for an Answer")
	maria.SeesModal("Message the editor")
	maria.Sees("the question shows in this window once you send")
	maria.Submit() // a question stands there already
	maria.Sees("Sent to the editor of Held up")
	maria.Sees("Which of the two logos?")
	maria.Fill("Message", "The gold one.")
	maria.Submit()
	maria.Sees("To see the answer")
	maria.CloseModal()
	require.Len(t, w.said(), 2)
	require.Contains(t, w.said()[0], "This order is paused. What do you need from us?")
	require.Equal(t, "The gold one.", w.said()[1])
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
