// Package jobs is what the app does: one file per deed that changes something outside, with its
// arguments, its work, and its words when it waits behind another or can be done no more.
//
// A job calls the service, hands what came back to the store and answers the person who acted. A
// write to the service leaves its mark before it is sent, so that whoever runs the job after a
// crash looks before sending again: credits are never spent twice and words never reach an editor
// twice. A job never posts to a channel: the announcer makes the channel match.
//
// Where to look: registry.go declares every kind. outcome.go is how all that is sent to the service
// is marked, sent, and followed to its outcome; change.go is what approve, revise and cancel share
// of that, outbound.go what message, reference and relay share, and place.go places an order, which
// place_look.go and place_scan.go look for when it may be out. asker.go is who asked, answer.go
// answers them, blocked.go tells those who wait behind a job, deadletter.go those whose job is dead.
package jobs

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"darkroom/access"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/store"
	"darkroom/store/queue"
)

// Config is what the jobs work with; all but Files, Ops and what says so is required.
type Config struct {
	Slack   Slack
	Service Service
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

	Services cards.Descriptions // the operator's words for the service types
	// Connecting lets the workspace's admins connect it to the order service; nil: whoever runs the app has.
	Connecting *Connecting
	// Account is that of the configuration, where Connecting is nil.
	Account store.ServiceAccount
	// GivenUp hears of each order of which nobody could find out whether it was placed: its person
	// decides. nil: nobody does.
	GivenUp func()
	Waits   Waits
}

// Jobs does what people asked for.
type Jobs struct {
	slack   Slack
	service Service
	store   *store.Store
	queue   *queue.Queue
	access  *access.Control
	files   *files.Signer
	ops     func(ctx context.Context, sentence string) (bool, error)
	log     *slog.Logger
	says    cards.Descriptions
	kinds   queue.Registry
	givenUp func()
	keeps   time.Duration // an ended order; 0: for ever
	waits   Waits

	connecting *Connecting          // nil: the account is part of the configuration
	own        store.ServiceAccount // that one

	weighing sync.Mutex // held while an order is weighed against a month's limit and counted
}

// New makes the jobs ready to be done; it fails when a kind of job lacks something.
func New(cfg Config) (*Jobs, error) {
	j := &Jobs{
		slack: cfg.Slack, service: cfg.Service, store: cfg.Store, queue: cfg.Queue,
		access: cfg.Access, files: cfg.Files, ops: cfg.Ops, log: cfg.Log, says: cfg.Services, givenUp: cfg.GivenUp,
		keeps: cfg.Retention, waits: cfg.Waits.orReal(), connecting: cfg.Connecting, own: cfg.Account,
	}
	return j, j.kinds.Add(j.declared()...)
}
