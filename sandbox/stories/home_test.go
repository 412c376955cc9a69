package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Who comes back from a week away approves what piled up, with its pictures before them, and leaves one alone.
func TestWhatPiledUpIsApprovedInOneForm(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	called := map[string]string{} // with the reference, as the form reads
	for _, name := range []string{"Red hats", "Blue hats", "Green hats"} {
		placed := w.another(maria, name)
		called[name] = placed.Project
		w.deliver(ben, placed.ID)
		ben.SeesInThread(name, "Ready for review")
	}
	maria.OpenHome()
	maria.SeesHome("Waiting for you")
	maria.Press("Approve Several Orders")
	maria.SeesModal("Approve orders")
	maria.SeesThumbnails(3)
	maria.Submit()
	maria.SeesError(called["Green hats"], "Tick at least one order")
	maria.Check(called["Red hats"], "Approve")
	maria.Check(called["Green hats"], "Approve")
	maria.Submit()
	maria.Sees("Red hats")
	maria.Sees("is approved.")
	maria.DoesNotSee("on the way")
	maria.CloseModal()
	ben.SeesInThread("Red hats", "Approved by")
	ben.SeesInThread("Green hats", "Approved by")
	for _, o := range w.Photos.Orders() {
		require.Equal(t, map[bool]string{true: "reviewing", false: "closed"}[o.Project == called["Blue hats"]], o.Status)
	}
	maria.OpenHome()
	maria.SeesNoButton("Approve Several Orders")
	maria.SeesButton("Review")
}

func TestAPersonsHomeShowsWhatWaitsForThem(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	maria.OpenHome()
	maria.SeesHome("Credits left: 120")
	maria.SeesHome("First steps")
	maria.SeesHome(":white_check_mark: Add me to a channel")
	maria.SeesHome(":white_large_square: Place your first order")
	maria.SeesHome("Nothing waits for you")
	maria.Press("Order Photos")
	maria.SeesModal("New photo order")
	maria.Choose("Post to", "#shoots")
	maria.Fill("Photo links", w.Samples()[0])
	maria.Fill("Instructions", "Brighten the sky.")
	maria.Fill("Project name", "From home")
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	maria.SeesHome("From home") // published again after her own action
	maria.SeesHome(":white_check_mark: Place your first order")
	maria.SeesHome(":white_large_square: Decide your first review")
	maria.Press("Show Details")
	maria.SeesModal("Order details")
	maria.Press("Message the Editor") // the Home has only what the order waits for
	maria.SeesModal("Message the editor")
	maria.Fill("Message", "Hello from home.")
	maria.Submit()
	maria.Sees("Sent to the editor")
	maria.CloseModal()
	require.Equal(t, []string{"Hello from home."}, w.said())

	order := w.order()
	ben.SeesInThread("From home", "Placed")
	w.deliver(ben, order.ID)
	maria.OpenHome()
	maria.SeesHome("Waiting for you")
	maria.Press("Review")
	maria.SeesModal("Order details")
	maria.SeesThumbnails(1)
	maria.Press("Approve")
	maria.SeesModal("Approve order")
	maria.Submit()
	maria.Sees("The order is closed")
	maria.CloseModal()
	maria.SeesHome("Approved")
	maria.SeesNoButton("Review")
	require.NotContains(t, maria.Screen(), "First steps", "all are done")
	ben.OpenHome()
	ben.SeesHome("Nothing waits for you")
	ben.Choose("Which orders", "All my channels")
	ben.SeesHome("From home")
}
