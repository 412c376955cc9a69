package notifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/robfig/cron/v3"
	"go.opentelemetry.io/otel/trace"

	"darkroom/order"
	"darkroom/store"
)

// Service is what the poller asks of the order service.
type Service interface {
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
}

// PollerConfig is what a [Poller] works with; those without a nil or zero are required.
type PollerConfig struct {
	Service  Service
	Store    PollStore
	Schedule string // see [ParseSchedule]; of no matter to [NewUnscheduled]
	Lock     Lock   // elects the replica that polls; made with the TTL [Lease]
	// Ops says a sentence in the operations channel, and tells whether it was said; an error
	// means that trying later makes sense.
	Ops       func(ctx context.Context, sentence string) (said bool, err error)
	Retention store.Retention // how long finished orders are kept; with Full 0 all are, with everything
	// RetireFirst is how long after the start finished orders are looked after; 0: ten seconds.
	RetireFirst time.Duration
	Turns       Turns        // the pace that Service keeps; nil: none
	Reminders   *Reminders   // say what time has brought; nil: nobody does
	Credits     *CreditWatch // says when the account's credits are low; nil: nobody looks
	Here        bool         // Ops says it to somebody in the workspace, which connected its account itself
	Observe     func(Cost)   // hears of each tick; nil: nobody does
	Tracer      trace.Tracer // records a span of each change that is found; nil: there are none
	Log         *slog.Logger // nil: the default logger
}

// Poller finds what changed at the service and records it. At most one tick
// runs at a time, on one replica at a time.
type Poller struct {
	PollerConfig
	schedule cron.Schedule // nil: somebody else ticks it
	elected  atomic.Bool   // this replica polls

	mu      sync.Mutex // one tick at a time; guards the rest
	roll    roll
	turns   int       // see nextFew
	said    time.Time // when a tick was last told of
	retired time.Time // when the finished orders were last looked after, all that were due
	credits creditLook
}

// NewPoller returns a poller, or what is wrong with its schedule.
func NewPoller(c PollerConfig) (*Poller, error) {
	schedule, err := ParseSchedule(c.Schedule)
	if err != nil {
		return nil, err
	}
	p := NewUnscheduled(c)
	p.schedule, p.retired = schedule, time.Now().Add(cmp.Or(c.RetireFirst, retireFirst)-retireEvery)
	return p, nil
}

// NewUnscheduled returns a poller that [Rounds] tick: it has no Run. Its first tick, which may be its last, looks
// after finished orders, too.
func NewUnscheduled(c PollerConfig) *Poller {
	c.Log = cmp.Or(c.Log, slog.Default())
	return &Poller{PollerConfig: c}
}

// ErrNoAnswer says that the service answered nothing at all at a tick: it is down, or out of reach.
var ErrNoAnswer = errors.New("the service does not answer")

// Elected tells whether this replica is the one that polls.
func (p *Poller) Elected() bool { return p.elected.Load() }

// unheard is what failed at a tick at which the service answered nothing; it reads as that does.
type unheard struct{ error }

func (unheard) Is(target error) bool { return target == ErrNoAnswer }

func (u unheard) Unwrap() error { return u.error }

// PollStore is what the poller reads and writes of the record.
type PollStore interface {
	EachActive(ctx context.Context, f func(id string, a store.Active)) error
	Order(ctx context.Context, id string) (store.Tracked, error)
	Record(ctx context.Context, id string, version int64, seen order.Order) (store.Tracked, []order.Event, error)
	Missed(ctx context.Context, id string, at time.Time) (store.Missed, error)
	MarkGone(ctx context.Context, id string, since time.Time) error
	NewestFinished(ctx context.Context, like string, before time.Time) (string, error)
	Unannounced(ctx context.Context) ([]string, error)
	Announce(ctx context.Context, id string) error
	ApplyRetention(ctx context.Context, keep store.Retention) (more bool, err error)
	GetMany(ctx context.Context, docs map[string]any) (there map[string]bool, err error)
	notes
}

// Tick looks once at every active order, records what changed, and puts the
// announcement jobs that were lost. One order's failure does not stop the
// others; the error names all that failed. A tick that finds nothing new
// writes nothing.
func (p *Poller) Tick(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	began := time.Now()
	var turns, batches int64
	if p.Turns != nil {
		turns, batches = p.Turns.Taken()
	}
	cost, err := p.poll(ctx)
	cost.Blind = cost.Blind || ctx.Err() != nil || 2*cost.Failed > cost.Orders
	cost.Err = errors.Join(err, p.sweep(ctx), p.Reminders.look(ctx, &p.roll), p.applyRetention(ctx), p.watchCredits(ctx))
	p.report(ctx, p.measured(cost, began, turns, batches))
	return cost.Err
}

func (p *Poller) poll(ctx context.Context) (Cost, error) {
	if err := p.roll.read(ctx, p.Store); err != nil {
		return Cost{Blind: true}, fmt.Errorf("active orders: %w", err)
	}
	r := p.newRun()
	r.cost.Orders = r.active
	if err := r.recall(ctx); err != nil {
		r.cost.Blind = true
		return r.cost, err
	}
	if len(r.roll.orders) == 0 && !r.waited && !r.down {
		return r.cost, nil
	}
	if err := r.scan(ctx); err != nil {
		r.fail(err)
	}
	decided := r.decideMissed(ctx)
	r.recheckGone(ctx)
	err := errors.Join(append(r.errs, decided, p.sayHealth(ctx, r))...)
	if err != nil && r.away() {
		err = unheard{err}
	}
	return r.cost, err
}

// sweep gives each order whose channel lags behind a job.
func (p *Poller) sweep(ctx context.Context) error {
	ids, err := p.Store.Unannounced(ctx)
	if err != nil {
		return fmt.Errorf("unannounced orders: %w", err)
	}
	var errs []error
	for _, id := range ids {
		if err := p.Store.Announce(ctx, id); err != nil {
			errs = append(errs, fmt.Errorf("announce order %s: %w", id, err))
		}
	}
	return errors.Join(errs...)
}

// retireEvery is how often finished orders are looked after when none was due, and retireFirst how long after
// the start: the first tick is what people wait for.
const (
	retireEvery = 10 * time.Minute
	retireFirst = 10 * time.Second
)

// applyRetention shrinks the orders that ended a while ago, and deletes those whose time is over: a
// few at each tick while there are any.
func (p *Poller) applyRetention(ctx context.Context) error {
	if p.Retention.Full <= 0 || time.Since(p.retired) < retireEvery {
		return nil
	}
	more, err := p.Store.ApplyRetention(ctx, p.Retention)
	if !more && err == nil {
		p.retired = time.Now()
	}
	return err
}
