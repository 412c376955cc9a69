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

// Confirm is the answer to a command or form that failed or was late. It is true because repeated requests
// end as one job.
const Confirm = "I could not confirm this. Submitting again is safe."

var (
	errLate      = errors.New("the handler did not answer in time")
	errBusy      = errors.New("too many requests at once")
	errUnhandled = errors.New("nobody handles this form")
	errPanic     = errors.New("panic")
)

type outcome struct {
	reply Reply
	err   error
}

// Handle answers one request within 2.5 s. After that the handler's ctx has ended and its result is
// dropped. When a handler fails, panics or is late, the answer depends on the kind of request. The person
// gets a reference that the log has too:
//
//   - command: [Confirm], visible to that person only
//   - submitted modal: it stays open, with Confirm under its first input
//   - event: Slack is asked to deliver it again, see [Reply]
//   - button or shortcut: an empty 200, then a message by [Router.Unconfirmed]
//   - everything else: an empty 200
//
// A request without a handler is logged and acknowledged. A submitted modal without a handler stays open:
// an acknowledgement would close it and lose the typed text.
func (r *Router) Handle(ctx context.Context, q Request) Reply {
	return r.handle(ctx, q, time.Now().Add(ackDeadline))
}

// handleAll handles all requests of one delivery within one deadline. It returns the first reply with a
// body.
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

// handle is [Router.Handle] with a given deadline.
func (r *Router) handle(ctx context.Context, q Request, until time.Time) Reply {
	reply, ok, err := r.answerInstantly(ctx, q)
	traced := !ok || err != nil || r.tracer != nil || r.log.Enabled(ctx, slog.LevelDebug) // otherwise the trace is not used
	if traced {
		ctx = r.begin(ctx, q, until.Add(-ackDeadline))
	}
	if !ok {
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

// answer runs the request's handler until the deadline.
func (r *Router) answer(ctx context.Context, q Request, until time.Time) (Reply, error) {
	_, h := r.find(q)
	switch {
	case h == nil && r.owner != nil:
		h = r.dispatched
	case h == nil:
		return r.unhandled(ctx, q)
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

// unhandled answers a request without a handler.
func (r *Router) unhandled(ctx context.Context, q Request) (Reply, error) {
	if q.Kind == KindSubmit {
		return Reply{}, errUnhandled
	}
	r.log.WarnContext(ctx, "nobody handles this request", "kind", q.Kind, "name", q.Name)
	return emptyReply(q.Kind), nil
}

// answerInstantly runs the instant answer of a command in this goroutine, if the command has one.
func (r *Router) answerInstantly(ctx context.Context, q Request) (reply Reply, ok bool, err error) {
	answer := r.instant[q.Name]
	if answer == nil || q.Kind != KindCommand {
		return Reply{}, false, nil
	}
	defer func() {
		if p := recover(); p != nil {
			ok, err = true, r.panicked(identified(ctx, q), q, p)
		}
	}()
	reply, ok = answer(q)
	return reply, ok, nil
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

// panicked logs the stack of a handler that panicked and returns the error.
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
		r.notifyLater(ctx, q, sentence)
	}
	return emptyReply(q.Kind)
}

// notifyTimeout bounds one call of Router.notify.
const notifyTimeout = 10 * time.Second

// notifyLater notifies the person in a handler slot. If no slot is free, it does nothing.
func (r *Router) notifyLater(ctx context.Context, q Request, sentence string) {
	if r.notify == nil || !r.slots.TryAcquire(1) {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), notifyTimeout)
	go func() {
		defer r.slots.Release(1)
		defer cancel()
		r.notify(ctx, q, sentence)
	}()
}

func emptyReply(kind Kind) Reply {
	if kind == KindOptions {
		return Suggest()
	}
	return Ack()
}

// firstInput returns the block for an error message. Without an input any block id will do: Slack then
// shows a general error and keeps the view open.
func firstInput(q Request) string {
	switch {
	case q.ViewSummary.Input != "":
		return q.ViewSummary.Input
	case q.View != nil && q.View.State != nil && len(q.View.State.Values) > 0:
		return slices.Min(slices.Collect(maps.Keys(q.View.State.Values)))
	}
	return "none"
}
