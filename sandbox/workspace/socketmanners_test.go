package workspace_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// answered tells whether a ping is answered within a moment.
func (l *line) answered() bool {
	ctx, cancel := context.WithTimeout(l.t.Context(), 200*time.Millisecond)
	defer cancel()
	return l.conn.Ping(ctx) == nil
}

func TestASlackThatDoesNotAnswerPings(t *testing.T) {
	ws := onSockets(t, workspace.Options{})
	l := dial(t, ws, nil)
	require.True(t, l.answered())
	ws.SetSocketManners(workspace.Manners{NoPongs: true})
	require.False(t, l.answered())
	command(t, ws) // envelopes come all the same
	require.Empty(t, ws.Ephemerals("maria"))
	ws.SetSocketManners(workspace.Manners{})
	require.True(t, l.answered())
	require.Equal(t, 1, ws.SocketsMade())
}

func TestAStalledConnectionIsOpenAndCarriesNothing(t *testing.T) {
	ws := onSockets(t, workspace.Options{AckLimit: 100 * time.Millisecond})
	l := dial(t, ws, nil)
	heard := len(l.all())
	eventually(t, func() bool { return ws.Sockets() == 1 }, "it is open, which is a moment after it said hello")
	ws.StallSockets()
	require.False(t, l.answered())
	command(t, ws)
	require.Contains(t, last(ws.Ephemerals("maria")).Text, "operation_timeout")
	require.Len(t, l.all(), heard)
	require.Equal(t, 1, ws.Sockets())
}
