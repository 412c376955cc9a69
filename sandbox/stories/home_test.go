package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPersonsHomeShowsWhatWaitsForThem(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, w *world) {
		maria, ben := w.person("maria"), w.person("ben")
		maria.OpenHome()
		maria.SeesHome("Credits left: 120")
		maria.SeesHome("Nothing waits for you")
		maria.Press("New photo order")
		maria.SeesModal("New photo order")
		maria.Choose("Post to", "#shoots")
		maria.Fill("Image URLs", w.Samples()[0])
		maria.Fill("Instructions", "Brighten the sky.")
		maria.Fill("Project name", "From home")
		maria.Submit()
		maria.Sees("Order placed")
		maria.CloseModal()
		maria.SeesHome("From home") // published again after her own action
		maria.Press("Message editor")
		maria.SeesModal("Message editor")
		maria.Fill("Message", "Hello from home.")
		maria.Submit()
		maria.Sees("Sent to the editor")
		maria.CloseModal()
		require.Equal(t, []string{"Hello from home."}, w.said())

		order := w.order()
		ben.SeesInThread("From home", "Placed")
		w.deliver(ben, order.ID)
		maria.OpenHome()
		maria.SeesHome("Waiting for your review")
		maria.Press("Show")
		maria.SeesModal("Photo order")
		maria.SeesThumbnails(1)
		maria.CloseModal()
		maria.Press("Approve")
		maria.SeesModal("Approve order")
		maria.Submit()
		maria.Sees("The order is closed")
		maria.CloseModal()
		maria.SeesHome("Approved")
		maria.SeesNoButton("Approve")
		ben.OpenHome()
		ben.SeesHome("Nothing waits for you")
		ben.Choose("Which orders", "All my channels")
		ben.SeesHome("From home")
	})
}
