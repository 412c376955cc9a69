package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
)

// names chooses people in a setting of the channel.
func names(who *person.T, setting string, people ...string) {
	who.Goto("#shoots")
	opensSettings(who, "Approval and limits")
	who.Choose(setting, people...)
	savesSettings(who, "approve")
}

// A channel names who approves: they are called when images are ready, and nobody else approves, however they
// try, with a form that was open before either.
func TestOnlyWhoIsNamedApproves(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits()
	maria, ben, olga := w.person("maria"), w.person("ben"), w.person("olga")
	first := w.place(maria, "Red hats")
	w.deliver(maria, first.ID)
	second := w.another(maria, "Blue hats")
	require.NoError(t, w.Photos.Deliver(second.ID))
	maria.SeesInThread("Blue hats", "Ready for review")
	ben.PressOn("Ready for review: Red hats", "Approve with feedback")
	ben.SeesModal("Approve order") // before anybody is named
	maria.OpenHome()
	maria.Press("Approve Several Orders")
	maria.SeesModal("Approve orders")
	maria.Check(first.Project, "Approve")
	maria.Check(second.Project, "Approve")
	names(olga, "Who approves", "@Olga")

	ben.Submit()
	ben.Sees("only @Olga approves")
	ben.Sees("Nothing was approved")
	ben.CloseModal()
	maria.Submit()
	maria.Sees("only @Olga approves")
	maria.DoesNotSee("on the way")
	maria.DoesNotSee("is approved")
	maria.CloseModal()
	ben.Type("/order approve " + first.ID + " Lovely")
	ben.SeesModal("Approve order")
	ben.Sees("only @Olga approves")
	ben.CloseModal()
	ben.PressOn("Ready for review: Blue hats", "Approve with feedback")
	ben.SeesModal("Approve order")
	ben.Sees("only @Olga approves")
	ben.CloseModal()
	maria.OpenHome()
	maria.Press("Approve Several Orders")
	maria.SeesModal("Approve orders")
	maria.Sees("No order waits for your review")
	maria.CloseModal()
	maria.Goto("#shoots")
	ben.Type("/order settings")
	ben.SeesModal("Channel settings")
	ben.Sees("Only @Olga and operators change this.")
	ben.SeesNoButtonOn("Only @Olga approves.", "Change")
	ben.CloseModal()
	for _, o := range w.Photos.Orders() {
		require.Equal(t, 0, o.Approvals)
	}

	third := w.another(ben, "Green hats")
	require.NoError(t, w.Photos.Deliver(third.ID))
	ben.SeesInThread("Green hats", "1 edited photo · @Olga (for Ben)")
	w.approve(olga, "Green hats")
	w.approve(olga, "Red hats")
	names(olga, "Who approves")
	fourth := w.another(maria, "Grey hats")
	require.NoError(t, w.Photos.Deliver(fourth.ID))
	maria.SeesInThread("Grey hats", "1 edited photo · @Maria")
	w.approve(ben, "Grey hats")
}
