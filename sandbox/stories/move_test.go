package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPrivateOrderBecomesPublicOnlyWhenSomebodySaysSo(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Invite("#studio", "darkroom")
	maria := w.person("maria")
	maria.Goto("#studio")
	order := w.another(maria, "Secret studio")
	maria.OpenThread("Secret studio")
	maria.Type("@darkroom keep it among us")
	maria.SeesReaction("keep it among us", "white_check_mark")
	maria.CloseThread()

	maria.Type("/order move " + order.ID + " <#C0WEDDINGS|weddings>")
	maria.SeesEphemeral("Everybody in the workspace would see")
	maria.Press("Move This Order")
	maria.SeesModal("Move order")
	maria.Submit() // nobody has said yes
	maria.SeesError("Make it public", "required")
	maria.CloseModal()
	maria.Type("/order move " + order.ID)
	maria.SeesModal("Move order")
	maria.Choose("Move to", "#weddings")
	maria.Submit()
	maria.Sees("Everybody in the workspace will see")
	maria.Check("Make it public")
	maria.Submit()
	maria.Sees("Moved: Secret studio")
	maria.CloseModal()
	maria.Goto("#weddings")
	maria.SeesInThread("Secret studio", "Moved by Maria")
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("Ready for review")
	ben := w.person("ben") // who was in the private channel too
	w.Workspace.Invite("#studio", "ben")
	ben.Goto("#studio")
	ben.Sees("This channel no longer tracks the order")
	ben.DoesNotSee("#weddings")
}
