package bot

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// A connection with a hello counts as open until its successor is there, in whichever order the frames
// arrive.
func TestAConnectionThatIsToBeReplacedAtOnceWasGreeted(t *testing.T) {
	s := NewSocket(SocketConfig{Router: NewRouter(nil)})
	for range 100 {
		c := newSocketConn(s)
		c.hello(t.Context(), frame{})
		c.disconnect("refresh_requested")
		require.NoError(t, c.greeted(t.Context()))
	}
}

func TestAConnectionThatIsLostOrNeverGreetedIsNone(t *testing.T) {
	s := NewSocket(SocketConfig{Router: NewRouter(nil)})
	lost := newSocketConn(s)
	lost.disconnect("link_disabled")
	require.ErrorIs(t, lost.greeted(t.Context()), errSwitchedOff)
	over, end := context.WithCancel(t.Context())
	end()
	require.ErrorContains(t, newSocketConn(s).greeted(over), "no hello")
}
