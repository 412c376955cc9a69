// Package commands handles requests from people: one file per verb, with its line, its form and its submission.
//
// It authorizes people, opens windows, shows orders and puts jobs for writes; package jobs runs the jobs. A
// read-only request is answered at once by the process that received it. A write becomes a job before it is
// acknowledged, under a stable id: Slack's retries, replays and double clicks end as one job.
//
// Where to look: table.go is the table that routes and renders help, and tells writes from read-only requests.
// features.go wires the handlers, click.go turns writes into jobs, gate.go handles workspaces without an
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

// Slash is the app's slash command.
const Slash = "/order"

// Config has the dependencies of the commands. All but Files and ZIP are required.
type Config struct {
	Slack   answers.Slack
	Service Service
	Store   *store.Store
	Jobs    *jobs.Jobs
	Access  *access.Control
	Files   *files.Signer  // signs public URLs for Slack's photos; nil without PUBLIC_URL
	ZIP     cards.RoundURL // nil: no ZIP downloads
	Log     *slog.Logger

	Services place.Descriptions // the operator's descriptions of the service types
	Running  *Running           // counts the read-only requests of the whole process
}

// Running counts the read-only requests that run in a process.
type Running = answer.Running

// Service is the part of the order service that commands read. Only jobs write to it.
type Service interface {
	Balance(ctx context.Context) (decimal.Decimal, error)
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
}

// Commands routes requests to the handlers of the features.
type Commands struct {
	features *features
	jobs     *jobs.Jobs
	answers  *answer.Messages
	readOnly *answer.ReadOnly
	buttons  map[string]action
}

// action is a handler with its kind: writes reports whether a request changes something or sends text. Other requests
// are read-only.
type action struct {
	run    answer.Handler
	writes func(r bot.Request) bool
}

// verb is one row of the table that routes requests and renders help.
type verb struct {
	cards.HelpRow
	action
}

// New returns the commands and registers the kind of job that runs writes.
func New(cfg Config) (*Commands, error) {
	answers := answer.NewMessages(cfg.Slack, cfg.Jobs, cfg.Log)
	readOnly := answer.NewReadOnly(cfg.Jobs, cfg.Log, cfg.Running, answers)
	c := &Commands{features: newFeatures(cfg, answers, readOnly), jobs: cfg.Jobs, answers: answers, readOnly: readOnly}
	c.buttons = c.features.buttons()
	if cfg.Jobs.Account.Connectable() {
		c.buttons[account.ActionConnect] = action{c.features.account.OpenConnect, reads}
		c.buttons[account.ActionDisconnect] = action{c.features.account.OpenDisconnect, reads}
	}
	return c, c.jobs.Kinds().Add(queue.Kind[bot.Request]{
		Name: clickJob, Work: c.click, Typed: answer.TypedLine,
		Asked: "opening a form or answering a command", Truth: job.Always(job.NothingSent),
	}.Declare())
}

// Verbs returns the verbs of the slash command, in the order of help.
func (c *Commands) Verbs() []string {
	all := make([]string, len(c.features.help.verbs))
	for i, v := range c.features.help.verbs {
		all[i] = v.Verb
	}
	return all
}
