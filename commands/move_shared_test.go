package commands

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Two channels that are shared may be shared with different people.
func TestFromOneSharedChannelToAnotherIsAskedToo(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		for _, id := range []string{"C1", "CPUBLIC"} {
			shared := r.screen.rooms[id]
			shared.shared = true
			r.screen.rooms[id] = shared
		}
		r.owns("order001", "C1", "maria", nil)
		asked := r.says("maria", "C1", "move order001 <#CPUBLIC|public>")
		require.Contains(r.t, asked, "shared with other organisations")
		require.Equal(r.t, "C1", r.stored("order001").Owner.Channel)
	})
}
