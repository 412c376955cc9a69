package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAnOrderOfAnArchivedChannelMovesOn(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Homeless")
	w.Workspace.Archive("#shoots")
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.Goto("@darkroom")
	maria.SeesDM("archived")
	maria.Press("Move This Order")
	maria.SeesModal("Move order")
	maria.Choose("Move to", "#weddings")
	maria.Submit()
	maria.Sees("#weddings")
	maria.CloseModal()
	maria.Goto("#weddings")
	maria.SeesInThread("Homeless", "Ready for review")
	maria.SeesInThread("Homeless", "Moved by Maria")
	approveOn(maria, "Ready for review", "Homeless")
	require.Len(t, w.Workspace.DMs("maria"), 1, "told once")
}

func TestAnInvitationBringsWhatCouldNotBeSaid(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Invite("#studio", "darkroom")
	maria := w.person("maria")
	maria.Goto("#studio")
	order := w.place(maria, "Shut out")
	w.Workspace.Kick("#studio", "darkroom")
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.Goto("@darkroom")
	maria.SeesDM("invite me")
	<-time.After(3 * time.Second) // the poller has been by: the next try is a minute away
	w.Workspace.Invite("#studio", "darkroom")
	maria.Goto("#studio")
	maria.SeesInThread("Shut out", "Ready for review")
}
