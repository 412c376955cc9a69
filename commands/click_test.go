package commands_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/commands"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
	"darkroom/store/queue"
)

func TestAClickOlderThanHalfAnHourIsNotDone(t *testing.T) {
	for name, test := range map[string]struct {
		age  time.Duration
		done bool
	}{
		"still in time": {29 * time.Minute, true},
		"too late":      {31 * time.Minute, false},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				r.InReview()
				body, err := json.Marshal(bot.Request{
					Kind: bot.KindCommand, ID: "old", Name: commands.Slash, Team: "T1", User: "maria", Channel: "C1",
					Verb: "message", Args: "order1 Soft shadows, please.", Text: "message order1 Soft shadows, please.",
				})
				require.NoError(r.T, err)
				d := &queue.Delivery{Job: queue.Job{ID: "click:old", Lane: "click:old", Kind: commands.ClickJob, Body: body}, PutAt: time.Now().Add(-test.age)}
				err = r.Jobs.Work(r.T.Context(), d)
				r.Settle(time.Minute)
				if test.done {
					require.NoError(r.T, err)
					require.Equal(r.T, []string{"Soft shadows, please."}, r.Conversation())
					return
				}
				require.ErrorContains(r.T, err, "older than")
				require.Empty(r.T, r.Conversation(), "nobody waits for it any more")
				require.NoError(r.T, r.Jobs.Died(r.T.Context(), queue.DeadLetter{Job: d.Job}))
				require.Contains(r.T, r.Screen.DMs[0], job.NothingSent)
				require.Contains(r.T, r.Screen.DMs[0], "/order message order1 Soft shadows, please.", "and its line is given back")
			})
		})
	}
}
