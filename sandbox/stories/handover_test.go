package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// leaves switches off the account of somebody, as an admin of the workspace does when they go.
func (w *world) leaves(name string) {
	w.t.Helper()
	u := w.Workspace.User(name)
	u.Deleted = true
	w.Workspace.SetUser(u)
}

// Whose order it was is gone when it is ready: a colleague takes it over, and hears of it from then on.
func TestAnOrderWhoseRequesterIsGoneIsTakenOver(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Left behind")
	w.leaves("maria")
	w.deliver(ben, order.ID)
	ben.SeesInThread("Left behind", "Maria has left this workspace")
	ben.DoesNotSeeInThread("Left behind", "@Maria 2 images")
	ben.PressOn("Maria has left this workspace", "Take Over")
	ben.SeesInThread("Left behind", "Taken over by Ben")
	ben.SeesInThread("Left behind", "2 edited photos · @Ben")
	ben.SeesNoButton("Take Over")
	ben.Type("/order show " + order.ID)
	ben.SeesEphemeral("Taken over by @Ben")
	ben.Type("/order list mine")
	ben.SeesEphemeral("1 order")
}

// The channel is archived and its order's requester gone: who worked on it is offered the order, takes it over and moves it on.
func TestAnOrderThatNobodyHasOffersItself(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Adrift")
	ben.Type("/order message " + order.ID + " Is the sky too dark?")
	ben.SeesInThread("Adrift", "Message sent")
	w.leaves("maria")
	w.Workspace.Archive("#shoots")
	require.NoError(t, w.Photos.Deliver(order.ID))
	ben.Goto("@darkroom")
	ben.SeesDM("Maria has left this workspace")
	ben.Press("Take Over")
	ben.SeesDM("is yours now")
	ben.Press("Move This Order")
	ben.SeesModal("Move order")
	ben.Choose("Move to", "#weddings")
	ben.Submit()
	ben.Sees("Moved")
	ben.CloseModal()
	ben.Goto("#weddings")
	ben.SeesInThread("Adrift", "Ready for review")
	ben.SeesInThread("Adrift", "Taken over by Ben")
	require.Empty(t, w.Workspace.DMs("olga"), "nobody else is asked")
}

// Nobody is left who worked on it: the operations channel hears what to do, and an operator does it.
func TestAnOrderThatNobodyCanHaveIsToldToOperators(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Invite("#studio", "darkroom")
	w.Workspace.Invite("#weddings", "darkroom")
	w.Workspace.Invite("#weddings", "olga")
	w.restart("OPS_CHANNEL=" + w.Workspace.Channel("#weddings").ID)
	maria, olga := w.person("maria"), w.person("olga")
	maria.Goto("#studio")
	order := w.another(maria, "Nobody's")
	w.leaves("maria")
	w.Workspace.Archive("#studio")
	require.NoError(t, w.Photos.Deliver(order.ID))
	olga.Goto("#weddings")
	olga.Sees("Its requester has left")
	olga.DoesNotSee("Nobody's")
	olga.Type("/order move " + order.ID + " <#C0WEDDINGS|weddings>")
	olga.SeesEphemeral("Everybody in the workspace would see")
	olga.Press("Move This Order")
	olga.SeesModal("Move order")
	olga.Check("Make it public")
	olga.Submit()
	olga.Sees("Moved: Nobody's")
	olga.CloseModal()
	olga.SeesInThread("Nobody's", "has left this workspace")
	olga.PressOn("has left this workspace", "Take Over")
	olga.SeesInThread("Nobody's", "Taken over by Olga")
}
