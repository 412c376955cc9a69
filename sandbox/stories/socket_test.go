package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
)

func TestNothingIsLostWhenSlackRefreshesOrDropsItsConnections(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Delivery = sandbox.OverSocket })
	maria := w.person("maria")
	order := w.place(maria, "Reconnected")
	w.Workspace.RefreshSockets()
	maria.Type("/order show " + order.ID)
	maria.SeesEphemeral("Reconnected")
	w.Workspace.DropSockets(10)
	require.Eventually(t, func() bool { return w.Workspace.Sockets() > 0 }, patience, tick, "the app dials again")
	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Approve")
	maria.SeesModal("Approve order")
	maria.Submit()
	maria.Sees("The order is closed")
	require.Equal(t, 1, w.order().Approvals)
}
