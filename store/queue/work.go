package queue

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// work claims the lane of a token, runs the handler on its first job and settles it.
func (r *runner) work(ctx context.Context, t token) {
	d, sent := r.claim(ctx, t)
	if d == nil {
		return
	}
	ctx = r.q.spans.begin(r.base, d)
	lease := &heldContext{Context: ctx}
	held, lose := context.WithCancelCause(lease)
	defer lose(nil)
	release := r.hold(held, d, &lease.end, sent, lose)
	defer release()

	began := time.Now()
	o := r.run(held, d)
	took := time.Since(began)
	ours := r.settle(held, d, o)
	r.q.spans.end(ctx, o, ours)
	r.observe(d, o, began, took, ours)
	r.logOutcome(ctx, d, o, ours)
}

// claim claims a lane; it retries during a short outage. It returns the earliest time at which the claim can have
// begun.
func (r *runner) claim(ctx context.Context, t token) (d *Delivery, sent time.Time) {
	fence := r.consumer + "/" + strconv.FormatInt(r.claims.Add(1), 10)
	ctx, cancel := context.WithTimeout(ctx, r.q.o.Lease) // then another worker takes it over
	defer cancel()
	sure := r.retry(ctx, func() (err error) {
		sent = time.Now()
		d, err = r.q.claims().claimLane(r.base, r.consumer, t, fence)
		return err
	})
	if !sure {
		r.giveBack(t.entry)
		return nil, sent
	}
	return d, sent
}

// retry repeats f until it succeeds or ctx ends.
func (r *runner) retry(ctx context.Context, f func() error) bool {
	pause := newPause()
	for ctx.Err() == nil {
		err := f()
		r.report(ctx, "work", err)
		if err == nil {
			return true
		}
		wait(ctx, pause.NextBackOff())
	}
	return false
}

// hold renews a claim until release. It ends held with [ErrLostClaim] if the claim is lost, or if Redis has not
// confirmed it for a lease.
func (r *runner) hold(held context.Context, d *Delivery, end *leaseEnd, sent time.Time, lose context.CancelCauseFunc) (release func()) {
	lease := r.q.o.Lease
	end.set(sent.Add(lease))
	expiry := time.AfterFunc(lease-time.Since(sent), func() { lose(ErrLostClaim) })
	done := make(chan struct{})
	go func() {
		for every := lease / 3; ; {
			select {
			case <-done:
				return
			case <-held.Done():
				return
			case <-time.After(every):
			}
			sent := time.Now()
			ours, err := r.q.claims().renew(held, d.claim)
			switch {
			case err != nil:
				every = lease / 12
				continue
			case !ours:
				lose(ErrLostClaim)
				return
			}
			every = lease / 3
			end.set(sent.Add(lease))
			expiry.Reset(lease - time.Since(sent))
		}
	}()
	return func() { expiry.Stop(); close(done) }
}

// run runs the handler and returns the outcome.
func (r *runner) run(held context.Context, d *Delivery) outcome {
	ctx, cancel := context.WithCancelCause(held)
	defer cancel(nil)
	defer context.AfterFunc(r.handlerCtx, func() { cancel(context.Cause(r.handlerCtx)) })()

	r.running.Add(1)
	err := r.call(ctx, d)
	r.running.Add(-1)
	o := r.outcomeOf(ctx, err, d.Attempt)
	var dead *deadError
	if err != nil && errors.Is(context.Cause(ctx), ErrDrained) && !o.waits() && !errors.As(err, &dead) {
		return outcome{verb: "back"}
	}
	o.reason = shorten(o.reason)
	return o
}

// call calls the handler; a panic becomes an error.
func (r *runner) call(ctx context.Context, d *Delivery) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			r.q.log.ErrorContext(ctx, "job panicked", "job", d.ID, "kind", d.Kind, "panic", p, "stack", string(debug.Stack()))
		}
	}()
	return r.handle(ctx, d)
}

// settle records the outcome while the claim is held; it retries during an outage. It reports whether the claim was held.
func (r *runner) settle(held context.Context, d *Delivery, o outcome) bool {
	ours := false
	r.retry(held, func() (err error) {
		ours, err = r.q.claims().settle(held, d.claim, o)
		return err
	})
	if !ours && r.base.Err() == nil {
		r.q.log.WarnContext(held, "claim lost, job will be delivered again", "job", d.ID, "lane", d.Lane, "outcome", o.verb)
	}
	if o.waits() || o.verb == "retry" {
		r.q.wakeScheduler(o.after)
	}
	return ours
}

// logOutcome logs how a delivery ended: a dead job always, a done one at level info, one that comes back at debug. Whoever
// took over a delivery that is no longer ours logs it.
func (r *runner) logOutcome(ctx context.Context, d *Delivery, o outcome, ours bool) {
	switch {
	case !ours:
	case o.verb == "dead":
		r.logDeath(ctx, d, o)
	case o.verb == "done" && r.q.log.Enabled(ctx, slog.LevelInfo):
		r.q.log.InfoContext(ctx, "job done", "job", d.ID, "kind", d.Kind, "deliveries", d.Deliveries, "age", d.Now().Sub(d.PutAt).Round(time.Millisecond))
	case o.verb != "done" && r.q.log.Enabled(ctx, slog.LevelDebug):
		r.q.log.DebugContext(ctx, "job comes back", "job", d.ID, "kind", d.Kind, "deliveries", d.Deliveries, "outcome", o.verb, "after", o.after)
	}
}

// logDeath logs a death and reports it.
func (r *runner) logDeath(ctx context.Context, d *Delivery, o outcome) {
	r.q.log.WarnContext(ctx, "job died", "job", d.ID, "kind", d.Kind, "lane", d.Lane, "reason", o.reason)
	ctx, cancel := context.WithTimeout(ctx, notifyAgain/2)
	defer cancel()
	if err := r.q.deathNotifier().notify(ctx, d.claim.id); err != nil {
		r.q.log.WarnContext(ctx, "a dead job will be told of again", "job", d.ID, "err", err)
	}
}

// shorten cuts a reason to a size that a list can show.
func shorten(reason string) string {
	const most = 2000
	if len(reason) <= most {
		return reason
	}
	return strings.ToValidUTF8(reason[:most], "") + "…"
}
