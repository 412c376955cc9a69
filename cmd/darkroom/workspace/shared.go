// Package workspace makes the app of one Slack workspace: its clients of Slack and of the order service, its part of
// Redis, and the commands, the jobs and the announcer over them.
//
// [Shared] has the parts that all workspaces of a process share. A workspace knows no other workspace. Package tenants
// makes the workspaces of an app for many; the composition root makes the environment's workspace.
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
	"darkroom/files/inspect"
	"darkroom/jobs"
	"darkroom/notifier/announce"
	"darkroom/notifier/poll"
	"darkroom/store"
)

// Shared has the parts that the workspaces of one process share.
type Shared struct {
	Config     config.Config
	Log        *slog.Logger
	Redis      redis.UniversalClient
	Metrics    *metrics.Metrics
	Tracer     trace.Tracer       // nil: no spans are recorded
	Failpoints *failpoints.Points // nil except in the chaos suite
	Waits      Waits
	Signer     *files.Signer // nil: no PUBLIC_URL, so photos in Slack cannot be ordered
	Sheets     *files.Sheets
	Inspector  *inspect.Inspector
	Previews   *announce.PreviewLimits // of all workspaces; nil: an app for one workspace
	Looks      commands.Running        // read-only requests under way, also of workspaces that are no longer cached
	Wakes      chan *store.Store       // stores whose polls are to be woken
	Polled     func(poll.Cost)         // observes each poll
}

// Waits override how long the packages wait; zero: the package's default. Only the stories' binary, built with the tag
// shortwaits, overrides them.
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
	Drain    time.Duration // for requests under way when the app stops
}
