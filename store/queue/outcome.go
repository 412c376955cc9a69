package queue

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Handler works on one delivery of a job. It returns nil when the job is done, [Wait] or [Idle] to come back later, and
// [Dead] when the job can never succeed. Any other error is a failed attempt: the lane waits for the backoff, and after
// [Options].MaxAttempts failures the job is dead. A panic is a failed attempt. An error that says that Redis is [Away] is a
// wait: it uses no attempt.
//
// The context ends with the cause [ErrLostClaim] when the claim is lost, and with [ErrDrained] when the process stops. What
// the handler returns after that does not count against the job.
type Handler func(ctx context.Context, d *Delivery) error

// ErrLostClaim says that another worker may have the lane now. This delivery may change nothing more.
var ErrLostClaim = errors.New("queue: claim lost")

// ErrDrained is the cause of a handler's cancellation when the process ends.
var ErrDrained = errors.New("queue: drained")

type waitError struct {
	after time.Duration
	idle  bool // it may be woken
}

func (e *waitError) Error() string {
	if e.idle {
		return fmt.Sprintf("idle %s", e.after)
	}
	return fmt.Sprintf("wait %s", e.after)
}

type deadError struct{ err error }

func (e *deadError) Error() string { return e.err.Error() }
func (e *deadError) Unwrap() error { return e.err }

// Wait delivers the job again after that time. It uses no attempt, and the lane waits meanwhile.
func Wait(after time.Duration) error { return &waitError{after: after} }

// Idle is [Wait] until [Queue.Wake], for that long at most. A job that was woken during this delivery comes back at once.
func Idle(most time.Duration) error { return &waitError{most, true} }

// Dead ends the job for a reason: it cannot succeed.
func Dead(err error) error {
	return &deadError{cmp.Or(err, errors.New("no reason given"))}
}

// outcome is the end of a delivery; verb is a verb of settle.lua.
type outcome struct {
	verb   string
	after  time.Duration
	reason string
	away   bool // Redis was away while the handler ran
}

// waits says that the handler asked for a wait.
func (o outcome) waits() bool { return o.verb == "wait" || o.verb == "idle" }

// outcomeOf maps a handler's error to an outcome.
func (r *runner) outcomeOf(ctx context.Context, err error, failures int) outcome {
	var wait *waitError
	var dead *deadError
	switch {
	case err == nil:
		return outcome{verb: "done"}
	case errors.As(err, &wait):
		if wait.idle {
			return outcome{verb: "idle", after: wait.after}
		}
		return outcome{verb: "wait", after: wait.after}
	case errors.As(err, &dead):
		return outcome{verb: "dead", reason: err.Error()}
	case Away(err):
		r.q.log.WarnContext(ctx, "job waits for redis", "err", err)
		return outcome{verb: "wait", after: awayWait, away: true}
	case failures+1 >= r.q.o.MaxAttempts:
		return outcome{verb: "dead", reason: err.Error()}
	}
	return outcome{verb: "retry", after: r.q.o.Backoff(failures + 1), reason: err.Error()}
}

// backoffAfter is a second, doubled with each attempt up to five minutes, give
// or take a half.
func backoffAfter(attempt int) time.Duration {
	d := min(time.Second<<min(attempt-1, 10), 5*time.Minute)
	return d/2 + rand.N(d)
}
