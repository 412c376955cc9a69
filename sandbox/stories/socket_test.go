package stories

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/workspace"
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
	approveOn(maria, "Ready for review", "Reconnected")
	require.Equal(t, 1, w.order().Approvals)
}

func TestWhatASocketLosesOnItsWayComesAgainAndCountsOnce(t *testing.T) {
	t.Parallel()
	w := open(t, func(o *sandbox.Options) { o.Delivery, o.Workspace.RefreshGrace = sandbox.OverSocket, time.Second })
	maria := w.person("maria")
	// cut submits, and cuts the connection before the acknowledgement has arrived.
	cut := func() {
		t.Helper()
		maria.DoesNotSee("One moment")
		require.Eventually(t, func() bool { return w.Workspace.Sockets() > 1 }, patience, tick, "connections to cut")
		w.Workspace.Tamper(workspace.CutSocket, 1)
		maria.Submit()
	}
	w.fillOrder(maria, "Cut off")
	cut()
	maria.SeesInThread("Cut off", "Placed")
	closeAll(maria)
	order := w.order()

	maria.PressOn("Cut off", "Message the Editor")
	maria.SeesModal("Message the editor")
	maria.Fill("Message", "Over a bad line.")
	w.Workspace.RefreshSockets() // and Slack renews its connections in the middle
	cut()
	maria.SeesInThread("Cut off", "Message sent by Maria")
	closeAll(maria)
	require.Equal(t, []string{"Over a bad line."}, w.said())

	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Request Changes")
	maria.SeesModal("Request changes")
	maria.Fill("1 · cake.jpg", "Warmer.")
	cut()
	maria.SeesInThread("Cut off", "Changes requested by Maria")
	closeAll(maria)
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 2")
	maria.PressOn("round 2", "Approve with feedback")
	maria.SeesModal("Approve order")
	cut()
	maria.SeesInThread("Cut off", "Approved by Maria")
	require.Len(t, w.order().Revisions, 1)
	require.Equal(t, 1, w.order().Approvals)
	for _, event := range []string{"Placed", "Message sent", "Changes requested", "Approved"} {
		require.Equal(t, 1, w.countInThread("Cut off", event), event)
	}
}
