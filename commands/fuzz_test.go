package commands

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/jobs"
	"darkroom/store/queue"
)

// FuzzLine types rubbish behind /order, of which Slack passes on everything: it is always
// answered, no job dies of it, and nobody is called by a name that was not theirs to call.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		"", "new", "https://e.com/a.jpg", "approve order1", "approve order1 <!channel>", "message order1 <@U1> &amp; <!here>", "message `REF`",
		"reference order1 <https://e.com/a.jpg|x> ftp://", "move order1 <#C1|shoots>", "move order1 #", "list all mine 9999999999999999999", "list account page -1",
		"track ../../account/balance", "show order1?x=1", "cancel order1 " + strings.Repeat("&", 3000), "settings x", "help help", "aprove \x00\u202e",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		payload, err := json.Marshal(map[string]string{
			"command": Slash, "text": strings.ToValidUTF8(text, "?"), "user_id": "maria", "team_id": "T1", "channel_id": "C1", "trigger_id": "fuzz",
		})
		require.NoError(t, err)
		bubble(t, func(r *rig) {
			r.inReview()
			q, err := bot.DecodeCommand(payload, time.Now())
			require.NoError(r.t, err)
			before := r.seen()
			_, err = r.handle(r.t.Context(), q)
			require.NoError(r.t, err)
			r.settle(5 * time.Second)
			says := r.since(before)
			require.NotEmpty(r.t, says, "unanswered")
			require.NotContains(r.t, says, "stopped trying")
			require.Zero(r.t, r.stats().Dead)
		})
	})
}

// FuzzJob finds rubbish in Redis, as another release or a broken disk may leave it: a job
// of any kind with any body and any state ends in an error at the worst.
func FuzzJob(f *testing.F) {
	done, err := jobs.New(jobs.Config{})
	require.NoError(f, err)
	_, err = New(Config{Jobs: done})
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
		bubble(t, func(r *rig) {
			r.inReview()
			d := &queue.Delivery{
				Job:   queue.Job{ID: "fuzz", Lane: "order:order1", Kind: kinds[int(kind)%len(kinds)], Body: json.RawMessage(body)},
				State: json.RawMessage(state), PutAt: time.Now(),
			}
			_ = r.jobs.Work(r.t.Context(), d)
			r.jobs.Died(r.t.Context(), queue.DeadLetter{Job: d.Job, State: d.State})
			_ = r.jobs.TellBlocked(r.t.Context(), d.Job)
			_, err := r.service.Fetch(r.t.Context(), "order1")
			require.NoError(r.t, err)
		})
	})
}
