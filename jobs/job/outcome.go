package job

import (
	"context"
	"errors"
	"time"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// A write to the service is done, refused, not sent at all, or of unknown outcome: its answer was
// lost, or whoever sent it died. So it is marked, durably, before it is sent, and whoever finds the
// mark asks how it ended before anything is sent again. Each kind asks in its own way:
//
//	placing an order             look for its reference and adopt it         place_look.go
//	approving, revising,         fetch the order and compare it with what    change.go
//	canceling                    the person saw
//	messages, reference images   send again: the service refuses what it     outbound.go
//	                             has as a duplicate
//	a post in Slack              read the thread, adopt what is there, and   notifier/inflight.go,
//	                             delete the younger of two later             notifier/dedupe.go
//
// The first three are a [Write] each; the last is no write to the service, and the announcer's.

// Phase is how far a write has come. It is kept before the step that it names.
type Phase string

// The phases of a write.
const (
	Accepted Phase = ""         // nothing of it is out
	Sending  Phase = "sending"  // it may be out
	Arrived  Phase = "arrived"  // the service has it, and the order is still to be recorded
	Answered Phase = "answered" // how it ended is known, and perhaps not yet told
)

// Progress is the part of their durable state that all writes have in common.
type Progress struct {
	Phase  Phase     `json:"phase,omitempty"`
	Sends  int       `json:"sends,omitempty"`  // those that may have arrived
	SentAt time.Time `json:"sent_at,omitzero"` // the last of them, by the clock of Redis
	Waits  int       `json:"waits,omitempty"`  // times that the service did not answer
}

// Run is one delivery of a job that writes to the service.
type Run struct {
	Waiting  *Waiting
	Delivery *queue.Delivery
	Mark     *Progress // in the state
	State    any       // all that is kept of the job, by its address
}

// Save keeps the state for the next delivery.
func (r *Run) Save(ctx context.Context) error { return r.Delivery.SetState(ctx, r.State) }

// Base returns the run itself, to a [Write] that embeds it.
func (r *Run) Base() *Run { return r }

// Write is a run, and what its deed does at each turn.
type Write interface {
	Base() *Run
	Begin(ctx context.Context) error // nothing is out: send it, if nothing speaks against it
	Send(ctx context.Context) (order.Order, error)
	Done(ctx context.Context, answer order.Order) error // the service has it, and says so
	Refused(ctx context.Context, why error) error       // the service says no
	Unsent(ctx context.Context, why error) error        // it never left; its mark is gone, and that is to be saved
	// unknown asks how it ended: right after it was sent, with what went wrong, or, with nil,
	// because an earlier delivery left its mark.
	Unknown(ctx context.Context, why error) error
	Answer(ctx context.Context) error // it has ended before, and perhaps nobody was told
}

// Resume goes on where an earlier delivery left a write.
func Resume(ctx context.Context, w Write) error {
	switch w.Base().Mark.Phase {
	case Accepted:
		return w.Begin(ctx)
	case Answered:
		return w.Answer(ctx)
	}
	return w.Unknown(ctx, nil)
}

// SendMarked marks a write, sends it, and goes by how it ended.
func SendMarked(ctx context.Context, w Write) error {
	r := w.Base()
	before := *r.Mark
	r.Mark.Phase, r.Mark.Sends, r.Mark.SentAt = Sending, before.Sends+1, r.Delivery.Now()
	if err := r.Save(ctx); err != nil {
		return err
	}
	answer, err := w.Send(ctx)
	switch {
	case err == nil:
		return w.Done(ctx, answer)
	case ctx.Err() != nil:
		return ctx.Err() // whoever takes over finds the mark
	case NeverLeft(err):
		*r.Mark = before
		return w.Unsent(ctx, &order.Error{Op: "account", Outcome: order.ErrUnavailable, Cause: err})
	case errors.Is(err, order.ErrUnavailable):
		*r.Mark = before
		return w.Unsent(ctx, err)
	case errors.Is(err, order.ErrUnknown):
		return w.Unknown(ctx, err)
	}
	return w.Refused(ctx, err)
}

// PutOff waits for a service that does not answer. At the second time the person hears of it, once
// or in any case, and from then on those whose jobs stand behind this one.
func (r *Run) PutOff(ctx context.Context, order string, wait time.Duration, inAnyCase bool, tell func(context.Context) error) error {
	r.Mark.Waits++
	if err := r.Save(ctx); err != nil {
		return err
	}
	if r.Mark.Waits == 2 && (r.Waiting.First(ctx, r.Delivery.ID) || inAnyCase) {
		if err := tell(ctx); err != nil {
			r.Waiting.Log.WarnContext(ctx, "person not told that the service is away", "job", r.Delivery.ID, "err", err)
		}
	}
	if r.Mark.Waits >= 2 {
		r.Waiting.Start(ctx, r.Delivery, order, wait)
	}
	return queue.Wait(wait)
}

// Intend leaves on an order what is about to be sent, and tells whether it may be. Nothing begins
// for an order that was untracked: only what may be out is brought to its end.
func (r *Run) Intend(ctx context.Context, order, actor string, intent order.Intent) (bool, error) {
	intent.Actor, intent.At, intent.Job = actor, time.Now(), r.Delivery.ID
	err := r.Waiting.Store.Changes.Intend(ctx, order, intent)
	if errors.Is(err, store.ErrNotTracked) {
		return r.Mark.Sends > 0, nil
	}
	return err == nil, err
}

// ClearIntent takes back what this job left on an order, if the order is still tracked.
func (r *Run) ClearIntent(ctx context.Context, order string) error {
	err := r.Waiting.Store.Changes.ClearIntent(ctx, order, r.Delivery.ID)
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	return err
}
