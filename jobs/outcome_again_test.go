package jobs_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/commands/commandstest"
	"darkroom/jobs/job"
)

// Redis may have carried out a command that it did not confirm in time. The person reads that submitting again is safe.
// It is, wherever the connection broke: a form keeps its identity, a line and a mention get new ones.
func TestSubmittingAgainIsSafe(t *testing.T) {
	t.Parallel()
	for _, v := range verbsOfDoubt {
		for _, after := range []bool{false, true} {
			for n := int64(1); n < 30; n++ {
				broke := false
				t.Run(fmt.Sprintf("%s/%v/%d", v.job, after, n), func(t *testing.T) {
					commandstest.Bubble(t, func(r *commandstest.Rig) {
						request := againOf[v.job](r)
						r.Flaky.After = after
						r.Flaky.Left.Store(n)
						_, err := r.Handle(context.WithValue(r.T.Context(), commandstest.AtWork{}, true), request)
						broke = r.Flaky.Left.Load() <= 0
						r.Flaky.Left.Store(0)
						if err != nil || !broke { // they read that it could not be confirmed, or nothing broke
							if request.Kind == bot.KindCommand {
								request.ID = "T1.2"
							}
							_, err = r.Handle(r.T.Context(), request)
							require.NoError(r.T, err)
						}
						r.Settle(time.Minute)
						require.Equal(r.T, 1, v.had(r), "times that the service has it")
						require.Len(r.T, r.Events(v.event), 1)
						require.Zero(r.T, r.Stats().Dead)
					})
				})
				if !broke {
					break
				}
			}
		}
	}
}

// againOf maps a kind of job to a request that leads to it.
var againOf = map[string]func(r *commandstest.Rig) bot.Request{
	job.Place: func(r *commandstest.Rig) bot.Request {
		r.Types("new")
		return r.SubmissionOfNew(r.Screen.Last())
	},
	job.Approve: func(r *commandstest.Rig) bot.Request {
		return r.Submission("approve "+r.Delivers(1), nil)
	},
	job.Revise: func(r *commandstest.Rig) bot.Request {
		return r.Submission("revise "+r.Delivers(1), map[string]string{"1 · 1.jpg": "Brighter"})
	},
	job.Cancel: func(r *commandstest.Rig) bot.Request {
		return r.Submission("cancel "+r.Placed(), nil)
	},
	job.Message: func(r *commandstest.Rig) bot.Request {
		return r.TypedAs("message", r.InReview()+" Softer")
	},
	job.Relay: func(r *commandstest.Rig) bot.Request {
		r.InThread()
		return r.Event("app_mention", map[string]any{"text": "<@UDARKROOM> Softer"})
	},
	job.Reference: func(r *commandstest.Rig) bot.Request {
		return r.Submission("reference "+r.InReview(), map[string]string{"Photo links": "https://e.com/a.jpg"})
	},
}
