package jobs_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

// In a workspace without an account a job waits exactly if its kind declares that it needs the service. Every test of
// this package checks that kinds that write declare it: the service of [commandstest] takes no other calls.
func TestKindsThatNeedTheServiceWaitForAnAccount(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Connects(nil)
		waiting := queue.Wait(5 * time.Second)
		for _, name := range r.Jobs.Kinds().Names() {
			k, _ := r.Jobs.Kinds().Kind(name)
			err := r.Jobs.Work(r.T.Context(), &queue.Delivery{
				Job: queue.Job{ID: "1:" + name, Lane: name, Kind: name, Body: json.RawMessage(`[]`)}, Deliveries: 1, PutAt: time.Now(),
			})
			require.Equal(r.T, k.NeedsService, err != nil && err.Error() == waiting.Error(), "%s: %v", name, err)
		}
		for _, name := range []string{jobs.WatchJob, job.Decision, job.Selected, job.Batch, job.CheckBatch} { // which write nothing themselves
			k, _ := r.Jobs.Kinds().Kind(name)
			require.True(r.T, k.NeedsService, name)
		}
	})
}
