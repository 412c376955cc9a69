package commands

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/queue"
)

// formerJob is a placing job that the release before left behind, with a draft as it kept
// them: neither knew in which run of Redis the form was opened, nor when it was sent.
func (r *rig) formerJob(state string) *queue.Delivery {
	r.t.Helper()
	d := r.placingJob(r.t, jobs.PlaceState{})
	draft := r.draft()
	draft.Run = ""
	require.NoError(r.t, r.store.SaveDraft(r.t.Context(), draft))
	body, err := json.Marshal(map[string]any{"draft": draft.ID, "attempt": 1, "view": "none", "look": true, "at": time.Now(), "user": "maria"})
	require.NoError(r.t, err)
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
			bubble(t, func(r *rig) {
				d := r.formerJob(was.state)
				if was.there {
					go func() {
						<-time.After(time.Minute) // its request is under way
						r.service.set(func(f *forgetful) { f.add("Smith wedding [" + r.draft().Reference + "]") })
					}()
				}
				r.until(d)
				require.Equal(r.t, was.ends, r.draft().State)
				require.Len(r.t, r.service.orders, was.orders, "never two")
			})
		})
	}
}
