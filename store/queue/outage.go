package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// outage reports once that Redis does not serve, and once that it serves again, for all loops
// together.
type outage struct {
	log    *slog.Logger
	notify func(ctx context.Context, why error) // may be nil

	mu       sync.Mutex
	failing  map[string]bool // loops whose last call failed
	since    time.Time
	why      error       // the last error
	timer    *time.Timer // fires after outageGrace
	notified bool

	sending sync.Mutex      // one report at a time
	life    context.Context // of the reports
	end     context.CancelFunc
}

const (
	outageGrace   = 10 * time.Second // shorter outages are not reported
	notifyTimeout = 10 * time.Second
)

func newOutage(log *slog.Logger, notify func(context.Context, error)) *outage {
	o := &outage{log: log, notify: notify, failing: map[string]bool{}}
	o.life, o.end = context.WithCancel(context.Background())
	return o
}

// report records the result of a loop's last call. A call that failed because its context ended does not
// count.
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
		o.timer = time.AfterFunc(outageGrace, o.notifyDown)
	}
	o.failing[loop], o.why = true, err
}

func (o *outage) over(loop string) {
	if !o.failing[loop] {
		return
	}
	delete(o.failing, loop)
	if len(o.failing) > 0 {
		return
	}
	o.log.Info("queue has redis again", "after", time.Since(o.since).Round(time.Millisecond))
	o.timer.Stop()
	if o.notified {
		o.notified = false
		go o.send(nil)
	}
}

// notifyDown reports an outage that goes on.
func (o *outage) notifyDown() {
	o.mu.Lock()
	away, why := len(o.failing) > 0 && !o.notified, o.why
	o.notified = o.notified || away
	o.mu.Unlock()
	if away {
		o.send(why)
	}
}

// send reports an outage, or with nil its end.
func (o *outage) send(why error) {
	o.sending.Lock()
	defer o.sending.Unlock()
	if o.notify == nil || o.life.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(o.life, notifyTimeout)
	defer cancel()
	o.notify(ctx, why)
}

// newPause returns the pauses between attempts during an outage, with jitter.
func newPause() *backoff.ExponentialBackOff {
	return &backoff.ExponentialBackOff{
		InitialInterval: 50 * time.Millisecond, RandomizationFactor: 0.5,
		Multiplier: 2, MaxInterval: 2 * time.Second,
	}
}

// wait waits for d or the end of ctx.
func wait(ctx context.Context, d time.Duration) { waitOr(ctx, d, nil) }

// waitOr waits for d, the end of ctx, or a value from wake.
func waitOr(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-wake:
	case <-time.After(d):
	}
}
