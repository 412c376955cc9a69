package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
)

// names chooses people in a setting of the channel.
func names(who *person.T, setting string, people ...string) {
	who.Goto("#shoots")
	who.Type("/order settings")
	who.SeesModal("Channel settings")
	who.Choose(setting, people...)
	who.Submit()
	who.Sees("Saved")
	who.CloseModal()
}

// A channel names who approves: they are called when images are ready, and nobody else approves, however they
// try, with a form that was open before either.
func TestOnlyWhoIsNamedApproves(t *testing.T) {
	t.Parallel()
	bothWays(t, func(t *testing.T, w *world) {
		maria, ben, olga := w.person("maria"), w.person("ben"), w.person("olga")
		first := w.place(maria, "Red hats")
		w.deliver(maria, first.ID)
		ben.PressOn("Ready for review", "Approve")
		ben.SeesModal("Approve order") // before anybody is named
		names(maria, "Who approves", "@Olga")

		ben.Submit()
		ben.Sees("only @Olga approves")
		ben.Sees("Nothing was approved")
		ben.CloseModal()
		ben.Type("/order approve " + first.ID + " Lovely")
		ben.SeesModal("Approve order")
		ben.Sees("only @Olga approves")
		ben.CloseModal()
		ben.PressOn("Ready for review", "Approve")
		ben.SeesModal("Approve order")
		ben.Sees("only @Olga approves")
		ben.CloseModal()
		maria.OpenHome()
		maria.Press("Approve several")
		maria.SeesModal("Approve orders")
		maria.DoesNotSee("Red hats")
		maria.CloseModal()
		ben.Type("/order settings")
		ben.SeesModal("Channel settings")
		ben.Choose("Who approves", "@Ben")
		ben.Submit()
		ben.SeesError("Who approves", "set by those named")
		ben.CloseModal()
		require.Equal(t, 0, w.order().Approvals)

		second := w.another(maria, "Blue hats")
		require.NoError(t, w.Photos.Deliver(second.ID))
		ben.SeesInThread("Blue hats", "@Olga 1 image is ready")
		olga.OpenHome()
		olga.Press("Everything")
		olga.Goto("#shoots")
		w.approve(olga, "Blue hats")
		w.approve(olga, "Red hats")
		names(olga, "Who approves")
		third := w.another(maria, "Green hats")
		require.NoError(t, w.Photos.Deliver(third.ID))
		maria.SeesInThread("Green hats", "@Maria 1 image is ready")
		w.approve(ben, "Green hats")
	})
}
