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

// In a workspace without an account a job waits exactly when its kind says that it needs the service. That a kind which
// writes to the service says so is seen in every test of this package: the service of [commandstest] hears nobody else.
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
		for _, name := range []string{jobs.WatchJob, job.Held, job.Selected, job.Batch, job.CheckBatch} { // which write nothing themselves
			k, _ := r.Jobs.Kinds().Kind(name)
			require.True(r.T, k.NeedsService, name)
		}
	})
}
