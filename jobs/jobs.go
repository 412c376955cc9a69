// Package jobs is what the app does: one file for each write, with its arguments, its work, and its messages when
// it waits or becomes a dead letter. [Jobs] has one type for each feature.
//
// A job calls the service, hands the answer to the store and notifies the person who acted. A write to the service
// leaves its mark before it is sent, so that another delivery verifies before it sends again: credits are never spent
// twice and words never reach an editor twice. A job never posts to a channel: the announcer makes the channel match.
//
// Where to look: registry.go declares every kind. Package job marks a write, sends it, and follows it to its outcome.
// change.go is what approve.go, revise.go and cancel.go share, outbound.go what message.go, reference.go and relay.go
// share. place.go places an order; place_look.go and place_scan.go search for one that may be at the service. Package
// answers tells people how it ended; deadletter.go tells those whose job is dead.
package jobs

import (
	"context"
	"log/slog"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards/place"
	"darkroom/files"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/batch"
	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// Config is what the jobs work with; all but Files, Ops and what says so is required.
type Config struct {
	Slack   answers.Slack
	Service job.Service
	Store   *store.Store
	Queue   *queue.Queue
	Access  *access.Control
	Files   *files.Signer // makes Slack's photos public for the service; nil: there is no PUBLIC_URL
	// Ops says a sentence in the operations channel, and tells whether it was said; it fails
	// when saying it later makes sense. nil: there is no such channel.
	Ops func(ctx context.Context, sentence string) (said bool, err error)
	Log *slog.Logger

	// Retention is how long an order is kept after it has ended; 0: for ever.
	Retention time.Duration

	Services place.Descriptions // the operator's words for the service types
	// Connecting lets the workspace's admins connect it to the order service; nil: whoever runs the app has.
	Connecting *accounts.Connecting
	// Account is that of the configuration, where Connecting is nil.
	Account tenants.ServiceAccount
	// GivenUp hears of each order of which nobody could find out whether it was placed: its person
	// decides. nil: nobody does.
	GivenUp func()
	Waits   Waits
}

// Jobs does what people asked for: a type for each feature.
type Jobs struct {
	Place      *Place
	Drafts     *Drafts
	Presets    *Presets
	Holds      *Holds
	Decisions  *Decisions
	Watch      *Watch
	Change     *Change
	Talk       *Talk
	Albums     *Albums
	Threads    *Threads
	Edits      *Edits
	Forgotten  *Forgotten
	Finder     *Finder
	Move       *Move
	Batches    *batch.Batches
	Home       *Home
	Account    *accounts.Account
	Disconnect *accounts.Disconnect
	Credits    *accounts.Credits
	Orders     *job.Orders
	Forms      *answers.Forms
	Messages   *answers.Messages
	Operators  *answers.Operators
	Waiting    *job.Waiting
	Putter     *job.Putter
	Once       *job.Once

	kinds queue.Registry
	slack answers.Slack
	store *store.Store
	log   *slog.Logger
}

// New makes the jobs ready to be done; it fails when a kind of job lacks something.
func New(cfg Config) (*Jobs, error) {
	waits := cfg.Waits.orReal()
	j := &Jobs{
		slack: cfg.Slack, store: cfg.Store, log: cfg.Log,
	}
	j.share(cfg, waits)
	names := &accounts.Names{Account: j.Account, Operators: j.Operators, AccountNames: cfg.Store.AccountNames, Log: cfg.Log}
	j.Home = &Home{
		slack: cfg.Slack, documents: cfg.Store.Documents, storedOrders: cfg.Store.Orders, access: cfg.Access, account: j.Account, credits: j.Credits, orders: j.Orders,
		messages: j.Messages, forms: j.Forms, putter: j.Putter, log: cfg.Log,
	}
	j.Disconnect = &accounts.Disconnect{
		Connecting: cfg.Connecting, Slack: cfg.Slack, Store: cfg.Store, Queue: cfg.Queue, Access: cfg.Access,
		Putter: j.Putter, Messages: j.Messages, Forms: j.Forms, Log: cfg.Log,
		ShowHome: func(ctx context.Context, r bot.Request) error { return j.Home.Show(ctx, r, nil) },
	}
	j.Forgotten = &Forgotten{
		slack: cfg.Slack, service: cfg.Service, store: cfg.Store, access: cfg.Access, account: j.Account, names: names,
		messages: j.Messages, putter: j.Putter, once: j.Once, operators: j.Operators, keeps: cfg.Retention, log: cfg.Log,
	}
	j.Albums = &Albums{slack: cfg.Slack, documents: cfg.Store.Documents, files: cfg.Files, log: cfg.Log}
	j.Talk = &Talk{
		slack: cfg.Slack, service: cfg.Service, store: cfg.Store, access: cfg.Access, files: cfg.Files, albums: j.Albums,
		orders: j.Orders, waiting: j.Waiting, forms: j.Forms, messages: j.Messages, home: j.Home, putter: j.Putter,
		log: cfg.Log,
	}
	j.Threads = &Threads{
		slack: cfg.Slack, store: cfg.Store, queue: cfg.Queue, account: j.Account, forgotten: j.Forgotten, talk: j.Talk,
		messages: j.Messages, putter: j.Putter, log: cfg.Log,
	}
	j.Edits = &Edits{
		documents: cfg.Store.Documents, orders: cfg.Store.Orders, queue: cfg.Queue, talk: j.Talk, threads: j.Threads, messages: j.Messages, putter: j.Putter,
	}
	j.Finder = &Finder{cfg.Store.Orders, cfg.Access, j.Orders, j.Threads, cfg.Log}
	j.Move = &Move{cfg.Slack, cfg.Store.Changes, cfg.Access, j.Finder, j.Forms, j.Home, cfg.Log}
	j.Change = &Change{cfg.Service, cfg.Store, cfg.Access, j.Orders, j.Waiting, j.Forms, j.Messages, j.Home, j.Putter, waits}
	j.Presets = &Presets{cfg.Store.Orders, cfg.Store.Presets, cfg.Access, j.Credits, cfg.Log}
	j.Drafts = &Drafts{cfg.Store.Drafts, cfg.Store.Orders, cfg.Files, cfg.Services, j.Credits, j.Presets, j.Forms, j.Putter}
	j.Holds = &Holds{cfg.Store.Holds, cfg.Queue, j.Operators, j.Credits, j.Messages, j.Once, cfg.Log}
	search := &Search{cfg.Slack, cfg.Store.Orders, cfg.Service}
	j.Watch = &Watch{cfg.Store.Changes, cfg.Store.Drafts, cfg.Queue, search, j.Holds, j.Messages, cfg.GivenUp}
	j.Place = &Place{
		service: cfg.Service, store: cfg.Store, queue: cfg.Queue, access: cfg.Access, account: j.Account, credits: j.Credits,
		limits: &Limits{ledgers: cfg.Store.Ledgers, settings: cfg.Store.Settings, access: cfg.Access}, drafts: j.Drafts, forms: j.Forms, holds: j.Holds, home: j.Home, messages: j.Messages, names: names, operators: j.Operators,
		orders: j.Orders, presets: j.Presets, search: search, watch: j.Watch, waiting: j.Waiting, waits: waits, log: cfg.Log,
	}
	j.Batches = &batch.Batches{
		Slack: cfg.Slack, Store: cfg.Store, Queue: cfg.Queue, Access: cfg.Access, Place: j.Place, Holds: j.Holds,
		Credits: j.Credits, Forms: j.Forms, Messages: j.Messages, Putter: j.Putter, Outcome: waits.Outcome, Log: cfg.Log,
	}
	j.Decisions = &Decisions{cfg.Store.Drafts, cfg.Store.Holds, j.Place, j.Batches, j.Drafts, j.Holds, j.Messages, j.Putter}
	return j, j.kinds.Add(j.declared()...)
}

// share makes what the features share: marks, outcomes, answers, and the account.
func (j *Jobs) share(cfg Config, waits Waits) {
	j.Putter = &job.Putter{Queue: cfg.Queue}
	j.Once = &job.Once{Documents: cfg.Store.Documents, Log: cfg.Log}
	j.Operators = &answers.Operators{Channel: cfg.Ops, Once: j.Once, Log: cfg.Log}
	if cfg.Connecting != nil {
		j.Operators.Hosted, j.Operators.AddedAt = true, cfg.Connecting.AddedAt
	}
	j.Waiting = &job.Waiting{
		Kinds: &j.kinds, Queue: cfg.Queue, Store: cfg.Store, Service: cfg.Service, Once: j.Once, Log: cfg.Log,
	}
	j.Orders = &job.Orders{Changes: cfg.Store.Changes, Orders: cfg.Store.Orders, Service: cfg.Service, Access: cfg.Access, Log: cfg.Log}
	j.Messages = &answers.Messages{Slack: cfg.Slack, Documents: cfg.Store.Documents, Outcome: waits.Outcome, Log: cfg.Log}
	j.Forms = &answers.Forms{Slack: cfg.Slack, Documents: cfg.Store.Documents, Messages: j.Messages, Putter: j.Putter, Log: cfg.Log}
	j.Account = &accounts.Account{Connecting: cfg.Connecting, Own: cfg.Account, Connections: cfg.Store.Connection, Access: cfg.Access, Log: cfg.Log}
	j.Credits = &accounts.Credits{Access: cfg.Access, Service: cfg.Service, Log: cfg.Log}
}
