package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// outage says once that Redis does not answer, and once that it does again,
// however many loops notice.
type outage struct {
	log *slog.Logger

	mu      sync.Mutex
	failing map[string]bool // the loops that met an error last
	since   time.Time
}

func newOutage(log *slog.Logger) *outage {
	return &outage{log: log, failing: map[string]bool{}}
}

// report tells how the last call of a loop went. A call that failed because its
// context ended tells nothing.
func (o *outage) report(ctx context.Context, loop string, err error) {
	if err != nil && ctx.Err() != nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err == nil {
		o.over(loop)
		return
	}
	if len(o.failing) == 0 {
		o.since = time.Now()
		o.log.Warn("queue lost redis", "err", err)
	}
	o.failing[loop] = true
}

func (o *outage) over(loop string) {
	if !o.failing[loop] {
		return
	}
	delete(o.failing, loop)
	if len(o.failing) == 0 {
		o.log.Info("queue has redis again", "after", time.Since(o.since).Round(time.Millisecond))
	}
}

// newPause returns the pauses between attempts during an outage, with jitter.
func newPause() *backoff.ExponentialBackOff {
	return &backoff.ExponentialBackOff{
		InitialInterval: 50 * time.Millisecond, RandomizationFactor: 0.5,
		Multiplier: 2, MaxInterval: 2 * time.Second,
	}
}

// wait waits for d or the end of ctx.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
