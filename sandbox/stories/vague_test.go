package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// The service carried it out, and answers 500 with words that sound like a refusal.
func TestAVagueErrorIsNoRefusalOfAnOrder(t *testing.T) {
	t.Parallel()
	for _, words := range photos.VagueWords()[photos.Create] {
		t.Run(words, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			w.Photos.Misbehave(photos.Create, photos.VagueAfterCommit(words), 1)
			maria := w.person("maria")
			w.place(maria, "Vaguely placed")
			require.Equal(t, 1, w.countInThread("Vaguely placed", "Placed"))
			w.order() // one, not two
		})
	}
}

func TestAVagueErrorIsNoRefusalOfAnythingElse(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Vaguely done")
	vaguely := func(op photos.Op) {
		w.Photos.Misbehave(op, photos.VagueAfterCommit(photos.VagueWords()[op]...), 1)
	}
	vaguely(photos.Message)
	maria.Type("/order message " + order.ID + " Softer shadows, please.")
	maria.SeesInThread("Vaguely done", "Message sent by Maria")
	vaguely(photos.References)
	maria.Type("/order reference " + order.ID + " " + w.addresses(1)[0])
	maria.SeesInThread("Vaguely done", "References added by Maria")

	w.deliver(maria, order.ID)
	vaguely(photos.Revise)
	maria.Type("/order revise " + order.ID + " Warmer.")
	maria.SeesModal("Request changes")
	maria.Submit()
	maria.Sees("Changes requested: Vaguely done")
	maria.CloseModal()
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 2")
	vaguely(photos.Approve)
	maria.Type("/order approve " + order.ID)
	maria.SeesModal("Approve order")
	maria.Submit()
	maria.SeesInThread("Vaguely done", "Approved by Maria")

	require.Equal(t, []string{"Softer shadows, please."}, w.said())
	require.Len(t, w.order().Revisions, 1)
	require.Equal(t, 1, w.order().Approvals)
	require.Equal(t, "closed", w.order().Status)
}

func TestAVagueErrorLosesNoOrder(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Vaguely there")
	words := photos.VagueWords()[photos.Fetch]
	w.Photos.Misbehave(photos.List, photos.Vague(words...), -1)
	w.Photos.Misbehave(photos.Fetch, photos.Vague(words...), -1)
	asked := w.asked(photos.Fetch) + w.asked(photos.List)
	w.until("several looks at the order", func() bool { return w.asked(photos.Fetch)+w.asked(photos.List) >= asked+6 })
	w.Photos.Behave()
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("Ready for review")
	require.Zero(t, w.countInThread("Vaguely there", "Gone"))
}
