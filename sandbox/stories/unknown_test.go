package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// polled waits until the service was asked for an order by its id so many times more.
func (w *world) polled(id string, times int) {
	w.t.Helper()
	count := func() (n int) {
		for _, r := range w.Photos.Requests() {
			if r.Op == photos.Fetch && strings.HasSuffix(r.Path, "/"+id) {
				n++
			}
		}
		return n
	}
	before := count()
	require.Eventually(w.t, func() bool { return count() >= before+times }, patience, tick, "asked for %s", id)
}

// The key is changed for another account's by mistake, and then back.
func TestOrdersThatTheServiceDoesNotKnowForAWhileAreNotGivenUp(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Invite("#weddings", "darkroom")
	w.restart("OPS_CHANNEL=" + w.Workspace.Channel("#weddings").ID)
	maria := w.person("maria")
	harbor := w.place(maria, "Harbor")
	w.fillOrder(maria, "Terrace")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesInThread("Terrace", "Placed")
	terrace := w.Photos.Orders()[1]
	w.Photos.Forget()
	w.polled(harbor.ID, 2)
	w.polled(terrace.ID, 2)
	w.ops("no longer knows our orders. Is the key right?")
	maria.Type("/order message " + terrace.ID + " Is anybody there?")
	maria.SeesDM("invalid order id")
	maria.SeesDM("Is anybody there?")
	w.restart("OPS_CHANNEL=" + w.Workspace.Channel("#weddings").ID)
	w.polled(harbor.ID, 2)
	w.Photos.Remember()
	w.ops("knows our orders again")
	w.ops("no longer knows our orders")
	require.NoError(t, w.Photos.Deliver(harbor.ID))
	maria.SeesInThread("Harbor", "Ready for review")
	approveOn(maria, "Harbor", "Harbor")
	maria.DoesNotSee("Gone at the photo service")
}
