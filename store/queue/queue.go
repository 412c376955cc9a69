// Package queue is the job queue: durable jobs in lanes, kept in Redis.
//
// A [Job] has an id and a lane. One job of a lane runs at a time, in order of arrival. Lanes run in parallel, on any
// number of replicas. Putting a job is one atomic call and idempotent by the job's id, also after the job is done.
//
// Redis Streams carry lanes, not jobs. A lane with jobs has exactly one token. While the lane is ready or being worked
// on, the token is an entry of the stream; while it waits, a place in a sorted set. The worker that reads the token claims
// the lane for a lease. It renews the claim while the handler works, and passes the token on when the job is settled. Every
// write of a worker is fenced: it counts only while the worker holds the claim. When a worker dies, another one takes its
// lane over after the lease.
//
// So the invariants are: at most one worker claims a lane; a job is settled (done, or dead with its reason) exactly once;
// an accepted job is never lost while Redis keeps its data. A job may be delivered more than once. [Delivery.First] tells
// when a handler need not verify before it acts.
//
// A queue may serve many tenants (Options.Share). Each has a view of its own, [Queue.In], with its own ids and lanes, and a
// share of the workers.
//
// The package knows neither orders nor Slack. A job's body is bytes to it.
package queue

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/trace"

	"darkroom/store/keyspace"
)

// Job is one piece of work. Its ID is its identity for 25 hours after it was
// put or settled; jobs of one Lane run one at a time, in the order they were put.
type Job struct {
	ID   string          `json:"id"`
	Lane string          `json:"lane"`
	Kind string          `json:"kind"`
	Body json.RawMessage `json:"body,omitempty"`
	// Tenant owns the job, in a queue of tenants. Put ignores it: the job belongs to the tenant of the view.
	Tenant string `json:"-"`
}

// Options of a [Queue]; the zero value is what production uses.
type Options struct {
	// Workers is how many lanes this process works on at a time; 0 means 64.
	Workers int
	// Lease is how long a claim lives without renewal, and a dead worker's lane stands still; 0 means 6 s.
	Lease time.Duration
	// Keyspace names the keys of the queue, and of the store over it.
	Keyspace keyspace.Keyspace
	// Name separates queues within one keyspace; "" means "q".
	Name string
	// Share is how many lanes of a tenant may be ready or worked on at a time, all replicas together. Further lanes are
	// parked until one of these is done. 0: there are no tenants, and no [Queue.In].
	Share int
	// Recurring makes a queue of tenants with few jobs each, which mostly wait. It has no shares and does not ask whether
	// Redis restarted: [Delivery.First] and [Delivery.SameRun] are false. Without Share it changes nothing.
	Recurring bool
	// MaxAttempts is how many failed attempts make a job dead; 0 means 5.
	MaxAttempts int
	// Backoff is the pause after a failed attempt (the first is 1);
	// nil means a second, doubled each time up to five minutes, with jitter.
	Backoff func(attempt int) time.Duration
	// Idle is how long an idle process waits before it asks Redis again. New tokens wake it at once. What another process
	// has scheduled may be noticed twice as late. Run also ends that late: a read that waits cannot be called back. 0
	// means 250 ms.
	Idle time.Duration
	// DrainTimeout is how long running handlers may go on after the context of
	// Run has ended; 0 means 10 s, negative means not at all.
	DrainTimeout time.Duration
	// OnDead is called for each job that died, at least once, perhaps by another replica. When it returns an error, it is
	// called again a minute later.
	OnDead func(context.Context, DeadLetter) error
	// OnOutage is called when Redis has not served for ten seconds, with the reason, and with nil when it serves again.
	// Every process reports its own outages: without Redis they cannot agree.
	OnOutage func(ctx context.Context, why error)
	// Tracer records a span of each put, in the trace of its context, and of each delivery; nil: no spans.
	Tracer trace.Tracer
	// Observe is called after each delivery, if it is set. It must return at once.
	Observe func(Worked)
	// Logger hears of outages, dead jobs and repairs; nil means slog.Default().
	Logger *slog.Logger
}

// ErrInvalidJob reports a job without an id, lane or kind, or with a body that is not JSON.
var ErrInvalidJob = errors.New("queue: invalid job")

// Queue puts jobs and runs them. It is safe for concurrent use, and one Queue
// may serve a process that only puts and one that also runs.
type Queue struct {
	space *space
	o     Options
	log   *slog.Logger
	spans spans

	wake chan struct{} // the scheduler should look again
}

// New returns a queue over rdb. It sends nothing yet.
func New(rdb redis.UniversalClient, o Options) *Queue {
	o = o.withDefaults()
	return &Queue{space: newSpace(rdb, o), o: o, log: o.Logger, spans: spans{o.Tracer}, wake: make(chan struct{}, 1)}
}

func (o Options) withDefaults() Options {
	o.Workers = cmp.Or(max(o.Workers, 0), 64)
	o.Lease = cmp.Or(max(o.Lease, 0), 6*time.Second)
	o.Name = cmp.Or(o.Name, "q")
	o.MaxAttempts = cmp.Or(max(o.MaxAttempts, 0), 5)
	o.Idle = cmp.Or(max(o.Idle, 0), 250*time.Millisecond)
	o.DrainTimeout = cmp.Or(o.DrainTimeout, 10*time.Second)
	o.Logger = cmp.Or(o.Logger, slog.Default())
	if o.Backoff == nil {
		o.Backoff = backoffAfter
	}
	return o
}

// Put adds a job to the end of its lane. It returns false, and changes nothing, when a job of that id is unsettled, or was
// put or settled within 25 hours.
// An error means that Redis did not confirm it: putting again is safe.
func (q *Queue) Put(ctx context.Context, job Job) (added bool, err error) {
	return q.PutAfter(ctx, job, 0)
}

// PutAfter puts a job that joins the end of its lane after delay, measured by
// Redis. Until then it holds up no other job of the lane.
func (q *Queue) PutAfter(ctx context.Context, job Job, delay time.Duration) (bool, error) {
	if err := job.validate(); err != nil {
		return false, err
	}
	ctx, done := q.spans.putting(ctx, "send", job)
	added, err := q.space.did(ctx, "put", q.putArgs(ctx, job, delay))
	done(added, err)
	if err == nil && delay > 0 {
		q.wakeScheduler(delay)
	}
	return added, errorf("put", job.ID, err)
}

func (j Job) validate() error {
	switch {
	case j.ID == "" || j.Lane == "" || j.Kind == "":
		return ErrInvalidJob
	case len(j.Body) > 0 && !json.Valid(j.Body):
		return ErrInvalidJob
	}
	return nil
}

// scheduled has the scheduler look for due lanes, if it would look by itself only after that time.
func (q *Queue) wakeScheduler(after time.Duration) {
	if after >= q.o.scheduleInterval() {
		return
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
