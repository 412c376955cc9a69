package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
)

// A zero wait stands for its constant.
func TestWaitsOfZeroAreTheRealOnes(t *testing.T) {
	t.Parallel()
	documented := jobs.Waits{
		Settle: 2 * time.Minute, Late: 15 * time.Second, Scan: 5 * time.Second, Outcome: 15 * time.Second,
		Searches: []time.Duration{0, 5 * time.Second, 15 * time.Second, time.Minute, 2 * time.Minute},
	}
	require.Equal(t, documented, jobs.Waits{}.OrReal())
	short := jobs.Waits{Settle: 1, Late: 2, Scan: 3, Outcome: 4, Searches: []time.Duration{5}}
	require.Equal(t, short, short.OrReal())
}

// A request that may take 30 seconds may be carried out for two minutes more. Until then the person is told no outcome.
func TestAnOrderIsNotGivenUpWhileTheServiceMayBeWorkingOnIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Types("new")
		r.Submits()
		r.Settle(145 * time.Second)
		require.Zero(r.T, r.Abandoned.Load())
		r.Settle(25 * time.Second)
		require.EqualValues(r.T, 1, r.Abandoned.Load())
	})
}

// A change may arrive 15 seconds after the deadline of its request: until then it is not sent again.
func TestAChangeIsNotSentAgainWhileItMayArrive(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.Delivers(1)
		r.Service.NextRevise = []commandstest.ServiceAnswer{commandstest.Never}
		window := r.Opens("maria", cards.ActionRevise, cards.Value(id, 0))
		r.Sends("maria", window, map[string]string{"1 · 1.jpg": "Brighter"})
		r.Settle(41 * time.Second) // the window took two
		require.Equal(r.T, 1, r.Service.Called("revise"))
		r.Settle(4 * time.Second)
		require.Equal(r.T, 2, r.Service.Called("revise"))
	})
}
