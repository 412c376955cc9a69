package notifier

import (
	"cmp"
	"context"
	"log/slog"
	"sync"

	"github.com/robfig/cron/v3"

	"darkroom/order"
	"darkroom/store"
)

// Service is what the poller asks of the order service.
type Service interface {
	List(ctx context.Context, f order.Filter) (order.Page, error)
	Fetch(ctx context.Context, id string) (order.Order, error)
}

// PollerConfig is what a [Poller] works with. Service, Store, Schedule and
// Lock are required.
type PollerConfig struct {
	Service  Service
	Store    PollStore
	Schedule string // see [ParseSchedule]
	Lock     Lock   // elects the replica that polls; made with the TTL [Lease]
	// Ops tells the operations channel; an error means that it could not be told now, and
	// that trying later makes sense. nil: nobody is told.
	Ops  func(ctx context.Context, sentence string) error
	Keep store.Keep   // how long finished orders are kept; with Full 0 all are, with everything
	Log  *slog.Logger // nil: the default logger
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
	if c.Ops == nil {
		c.Ops = func(context.Context, string) error { return nil }
	}
	return &Poller{PollerConfig: c, schedule: schedule}, nil
}
