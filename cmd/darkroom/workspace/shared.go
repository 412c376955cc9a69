// Package workspace makes what one Slack workspace has of its own: its Slack, its order service, its part of Redis, and
// the commands, the jobs and the announcer over them.
//
// [Shared] names what all workspaces of a process share. A workspace knows no other one. Package tenants opens those of
// an app for many; the composition root opens the one that the environment configures.
package workspace

import (
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/trace"

	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/failpoints"
	"darkroom/cmd/darkroom/metrics"
	"darkroom/commands"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/notifier/announce"
	"darkroom/notifier/poll"
	"darkroom/store"
)

// Shared is what the workspaces of one process share.
type Shared struct {
	Config     config.Config
	Log        *slog.Logger
	Redis      redis.UniversalClient
	Metrics    *metrics.Metrics
	Tracer     trace.Tracer       // nil: no spans are recorded
	Failpoints *failpoints.Points // nil but in the chaos suite
	Waits      Waits
	Signer     *files.Signer // nil: no PUBLIC_URL, so photos in Slack stay there
	Sheets     *files.Sheets
	Previews   *announce.PreviewLimits // of all workspaces; nil: there is one
	Looks      commands.Running        // in all workspaces, those that are kept no longer too
	Wakes      chan *store.Store       // whose polls are to be woken
	Polled     func(poll.Cost)         // hears of each poll
}

// Waits override how long the packages wait. A zero value is what the package documents: only the stories' binary,
// built with the tag shortwaits, overrides any.
type Waits struct {
	Jobs     jobs.Waits
	Service  time.Duration // upstream.Config.Timeout
	Lease    time.Duration // queue.Options.Lease
	Outcome  time.Duration // announce.Config.OutcomeAfter
	Grave    time.Duration // client.Config.OutageGrave
	Reminder time.Duration // poll.NewReminders
	Retire   time.Duration // retireFirst
	Verdicts time.Duration // store.Store.ShowVerdictsEvery
	Pace     float64       // client.Config.Pace
	Drain    time.Duration // how long requests under way may take when the app stops
}
