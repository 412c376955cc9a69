package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/photos"
)

// A service that cuts names, makes its own, or takes them by another parameter than ours, and loses an answer: the
// order is there, nobody can find it, and it is ordered once more only by who was told what that may cost.
func TestAServiceThatKeepsItsOwnNamesGetsNoSecondOrderUnasked(t *testing.T) {
	t.Parallel()
	for name, names := range map[string]photos.Names{
		"names are cut":        {Limit: 4},
		"names of its own":     {Own: true},
		"by another parameter": {Parameter: "name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t, func(o *sandbox.Options) { o.Photos.Names = names })
			w.Workspace.Invite("#weddings", "darkroom")
			w.shortWaits("OPS_CHANNEL=" + w.Workspace.Channel("#weddings").ID)
			maria := w.person("maria")
			w.fillOrder(maria, "First")
			maria.Submit()
			maria.Sees("Order placed")
			maria.CloseModal()
			w.ops("changes the names of orders")

			w.Photos.Misbehave(photos.Create, photos.ResetAfterCommit(), 1)
			w.fillOrder(maria, "Second")
			maria.Submit()
			maria.Sees("Nobody knows whether your order was placed")
			maria.Sees("pay twice")
			maria.SeesDM("Nobody knows whether your order was placed")
			require.Len(t, w.Photos.Orders(), 2)
			maria.Press("Try Again")
			maria.Sees("Order placed")
			closeAll(maria)
			require.Len(t, w.Photos.Orders(), 3, "as maria wanted")
			w.quiet()
			require.Len(t, w.Photos.Orders(), 3)
			w.ops("changes the names of orders") // once
		})
	}
}
