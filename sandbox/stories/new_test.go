package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnOrderFromElsewhereAsksWhereToPost(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Goto("@darkroom")
	maria.Shortcut("New photo order")
	maria.SeesModal("New photo order")
	maria.Choose("Post to", "#weddings")
	maria.Fill("Photo links", w.Samples()[0])
	maria.Fill("Instructions", "Warm it up.")
	maria.Fill("Project name", "Wedding")
	maria.Submit()
	maria.Sees("Order placed") // the app has joined the public channel
	maria.CloseModal()
	maria.Goto("#weddings")
	maria.SeesInThread("Wedding", "Placed")
}

func TestNoCreditIsSpentOnAnOrderNobodyWouldSee(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Goto("#studio") // private, and the app was not invited
	maria.Type("/order " + w.Samples()[0])
	maria.SeesModal("New photo order")
	maria.Fill("Instructions", "Warm it up.")
	maria.Submit()
	maria.Sees("invite")
	require.Empty(t, w.Photos.Orders())
	w.Workspace.Invite("#studio", "darkroom")
	maria.Submit()
	maria.Sees("Order placed")
}
