// Package commands is what a person can ask: one file per verb with its line, its form and its submit.
//
// It decides who may, opens windows, shows, and puts jobs for what changes something; package jobs does them. A
// read-only request is answered at once by the process that received it. A write becomes a job before it is
// acknowledged, under an identity of its own: Slack's retries, replays and double clicks end as one job.
//
// Where to look: table.go is the table that routes and renders help, and tells writes from read-only requests.
// features.go gives each handler what it uses, click.go makes jobs of writes, gate.go guards workspaces without an
// account. Package answer answers requests, package resolve finds the order that a request means.
package commands

import (
	"context"
	"log/slog"

	"github.com/shopspring/decimal"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/account"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Slash is the one slash command.
const Slash = "/order"

// Config is what the commands work with; all but Files and ZIP is required.
type Config struct {
	Slack   answers.Slack
	Service Service
	Store   *store.Store
	Jobs    *jobs.Jobs
	Access  *access.Control
	Files   *files.Signer // makes Slack's photos public for the service; nil: there is no PUBLIC_URL
	ZIP     cards.ZIPs    // nil: images cannot be had as a ZIP
	Log     *slog.Logger

	Services place.Descriptions // the operator's words for the service types
	Running  *Running           // the read-only requests that run in the whole process
}

// Running counts the read-only requests that run in a process.
type Running = answer.Running

// Service is what the commands read of the order service; only jobs change anything there.
type Service interface {
	Balance(ctx context.Context) (decimal.Decimal, error)
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
}

// Commands routes what people ask to the feature that answers it.
type Commands struct {
	features *features
	jobs     *jobs.Jobs
	log      *slog.Logger
	answers  *answer.Messages
	readOnly *answer.ReadOnly
	buttons  map[string]action
}

// action is that work, and whether a request for it is a write: it changes something, or moves on what somebody
// typed. Anything else is read-only.
type action struct {
	run    answer.Handler
	writes func(r bot.Request) bool
}

// verb is one row of the table that routes and renders help.
type verb struct {
	cards.HelpRow
	action
}

// New makes the commands, and declares the kind of job that does clicks.
func New(cfg Config) (*Commands, error) {
	answers := answer.NewMessages(cfg.Slack, cfg.Jobs, cfg.Log)
	readOnly := answer.NewReadOnly(cfg.Jobs, cfg.Log, cfg.Running, answers)
	c := &Commands{features: newFeatures(cfg, answers, readOnly), jobs: cfg.Jobs, log: cfg.Log, answers: answers, readOnly: readOnly}
	c.buttons = c.features.buttons()
	if cfg.Jobs.Account.Connectable() {
		c.buttons[account.ActionConnect] = action{c.features.account.OpenConnect, shows}
		c.buttons[account.ActionDisconnect] = action{c.features.account.OpenDisconnect, shows}
	}
	return c, c.jobs.Kinds().Add(queue.Kind[bot.Request]{
		Name: clickJob, Work: c.click, Typed: answer.TypedLine,
		Asked: "opening a form or answering a command", Truth: job.Always(job.NothingSent),
	}.Declare())
}

// Verbs are the verbs that a line may begin with.
func (c *Commands) Verbs() []string {
	all := make([]string, len(c.features.help.verbs))
	for i, v := range c.features.help.verbs {
		all[i] = v.Verb
	}
	return all
}
