package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/photos"
)

// odd is a service that escapes what was written, shows of a conversation only what is newest, repeats
// itself, and never counts a revision.
func odd(o *sandbox.Options) {
	o.Photos.Habits = photos.Habits{Escapes: true, Latest: 4, Repeats: true, SameNumber: true}
}

func TestATalkWithAServiceThatEscapesAndRepeatsItself(t *testing.T) {
	t.Parallel()
	w := open(t, odd)
	maria := w.person("maria")
	order := w.place(maria, "Odd talk")
	maria.Type(`/order message ` + order.ID + ` Black & white, "soft" <3`)
	maria.SeesInThread("Odd talk", `Black & white, "soft" <3`)
	require.NoError(t, w.Photos.Say(order.ID, "Ready & waiting."))
	maria.Type("/order message " + order.ID + " Is it done?")
	maria.SeesInThread("Odd talk", "Ready & waiting.")
	require.NoError(t, w.Photos.Say(order.ID, "Ready & waiting."))
	maria.Type("/order message " + order.ID + " And now?")
	maria.SeesInThread("Odd talk", "And now?")

	require.Equal(t, 2, w.countInThread("Odd talk", "Editor wrote"), "the same words at another time")
	require.Equal(t, 3, w.countInThread("Odd talk", "Message sent"))
	maria.DoesNotSeeInThread("Odd talk", "&amp;")
}

func TestEveryRoundOfChangesIsToldThoughTheirNumberStays(t *testing.T) {
	t.Parallel()
	w := open(t, odd)
	maria := w.person("maria")
	order := w.place(maria, "Never counted")
	for round, words := range []string{"Warmer.", "Colder.", "As it was."} {
		require.NoError(t, w.Photos.Deliver(order.ID))
		w.until("the round is ready", func() bool { return w.countInThread("Never counted", "Ready for review") == round+1 })
		maria.Type("/order revise " + order.ID + " " + words)
		maria.SeesModal("Request changes")
		maria.Submit()
		maria.Sees("Changes requested: Never counted")
		maria.CloseModal()
		maria.SeesInThread("Never counted", words)
	}
	require.Equal(t, 3, w.countInThread("Never counted", "Changes requested by"))
	require.Equal(t, 3, w.countInThread("Never counted", "Ready for review"))
}
