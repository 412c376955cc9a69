package job_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// Operators see how long the outcome of an order has been unknown, and how many orders were left to their person.
func TestAnOrderWhoseOutcomeIsUnknownIsSeenUntilItIsSettled(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		open := func() (kinds []string, age time.Duration) {
			b, err := r.Queue.Inspector().Backlog(r.T.Context(), job.Writes()...)
			require.NoError(r.T, err)
			for _, kept := range b.Kept {
				if since, is := job.Unsettled(kept); is {
					kinds, age = append(kinds, kept.Kind), b.Now.Sub(since)
				}
			}
			return kinds, age
		}
		kinds, _ := open()
		require.Empty(r.T, kinds)
		r.Service.NextCreate = append(r.Service.NextCreate, commandstest.Never)
		r.Types("new")
		r.Submits()
		r.Settle(90 * time.Second)
		kinds, age := open()
		require.Equal(r.T, []string{job.Place}, kinds)
		require.InDelta(r.T, 90, age.Seconds(), 5)
		require.Zero(r.T, r.Abandoned.Load())
		r.Settle(4 * time.Minute)
		kinds, _ = open()
		require.Empty(r.T, kinds, "its person decides")
		require.EqualValues(r.T, 1, r.Abandoned.Load())
	})
}

func TestOnlyWhatMayBeOutIsUnsettled(t *testing.T) {
	for state, is := range map[string]bool{
		`{"phase":"sending","sent_at":"2026-01-02T03:04:05Z"}`: true, `{"waits":2}`: false, `{"phase":"answered"}`: false, `{"phase":"arrived"}`: false, `[`: false,
	} {
		_, unsettled := job.Unsettled(queue.Kept{Kind: job.Approve, State: []byte(state)})
		require.Equal(t, is, unsettled, state)
	}
}
