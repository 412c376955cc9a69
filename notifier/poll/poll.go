// Package poll finds what changed at the order service and records it as events.
//
// A workspace's poll is one job that is never done ([Poller.Work]). Each delivery reads the active orders, asks the service for them
// as cheaply as it can, and records what differs. It also does what is due by time: reminders, digests,
// finished orders that shrink, the check of the credits.
//
// It posts nothing into channels: that is the announcer's.
package poll

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"go.opentelemetry.io/otel/trace"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/retention"
)

// Service is what the poller asks of the order service.
type Service interface {
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
}

// Config is what a [Poller] works with. Fields without a nil or zero meaning are required.
type Config struct {
	Service   Service
	Store     Store
	Workspace string // its id; polls of different workspaces are spread over the period by it
	Schedule  string // see [ParseSchedule]
	// Only says that the app has this workspace only: it is polled at once when the job is new or woken, as the schedule says
	// also when it has nothing to poll, and the log tells of its polls.
	Only bool
	// Ops sends a sentence to the operations channel and reports whether it was sent; an error
	// means that trying later makes sense.
	Ops       func(ctx context.Context, sentence string) (said bool, err error)
	Retention retention.Policy // how long finished orders are kept; with Full 0 all are, with everything
	// RetireFirst is how long after the start of the process finished orders are first looked after.
	RetireFirst time.Duration
	Turns       Turns        // the rate that Service keeps; nil: none
	Reminders   *Reminders   // for what is due by time; nil: none
	Credits     *CreditWatch // reports low credits; nil: none
	Here        bool         // Ops reaches somebody in the workspace, which connected its account itself
	Observe     func(Cost)   // receives the cost of each poll; nil: nobody does
	Tracer      trace.Tracer // records a span of each change that is found; nil: no spans
	Log         *slog.Logger // nil: the default logger
}

// Poller finds what changed at the service and records it. One poll runs at a time.
type Poller struct {
	Config
	schedule pollSchedule

	mu       sync.Mutex // one poll at a time; guards the rest
	state    pollState  // left by the poll before
	tracked  trackedOrders
	nextOf   int       // see nextFew
	said     time.Time // when the log last told of a poll
	retireAt time.Time // when finished orders are looked after again
	credits  creditCheck
	busy     bool // the last poll had something to poll
	failing  bool // the last poll failed
}

// New returns a poller, or an error when its schedule is wrong.
func New(c Config) (*Poller, error) {
	c.Log = cmp.Or(c.Log, slog.Default())
	t, err := newPollSchedule(c.Schedule, c.Workspace)
	if err != nil {
		return nil, err
	}
	return &Poller{Config: c, schedule: t, retireAt: time.Now().Add(c.RetireFirst)}, nil
}

// ErrNoAnswer says that the service answered nothing at all at a poll: it is down, or out of reach.
var ErrNoAnswer = errors.New("the service does not answer")

// noAnswer is what failed at a poll at which the service answered nothing; it reads as that does.
type noAnswer struct{ error }

func (noAnswer) Is(target error) bool { return target == ErrNoAnswer }

func (u noAnswer) Unwrap() error { return u.error }

// Store has the parts of the record that a poller reads and writes.
type Store struct {
	Orders        orders
	Changes       changes
	Announcements announcements
	Retirement    retirement
	Documents     documents
}

// StoreOf returns the parts of a store.
func StoreOf(s *store.Store) Store {
	return Store{s.Orders, s.Changes, s.Announcements, retention.NewRetirement(s), s.Documents}
}

type orders interface {
	EachActive(ctx context.Context, f func(id string, a store.Active)) error
	Order(ctx context.Context, id string) (store.Tracked, error)
	NewestFinished(ctx context.Context, like string, before time.Time) (string, error)
}

type changes interface {
	Record(ctx context.Context, id string, version int64, seen order.Order) (store.Tracked, []order.Event, error)
	Missed(ctx context.Context, id string, at time.Time) (store.Missed, error)
	MarkGone(ctx context.Context, id string, since time.Time) error
}

type announcements interface {
	Unannounced(ctx context.Context) ([]string, error)
	Announce(ctx context.Context, id string) error
}

type retirement interface {
	ApplyRetention(ctx context.Context, keep retention.Policy) (next time.Duration, err error)
}

type documents interface {
	GetMany(ctx context.Context, docs map[string]any) (there map[string]bool, err error)
	store.Documents
}

// Poll reads every active order once, records what changed, and puts the
// announcement jobs that were lost. One order's failure does not stop the
// others; the error names all that failed. A poll that finds nothing new
// writes nothing.
func (p *Poller) Poll(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.poll(ctx, 0)
}

// poll is Poll for a caller that holds the lock. It began late by so much.
func (p *Poller) poll(ctx context.Context, late time.Duration) error {
	began := time.Now()
	var turns, batches int64
	if p.Turns != nil {
		turns, batches = p.Turns.Taken()
	}
	cost, err := p.pollOrders(ctx)
	cost.Late = late
	cost.Blind = cost.Blind || ctx.Err() != nil || 2*cost.Failed > cost.Orders
	cost.Err = errors.Join(err, p.sweep(ctx), p.Reminders.run(ctx, &p.tracked), p.applyRetention(ctx), p.watchCredits(ctx))
	p.report(ctx, p.measured(cost, began, turns, batches))
	return cost.Err
}

func (p *Poller) pollOrders(ctx context.Context) (Cost, error) {
	p.busy = true
	if err := p.tracked.read(ctx, p.Store.Orders); err != nil {
		return Cost{Blind: true}, fmt.Errorf("active orders: %w", err)
	}
	r := p.newRun(ctx)
	defer r.leave()
	r.cost.Orders = r.active
	if err := r.load(ctx); err != nil {
		r.cost.Blind = true
		return r.cost, err
	}
	if p.busy = len(r.tracked.orders) > 0 || r.waited || r.down; !p.busy {
		return r.cost, nil
	}
	if err := r.scan(ctx); err != nil {
		r.fail(err)
	}
	decided := r.decideMissed(ctx)
	r.recheckGone(ctx)
	err := errors.Join(append(r.errs, decided, p.sayHealth(ctx, r))...)
	if err != nil && r.away() {
		err = noAnswer{err}
	}
	return r.cost, err
}

// sweep gives each order whose channel lags behind a job.
func (p *Poller) sweep(ctx context.Context) error {
	ids, err := p.Store.Announcements.Unannounced(ctx)
	if err != nil {
		return fmt.Errorf("unannounced orders: %w", err)
	}
	p.busy = p.busy || len(ids) > 0
	var errs []error
	for _, id := range ids {
		if err := p.Store.Announcements.Announce(ctx, id); err != nil {
			errs = append(errs, fmt.Errorf("announce order %s: %w", id, err))
		}
	}
	return errors.Join(errs...)
}

// retireEvery is how often finished orders are looked after at least, while the workspace is polled.
const retireEvery = 10 * time.Minute

// applyRetention shrinks the orders that ended a while ago, and deletes those whose time is over: a
// few at each poll while any are due.
func (p *Poller) applyRetention(ctx context.Context) error {
	if p.Retention.Full <= 0 || time.Now().Before(p.retireAt) {
		return nil
	}
	next, err := p.Store.Retirement.ApplyRetention(ctx, p.Retention)
	p.retireAt = time.Now().Add(min(next, retireEvery))
	return err
}
