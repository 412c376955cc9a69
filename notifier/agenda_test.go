package notifier

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// However many replicas there are, they have few calls waiting at an account together.
func TestReplicasShareThePlacesOfThoseThatWaitForTurns(t *testing.T) {
	t.Parallel()
	a := newAgenda(timetable{period: time.Minute}, 128)
	for of, want := range map[int]int{1: 16, 2: 8, 3: 5, 16: 4} {
		a.amongReplicas(of)
		require.Equal(t, want, a.free[queued], "%d replicas", of)
	}
	a.amongReplicas(1)
	a.free[queued] = 0 // all are used
	a.amongReplicas(2)
	require.Equal(t, -8, a.free[queued])
	for range 8 {
		a.leave(queued)
	}
	require.Zero(t, a.free[queued], "eight of sixteen still run")
}
