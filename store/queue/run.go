package queue

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// runner is one call of Run: a consumer of the stream with its workers.
type runner struct {
	q        *Queue
	handle   Handler
	consumer string
	outage   *outage

	base           context.Context         // of jobs under way: outlives Run's context
	handlerCtx     context.Context         // of handlers: base, until the drain timeout
	cancelHandlers context.CancelCauseFunc // ends handlerCtx

	claims  atomic.Int64  // makes fences unique
	running atomic.Int64  // handlers, for ErrNotDrained
	slots   chan struct{} // holds an element for each claimed lane and each token that may be read
	works   sync.WaitGroup
	taken   time.Time // when lanes of dead workers were last taken over
}

// ErrNotDrained says that Run could not hand back its lanes, or that Redis did not confirm it. Another process takes them
// over after their lease.
var ErrNotDrained = errors.New("queue: not drained in time")

// Run works on lanes until ctx ends. Then it takes no more lanes. It lets handlers finish until
// Options.DrainTimeout, cancels the others with [ErrDrained], and hands their lanes back at once. It returns
// [ErrNotDrained] if a handler ignores its cancellation, or Redis takes nothing back; those lanes come back after
// the lease. Redis may be away at any time: Run waits for it.
func (q *Queue) Run(ctx context.Context, h Handler) error {
	return q.run(ctx, context.WithoutCancel(ctx), h)
}

// run is Run with the context base for jobs that are under way.
func (q *Queue) run(ctx, base context.Context, h Handler) error {
	return runAll(ctx, base, []*Queue{q}, h)
}

// RunAll is [Queue.Run] of several queues of one Redis, each with its own workers. They report outages together, by the
// options of the first.
func RunAll(ctx context.Context, queues []*Queue, h Handler) error {
	return runAll(ctx, context.WithoutCancel(ctx), queues, h)
}

func runAll(ctx, base context.Context, queues []*Queue, h Handler) error {
	base, end := context.WithCancel(base)
	defer end()
	o := newOutage(queues[0].log, queues[0].o.OnOutage)
	defer o.end()
	drained := make(chan error, len(queues))
	for _, q := range queues {
		r := newRunner(base, q, h, o)
		idle := r.start(ctx)
		go func() {
			defer r.cancelHandlers(nil)
			<-ctx.Done()
			drained <- r.drain(idle)
		}()
	}
	errs := make([]error, len(queues))
	for i := range errs {
		errs[i] = <-drained
	}
	return errors.Join(errs...)
}

func newRunner(base context.Context, q *Queue, h Handler, o *outage) *runner {
	r := &runner{q: q, handle: h, consumer: consumerName(), outage: o, base: base, slots: make(chan struct{}, q.o.Workers)}
	r.handlerCtx, r.cancelHandlers = context.WithCancelCause(base)
	return r
}

// consumerName returns a unique name. The host's name in it helps operators.
func consumerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "somewhere"
	}
	return host + "-" + rand.Text()[:10]
}

// report records the result of a loop's last call.
func (r *runner) report(ctx context.Context, loop string, err error) {
	r.outage.report(ctx, r.q.space.key(loop), err)
}

// start starts the loops. The channel closes when they and all workers have ended.
func (r *runner) start(ctx context.Context) <-chan struct{} {
	var loops sync.WaitGroup
	loops.Go(func() { r.read(ctx) })
	loops.Go(func() { r.schedule(ctx) })
	loops.Go(func() { r.maintain(ctx) })
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		loops.Wait() // only a loop starts workers
		r.works.Wait()
	}()
	return idle
}

func (r *runner) drain(idle <-chan struct{}) error {
	if r.until(idle, max(0, r.q.o.DrainTimeout)) {
		return r.leave()
	}
	r.cancelHandlers(ErrDrained)
	if r.until(idle, r.q.o.Lease/3) {
		return r.leave()
	}
	return fmt.Errorf("%w, %d handlers still run", ErrNotDrained, r.running.Load())
}

// until waits for idle, at most for d.
func (r *runner) until(idle <-chan struct{}, d time.Duration) bool {
	select {
	case <-idle:
		return true
	case <-time.After(d):
		return false
	}
}

// leave removes the consumer from the group. If that fails, another process removes it later, and its lanes come back
// after the lease.
func (r *runner) leave() error {
	ctx, cancel := context.WithTimeout(r.base, 2*time.Second)
	defer cancel()
	if err := r.q.upkeep().leave(ctx, r.consumer); err != nil {
		return fmt.Errorf("%w: consumer %s stays behind: %w", ErrNotDrained, r.consumer, err)
	}
	return nil
}
