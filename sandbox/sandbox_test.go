package sandbox_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
)

func TestAnAppIsGivenWhatItsDeliveryNeeds(t *testing.T) {
	tests := map[sandbox.Delivery]struct{ secret, token, sockets bool }{
		"":                 {true, false, false},
		sandbox.OverHTTP:   {true, false, false},
		sandbox.OverSocket: {false, true, true},
		sandbox.OverBoth:   {true, true, true},
	}
	for delivery, want := range tests {
		s, err := sandbox.Start(sandbox.Options{Delivery: delivery})
		require.NoError(t, err)
		env := strings.Join(s.Environ(), "\n")
		require.Equal(t, want.secret, strings.Contains(env, "SLACK_SIGNING_SECRET="), "%q", delivery)
		require.Equal(t, want.token, strings.Contains(env, "SLACK_APP_TOKEN=xapp-"), "%q", delivery)
		require.Equal(t, want.sockets, s.Workspace.SocketMode(), "%q", delivery)
		s.Close()
	}
}
