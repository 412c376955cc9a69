package jobs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
)

// Two channels that are shared may be shared with different people.
func TestFromOneSharedChannelToAnotherIsAskedToo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		for _, id := range []string{"C1", "CPUBLIC"} {
			shared := r.Screen.Channels[id]
			shared.Shared = true
			r.Screen.Channels[id] = shared
		}
		r.Owns("order001", "C1", "maria", nil)
		asked := r.Says("maria", "C1", "move order001 <#CPUBLIC|public>")
		require.Contains(r.T, asked, "shared with other organizations")
		require.Equal(r.T, "C1", r.Stored("order001").Owner.Channel)
	})
}
