package jobs_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/queue"
)

// formerJob is a placing job that the release before left behind, with a draft as it kept
// them: neither knew in which run of Redis the form was opened, nor when it was sent.
func formerJob(r *commandstest.Rig, state string) *queue.Delivery {
	r.T.Helper()
	d := placingJob(r, jobs.PlaceState{})
	draft := r.Draft()
	draft.Run = ""
	require.NoError(r.T, r.Store.Drafts.SaveDraft(r.T.Context(), draft))
	body, err := json.Marshal(map[string]any{"draft": draft.ID, "attempt": 1, "view": "none", "look": true, "at": time.Now(), "user": "maria"})
	require.NoError(r.T, err)
	d.Body, d.State = body, json.RawMessage(state)
	return d
}

func TestAJobOfTheReleaseBeforeEndsWell(t *testing.T) {
	sending := `{"phase":"sending","sent_at":"2000-01-01T00:00:00Z","looks":5,"misses":1,"total":7}`
	for name, was := range map[string]struct {
		state  string
		there  bool
		ends   store.DraftState
		orders int
	}{
		"it was sent, and arrived":         {sending, true, store.DraftPlaced, 1},
		"it was sent, and never arrived":   {sending, false, store.DraftUnknown, 0},
		"it was sent, and nobody noted it": {`{}`, true, store.DraftPlaced, 1},
		"it was not sent":                  {`{}`, false, store.DraftPlaced, 1},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				d := formerJob(r, was.state)
				if was.there {
					go func() {
						<-time.After(time.Minute) // its request is under way
						r.Service.Set(func(f *commandstest.Service) { f.Add("Smith wedding [" + r.Draft().Reference + "]") })
					}()
				}
				until(r, d)
				require.Equal(r.T, was.ends, r.Draft().State)
				require.Len(r.T, r.Service.Orders, was.orders, "never two")
			})
		})
	}
}
