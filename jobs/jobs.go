// Package jobs does what the app does. Each write has a file with its arguments, its work, and its messages when it
// waits or becomes a dead letter. [Jobs] has one type for each feature.
//
// A job calls the service, hands the answer to the store and notifies the person who acted. It marks a write before
// sending it, so that another delivery verifies before it sends again. Credits are never spent twice, and text never
// reaches an editor twice. A job never posts to a channel: the announcer makes the channel match.
//
// registry.go declares every kind. Package job marks a write, sends it, and follows it to its outcome. approve.go,
// revise.go and cancel.go share change.go; message.go, reference.go and relay.go share outbound.go. place.go places an
// order; place_reconcile.go and place_scan.go search for one that may be at the service. Package answers notifies people of
// the outcome, and deadletter.go those whose job is a dead letter.
package jobs

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/place"
	"darkroom/files"
	"darkroom/jobs/accounts"
	"darkroom/jobs/answers"
	"darkroom/jobs/batch"
	"darkroom/jobs/job"
	"darkroom/jobs/pins"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// Config is what the jobs need. Files, Ops and fields that say so are optional.
type Config struct {
	Slack   answers.Slack
	Service job.Service
	Store   *store.Store
	Queue   *queue.Queue
	Access  *access.Control
	Files   *files.Signer // makes Slack's photos public for the service; nil without PUBLIC_URL
	Mark    cards.MarkURL // makes the links of the page for pins; nil without PUBLIC_URL
	Crops   *files.Sheets // draws the crops of pins
	// Ops posts a sentence in the operations channel and reports whether it did. It fails if trying again later makes
	// sense. nil: no operations channel.
	Ops func(ctx context.Context, sentence string) (sent bool, err error)
	Log *slog.Logger

	// Retention is how long an order is kept after its end; 0: for ever.
	Retention time.Duration

	Services place.Descriptions // the operator's descriptions of the service types
	// Connecting lets the workspace's admins connect it to the order service; nil: the configuration has the account.
	Connecting *accounts.Connecting
	// Account is the configuration's account, if Connecting is nil.
	Account tenants.ServiceAccount
	// GivenUp is called for each order whose outcome stays unknown, once its person must decide; optional.
	GivenUp func()
	Waits   Waits
}

// Jobs has a type for each feature.
type Jobs struct {
	Place      *Place
	Drafts     *Drafts
	Presets    *Presets
	Holds      *Holds
	Decisions  *Decisions
	Watch      *Watch
	Change     *Change
	Pins       *pins.Pins
	Talk       *Talk
	Albums     *Albums
	Mentions   *Mentions
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

// New returns the jobs. It fails if the declaration of a kind is incomplete.
func New(cfg Config) (*Jobs, error) {
	waits := cfg.Waits.orReal()
	j := &Jobs{
		slack: cfg.Slack, store: cfg.Store, log: cfg.Log,
	}
	j.share(cfg, waits)
	names := &accounts.Names{Account: j.Account, Operators: j.Operators, AccountNames: cfg.Store.AccountNames, Log: cfg.Log}
	j.Home = &Home{
		slack: cfg.Slack, documents: cfg.Store.Documents, orders: cfg.Store.Orders, access: cfg.Access, account: j.Account, credits: j.Credits, liveOrders: j.Orders,
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
	j.Mentions = &Mentions{slack: cfg.Slack, documents: cfg.Store.Documents, albums: j.Albums, messages: j.Messages}
	j.Talk = &Talk{
		slack: cfg.Slack, service: cfg.Service, store: cfg.Store, access: cfg.Access, files: cfg.Files, albums: j.Albums,
		liveOrders: j.Orders, waiting: j.Waiting, forms: j.Forms, messages: j.Messages, home: j.Home, putter: j.Putter,
		mentions: j.Mentions, log: cfg.Log,
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
	j.Pins = &pins.Pins{
		Slack: cfg.Slack, Drafts: cfg.Store.Pins, Orders: cfg.Store.Orders, Documents: cfg.Store.Documents, Access: cfg.Access, History: j.Orders,
		Forms: j.Forms, Putter: j.Putter, Maker: cfg.Crops, Files: cfg.Files, AddReferences: j.Talk.putCrops, Log: cfg.Log,
	}
	j.Change = &Change{cfg.Service, cfg.Store, cfg.Access, j.Orders, j.Waiting, j.Forms, j.Messages, j.Home, j.Putter, j.Pins, waits}
	j.Presets = &Presets{cfg.Store.Orders, cfg.Store.Presets, cfg.Access, j.Credits, j.Account, cfg.Log}
	j.Drafts = &Drafts{cfg.Store.Drafts, cfg.Store.Orders, cfg.Files, cfg.Services, j.Credits, j.Presets, j.Forms, j.Putter}
	j.Holds = &Holds{cfg.Store.Holds, cfg.Queue, j.Operators, j.Credits, j.Messages, j.Once, cfg.Log}
	search := &Search{cfg.Slack, cfg.Store.Orders, cfg.Service}
	j.Watch = &Watch{cfg.Store.Changes, cfg.Store.BatchCards, cfg.Store.Drafts, cfg.Queue, search, j.Holds, j.Messages, cfg.GivenUp}
	j.Place = &Place{
		service: cfg.Service, store: cfg.Store, queue: cfg.Queue, access: cfg.Access, account: j.Account, credits: j.Credits,
		limits: &Limits{ledgers: cfg.Store.Ledgers, settings: cfg.Store.Settings, access: cfg.Access, operator: j.Account}, drafts: j.Drafts, forms: j.Forms, holds: j.Holds, home: j.Home, messages: j.Messages, names: names, operators: j.Operators,
		liveOrders: j.Orders, presets: j.Presets, search: search, watch: j.Watch, waiting: j.Waiting, waits: waits, log: cfg.Log,
	}
	j.Batches = &batch.Batches{
		Slack: cfg.Slack, Store: cfg.Store, Queue: cfg.Queue, Access: cfg.Access, Place: j.Place, Holds: j.Holds,
		Credits: j.Credits, Guide: j.Presets.Guide, Forms: j.Forms, Messages: j.Messages, Putter: j.Putter, Outcome: waits.Outcome, Log: cfg.Log,
	}
	j.Decisions = &Decisions{cfg.Store.Drafts, cfg.Store.Holds, j.Place, j.Batches, j.Drafts, j.Holds, j.Messages, j.Putter}
	return j, j.kinds.Add(j.declared()...)
}

// share makes the types that the features share: marks, outcomes, answers, and the account.
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
	j.Forms = &answers.Forms{Slack: cfg.Slack, Documents: cfg.Store.Documents, Messages: j.Messages, Putter: j.Putter, Mark: cfg.Mark, Log: cfg.Log}
	j.Account = &accounts.Account{Connecting: cfg.Connecting, Own: cfg.Account, Connections: cfg.Store.Connection, Access: cfg.Access, Log: cfg.Log}
	j.Credits = &accounts.Credits{Access: cfg.Access, Service: cfg.Service, Log: cfg.Log}
}

// Waits are the times that jobs wait for a request that may still arrive. Zero stands for the constant named beside
// the field. Only tests that run in real time set others.
type Waits struct {
	Settle   time.Duration   // settleAfter
	Late     time.Duration   // lateAfter
	Scan     time.Duration   // readingInterval
	Searches []time.Duration // searchTimes
	Outcome  time.Duration   // outcomeAfter
}

// orReal replaces zero waits by their constants.
func (w Waits) orReal() Waits {
	if len(w.Searches) == 0 {
		w.Searches = searchTimes
	}
	w.Settle = cmp.Or(w.Settle, settleAfter)
	w.Late = cmp.Or(w.Late, lateAfter)
	w.Scan = cmp.Or(w.Scan, readingInterval)
	w.Outcome = cmp.Or(w.Outcome, outcomeAfter)
	return w
}

// outcomeAfter is how long a post that Slack did not confirm may still arrive: the bot client's ten seconds, and some
// for Slack.
const outcomeAfter = 15 * time.Second
