package jobs_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/queue"
)

// FuzzJob feeds jobs of any kind with any body and any state, as a broken disk may leave them. The worst result is an
// error.
func FuzzJob(f *testing.F) {
	done, err := jobs.New(jobs.Config{Store: &store.Store{}})
	require.NoError(f, err)
	_, err = commands.New(commands.Config{Jobs: done, Store: &store.Store{}})
	require.NoError(f, err)
	kinds := done.Kinds().Names()
	for i := range kinds {
		f.Add(uint8(i), `{"order":"order1","user":"maria","team":"T1","draft":"d","view":"w","text":"x","urls":["u"],"ts":"1.1","raw":"x","to":"C2"}`, `{"phase":"sending","sends":1}`)
		f.Add(uint8(i), `{"order":"order1","user":"maria","view":{},"event":7}`, `{"phase":"answered","end":"kept","order":{"order_id":7}}`)
		f.Add(uint8(i), `null`, `[]`)
	}
	f.Fuzz(func(t *testing.T, kind uint8, body, state string) {
		if !json.Valid([]byte(body)) || !json.Valid([]byte(state)) {
			t.Skip("the queue keeps JSON")
		}
		commandstest.Bubble(t, func(r *commandstest.Rig) {
			r.InReview()
			d := &queue.Delivery{
				Job:   queue.Job{ID: "fuzz", Lane: "order:order1", Kind: kinds[int(kind)%len(kinds)], Body: json.RawMessage(body)},
				State: json.RawMessage(state), PutAt: time.Now(),
			}
			_ = r.Jobs.Work(r.T.Context(), d)
			require.NoError(r.T, r.Jobs.Died(r.T.Context(), queue.DeadLetter{Job: d.Job, State: d.State}))
			_ = r.Jobs.NotifyBlocked(r.T.Context(), d.Job)
			_, err := r.Service.Fetch(r.T.Context(), "order1")
			require.NoError(r.T, err)
		})
	})
}
