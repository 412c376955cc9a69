package chaos

import (
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

var (
	workspaces = flag.Int("workspaces", 40, "of the run with many")
	keep       = flag.Bool("keep", false, "keep the logs of the run with many")
)

// TestManyWorkspacesThroughFaults is the run with many workspaces, in a minute. With -workspaces=1000 it is `make chaos-many`,
// from which docs/many-workspaces.md has its figures. It is alone with the machine: beside other chaos a call may take longer
// than a token of this test lasts once it is to be renewed.
func TestManyWorkspacesThroughFaults(t *testing.T) {
	needsRedis(t)
	o := ManyOptions{
		Workspaces: *workspaces, Orders: 10, Replicas: 3, Changes: 20, People: 6, Deciders: 2, Kills: 3, Failovers: 1, Restarts: 3,
		Reconnects: 150 * time.Millisecond, Aimed: true, Between: 1200 * time.Millisecond, Poll: time.Second, TokenLife: 40 * time.Second, Patience: time.Minute,
	}
	if *workspaces >= 1000 {
		o.Changes, o.People, o.Deciders, o.Kills, o.Failovers, o.Restarts = 25, 9, 6, 8, 4, 4
		o.Between, o.Poll, o.TokenLife, o.Patience = 15*time.Second, 5*time.Second, 3*time.Minute, 5*time.Minute
		o.Aimed, o.Looks = false, true
	}
	if *workspaces >= 10_000 { // at the schedule that is the default
		o.Kills, o.Failovers, o.Restarts = 2, 1, 3
		o.Between, o.Poll, o.TokenLife, o.Patience = 40*time.Second, 30*time.Second, 10*time.Minute, 8*time.Minute
	}
	o.Keep = *keep
	o.Binary, o.Seed, o.Server, o.Log = binary, *seed, storetest.Program(), t.Logf
	r, err := Many(t.Context(), o)
	t.Log("\n" + r.Text)
	require.NoError(t, err)
	require.True(t, r.Clean, r.Wrong)
}
