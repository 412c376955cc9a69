// Package poll finds changes at the order service and records them as events.
//
// A workspace's poll is one job that never finishes ([Poller.Work]). Each delivery reads the active
// orders, requests them from the service as cheaply as possible, and records the differences. It also does
// timed work: reminders, digests, retention, and the check of the credits.
//
// It posts nothing to channels; package announce does.
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

// Service is the part of the order service that the poller uses.
type Service interface {
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
}

// Config configures a [Poller]. Fields without a nil or zero meaning are required.
type Config struct {
	Service   Service
	Store     Store
	Workspace string // its id, which spreads workspaces over the period
	Schedule  string // see [ParseSchedule]
	// Only says that this is the app's only workspace. Then a new or woken job polls at once, the poll
	// never idles, and its polls are logged at info.
	Only bool
	// Ops posts to the operations channel and reports whether it did. After an error, trying later makes
	// sense.
	Ops       func(ctx context.Context, sentence string) (sent bool, err error)
	Retention retention.Policy // how long finished orders are kept; Full 0: forever
	// RetireFirst is the time from the process's start to the first use of Retention.
	RetireFirst   time.Duration
	Slots         Slots        // the rate limit of Service; may be nil
	Reminders     *Reminders   // reminders and digests; may be nil
	Credits       *CreditWatch // notices of low credits; may be nil
	SelfConnected bool         // Ops reaches the workspace's own people, who connected the account
	Observe       func(Cost)   // receives the cost of each poll; may be nil
	Tracer        trace.Tracer // records a span for each change; nil: no spans
	Log           *slog.Logger // nil: the default logger
}

// Poller finds changes at the service and records them. One poll runs at a time.
type Poller struct {
	Config
	schedule pollSchedule

	mu       sync.Mutex // one poll at a time; guards the rest
	state    pollState  // saved by the poll before
	tracked  trackedOrders
	nextOf   int       // see nextFew
	lastInfo time.Time // time of the last info line
	retireAt time.Time // when retention is applied again
	credits  creditCheck
	busy     bool // the last poll had something to poll
	failing  bool // the last poll failed
}

// New returns a poller, or an error for an invalid schedule.
func New(c Config) (*Poller, error) {
	c.Log = cmp.Or(c.Log, slog.Default())
	t, err := newPollSchedule(c.Schedule, c.Workspace)
	if err != nil {
		return nil, err
	}
	return &Poller{Config: c, schedule: t, retireAt: time.Now().Add(c.RetireFirst)}, nil
}

// ErrNoAnswer is the error of a poll without any answer of the service: it is down or unreachable.
var ErrNoAnswer = errors.New("the service does not answer")

// noAnswer makes an error match [ErrNoAnswer] and keeps its text.
type noAnswer struct{ error }

func (noAnswer) Is(target error) bool { return target == ErrNoAnswer }

func (u noAnswer) Unwrap() error { return u.error }

// Store has the parts of the store that a poller uses.
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

// Poll checks every active order once, records changes, and repairs lost announcement jobs. An order's
// failure does not stop the others; all errors are joined. A poll without changes writes nothing.
func (p *Poller) Poll(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.poll(ctx, 0)
}

// poll is Poll with the lock held. late is the delay after the due time.
func (p *Poller) poll(ctx context.Context, late time.Duration) error {
	began := time.Now()
	var turns, batches int64
	if p.Slots != nil {
		turns, batches = p.Slots.Taken()
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
	err := errors.Join(append(r.errs, decided, p.notifyHealth(ctx, r))...)
	if err != nil && r.serviceDown() {
		err = noAnswer{err}
	}
	return r.cost, err
}

// sweep puts a job for each order whose channel lags behind.
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

// retireEvery is the longest time between two uses of retention while the workspace is polled.
const retireEvery = 10 * time.Minute

// applyRetention shrinks and deletes finished orders that are due, a few in each poll.
func (p *Poller) applyRetention(ctx context.Context) error {
	if p.Retention.Full <= 0 || time.Now().Before(p.retireAt) {
		return nil
	}
	next, err := p.Store.Retirement.ApplyRetention(ctx, p.Retention)
	p.retireAt = time.Now().Add(min(next, retireEvery))
	return err
}
