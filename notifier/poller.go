package notifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/robfig/cron/v3"

	"darkroom/order"
	"darkroom/store"
)

// Service is what the poller asks of the order service.
type Service interface {
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
}

// PollerConfig is what a [Poller] works with; all but Retention and Log is required.
type PollerConfig struct {
	Service  Service
	Store    PollStore
	Schedule string // see [ParseSchedule]
	Lock     Lock   // elects the replica that polls; made with the TTL [Lease]
	// Ops says a sentence in the operations channel, and tells whether it was said; an error
	// means that trying later makes sense.
	Ops       func(ctx context.Context, sentence string) (said bool, err error)
	Retention store.Retention // how long finished orders are kept; with Full 0 all are, with everything
	Log       *slog.Logger    // nil: the default logger
}

// Poller finds what changed at the service and records it. At most one tick
// runs at a time, on one replica at a time.
type Poller struct {
	PollerConfig
	schedule cron.Schedule

	mu    sync.Mutex // one tick at a time; guards the rest
	turns int        // see turn
}

// NewPoller returns a poller, or what is wrong with its schedule.
func NewPoller(c PollerConfig) (*Poller, error) {
	schedule, err := ParseSchedule(c.Schedule)
	if err != nil {
		return nil, err
	}
	c.Log = cmp.Or(c.Log, slog.Default())
	return &Poller{PollerConfig: c, schedule: schedule}, nil
}

// PollStore is what the poller reads and writes of the record.
type PollStore interface {
	Active(ctx context.Context) (map[string]store.Active, error)
	Order(ctx context.Context, id string) (store.Tracked, error)
	Record(ctx context.Context, id string, version int64, seen order.Order) (store.Tracked, []order.Event, error)
	Missed(ctx context.Context, id string, at time.Time) (store.Missed, error)
	MarkGone(ctx context.Context, id string, since time.Time) error
	NewestFinished(ctx context.Context, like string, before time.Time) (string, error)
	Unannounced(ctx context.Context) ([]string, error)
	Announce(ctx context.Context, id string) error
	ApplyRetention(ctx context.Context, keep store.Retention) error
	notes
}

// Tick looks once at every active order, records what changed, and puts the
// announcement jobs that were lost. One order's failure does not stop the
// others; the error names all that failed. A tick that finds nothing new
// writes nothing.
func (p *Poller) Tick(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return errors.Join(p.poll(ctx), p.sweep(ctx), p.applyRetention(ctx))
}

func (p *Poller) poll(ctx context.Context) error {
	active, err := p.Store.Active(ctx)
	if err != nil {
		return fmt.Errorf("active orders: %w", err)
	}
	r := p.newRun(active)
	if err := r.scan(ctx); err != nil {
		r.fail(err)
	}
	decided := r.decideMissed(ctx)
	r.recheckGone(ctx)
	return errors.Join(append(r.errs, decided, p.sayHealth(ctx, r))...)
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

// applyRetention shrinks the orders that ended a while ago, and deletes those whose time is over: a
// few at each tick.
func (p *Poller) applyRetention(ctx context.Context) error {
	if p.Retention.Full <= 0 {
		return nil
	}
	return p.Store.ApplyRetention(ctx, p.Retention)
}
