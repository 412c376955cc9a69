package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"time"
)

// Confirm is what a person reads when their command or form could not be taken in
// time, or at all. It is true because repeats end as one job.
const Confirm = "I could not confirm this. Submitting again is safe."

var (
	errLate   = errors.New("the handler did not answer in time")
	errBusy   = errors.New("too many requests at once")
	errNobody = errors.New("nobody handles this form")
	errPanic  = errors.New("panic")
)

type outcome struct {
	reply Reply
	err   error
}

// Handle answers one request within 2.5 s. Until then it waits for the handler; later
// the handler's ctx has ended and its result is dropped. A handler that fails, panics
// or is late costs the person a sentence with a reference that the log has too:
//
//   - a command is answered with [Confirm], seen by that person only
//   - a submitted modal stays open, with Confirm under its first input
//   - an event is asked for again: see [Reply]
//   - a button or shortcut is answered with an empty 200, and then told: [Router.Unconfirmed]
//   - everything else is answered with an empty 200
//
// A request nobody handles is acknowledged and logged; but a modal stays open, since an
// acknowledgement would close it with all that was typed.
func (r *Router) Handle(ctx context.Context, q Request) Reply {
	return r.handle(ctx, q, time.Now().Add(ackDeadline))
}

// handleAll handles all requests of one delivery, which share the time there is; the first answer
// with a body is the delivery's.
func (r *Router) handleAll(ctx context.Context, requests []Request, arrived time.Time) Reply {
	var reply Reply
	for _, q := range requests {
		got := r.handle(ctx, q, arrived.Add(ackDeadline))
		reply.Again = reply.Again || got.Again
		if reply.Body == nil {
			reply.Body = got.Body
		}
	}
	return reply
}

// handle is [Router.Handle] until a time.
func (r *Router) handle(ctx context.Context, q Request, until time.Time) Reply {
	reply, is, err := r.atOnce(ctx, q)
	traced := !is || err != nil || r.tracer != nil || r.log.Enabled(ctx, slog.LevelDebug) // else nobody hears of it
	if traced {
		ctx = r.begin(ctx, q, until.Add(-ackDeadline))
	}
	if !is {
		reply, err = r.answer(ctx, q, until)
	}
	if err != nil {
		reply = r.unconfirmed(ctx, q, err)
	}
	if traced {
		r.end(ctx, q, err, ackDeadline-time.Until(until))
	}
	if r.observe != nil {
		r.observe(Answered{Kind: q.Kind, Name: q.Name, Verb: q.Verb, Outcome: outcomeOf(err), Took: ackDeadline - time.Until(until)})
	}
	return reply
}

// answer is what its handler answers a request with, or why it was not confirmed.
func (r *Router) answer(ctx context.Context, q Request, until time.Time) (Reply, error) {
	_, h := r.find(q)
	switch {
	case h == nil && r.whose != nil:
		h = r.dispatched
	case h == nil:
		return r.nobody(ctx, q)
	}
	if !r.slots.TryAcquire(1) {
		return Reply{}, errBusy
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		defer r.slots.Release(1)
		done <- r.run(ctx, h, q)
	}()
	return await(ctx, done)
}

// nobody answers a request without a handler.
func (r *Router) nobody(ctx context.Context, q Request) (Reply, error) {
	if q.Kind == KindSubmit {
		return Reply{}, errNobody
	}
	r.log.WarnContext(ctx, "nobody handles this request", "kind", q.Kind, "name", q.Name)
	return nothing(q.Kind), nil
}

// atOnce answers a command in this goroutine when that needs no waiting.
func (r *Router) atOnce(ctx context.Context, q Request) (reply Reply, is bool, err error) {
	answer := r.instant[q.Name]
	if answer == nil || q.Kind != KindCommand {
		return Reply{}, false, nil
	}
	defer func() {
		if p := recover(); p != nil {
			is, err = true, r.panicked(identified(ctx, q), q, p)
		}
	}()
	reply, is = answer(q)
	return reply, is, nil
}

func await(ctx context.Context, done <-chan outcome) (Reply, error) {
	select {
	case o := <-done:
		return o.reply, o.err
	case <-ctx.Done():
		return Reply{}, fmt.Errorf("%w: %w", errLate, ctx.Err())
	}
}

// run calls a handler and turns its panic into an error.
func (r *Router) run(ctx context.Context, h HandlerFunc, q Request) (o outcome) {
	defer func() {
		if p := recover(); p != nil {
			o = outcome{err: r.panicked(ctx, q, p)}
		}
	}()
	reply, err := h(ctx, q)
	return outcome{reply, err}
}

// panicked is the error of a handler that panicked; the log has where.
func (r *Router) panicked(ctx context.Context, q Request, p any) error {
	r.log.ErrorContext(ctx, "handler panicked", "kind", q.Kind, "name", q.Name, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	return fmt.Errorf("%w: %v", errPanic, p)
}

func (r *Router) unconfirmed(ctx context.Context, q Request, err error) Reply {
	ref := reference(q)
	r.log.ErrorContext(ctx, "request not confirmed", "ref", ref, "kind", q.Kind, "name", q.Name, "verb", q.Verb, "user", q.User, "err", err)
	sentence := Confirm + " Reference: " + ref + "."
	switch q.Kind {
	case KindCommand:
		return Ephemeral(sentence)
	case KindSubmit:
		return Errors(map[string]string{firstInput(q): sentence})
	case KindEvent:
		return Reply{Again: true}
	case KindAction, KindShortcut:
		r.tellLater(ctx, q, sentence)
	}
	return nothing(q.Kind)
}

// tellTime bounds the telling of what could not be confirmed.
const tellTime = 10 * time.Second

// tellLater takes one of the places of the handlers; without one nobody is told.
func (r *Router) tellLater(ctx context.Context, q Request, sentence string) {
	if r.tell == nil || !r.slots.TryAcquire(1) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), tellTime)
	go func() {
		defer r.slots.Release(1)
		defer cancel()
		r.tell(ctx, q, sentence)
	}()
}

func nothing(kind Kind) Reply {
	if kind == KindOptions {
		return Suggest()
	}
	return Ack()
}

// firstInput is the block an error can be shown at. Without an input any block will
// do: Slack then says on its own that there was trouble, and the view stays open.
func firstInput(q Request) string {
	switch {
	case q.Shown.Input != "":
		return q.Shown.Input
	case q.View != nil && q.View.State != nil && len(q.View.State.Values) > 0:
		return slices.Min(slices.Collect(maps.Keys(q.View.State.Values)))
	}
	return "none"
}
