package queue

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// outage says once that Redis does not serve, and once that it does again,
// however many loops notice.
type outage struct {
	log  *slog.Logger
	tell func(ctx context.Context, why error) // may be nil

	mu      sync.Mutex
	failing map[string]bool // the loops that met an error last
	since   time.Time
	why     error       // the last error
	grave   *time.Timer // it has lasted for grave; nil while all is well
	told    bool

	telling sync.Mutex      // one after the other
	life    context.Context // of the telling
	end     context.CancelFunc
}

const (
	grave    = 10 * time.Second // from then on it is no blip
	tellTime = 10 * time.Second
)

func newOutage(log *slog.Logger, tell func(context.Context, error)) *outage {
	o := &outage{log: log, tell: tell, failing: map[string]bool{}}
	o.life, o.end = context.WithCancel(context.Background())
	return o
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
		o.grave = time.AfterFunc(grave, o.tellAway)
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
	o.grave.Stop()
	if o.told {
		o.told = false
		go o.say(nil)
	}
}

// tellAway tells of an outage that goes on.
func (o *outage) tellAway() {
	o.mu.Lock()
	away, why := len(o.failing) > 0 && !o.told, o.why
	o.told = o.told || away
	o.mu.Unlock()
	if away {
		o.say(why)
	}
}

// say tells of an outage, or with nil of its end.
func (o *outage) say(why error) {
	o.telling.Lock()
	defer o.telling.Unlock()
	if o.tell == nil || o.life.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(o.life, tellTime)
	defer cancel()
	o.tell(ctx, why)
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

// waitOr does not wait longer than until something comes from wake.
func waitOr(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-wake:
	case <-time.After(d):
	}
}
