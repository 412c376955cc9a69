package job

import (
	"context"
	"errors"
	"time"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// A write to the service is done, refused, not sent, or of unknown outcome: its answer was lost, or the process that
// sent it died. So a durable mark is saved before a write is sent. A delivery that finds the mark verifies the outcome
// before it sends again. Each kind verifies in its own way:
//
//	placing an order             search for its reference and adopt it       jobs/place_reconcile.go
//	approving, revising,         fetch the order and compare it with what    jobs/change.go
//	canceling                    the person saw
//	messages, reference images   send again: the service refuses duplicates  jobs/outbound.go
//	a post in Slack              read the thread, adopt what is there, and   announce/recovery.go,
//	                             delete the younger of two later             announce/dedupe.go
//
// The first three are a [Write] each. The announcer posts in Slack.

// Phase is how far a write has come. It is saved before the step that it names.
type Phase string

// The phases of a write.
const (
	Accepted Phase = ""         // not sent
	Sending  Phase = "sending"  // perhaps sent
	Arrived  Phase = "arrived"  // the service has it; the order is not yet recorded
	Answered Phase = "answered" // the outcome is known; the person is perhaps not yet notified
)

// Progress is the durable state that all writes have in common.
type Progress struct {
	Phase  Phase     `json:"phase,omitempty"`
	Sends  int       `json:"sends,omitempty"`  // sends that may have arrived
	SentAt time.Time `json:"sent_at,omitzero"` // time of the last of them, by Redis's clock
	Waits  int       `json:"waits,omitempty"`  // times that the service did not answer
}

// Run is one delivery of a job that writes to the service.
type Run struct {
	Waiting  *Waiting
	Delivery *queue.Delivery
	Mark     *Progress // part of State
	State    any       // pointer to the job's durable state
}

// Save saves the state for the next delivery.
func (r *Run) Save(ctx context.Context) error { return r.Delivery.SetState(ctx, r.State) }

// Base returns the run that a [Write] embeds.
func (r *Run) Base() *Run { return r }

// Write is one delivery of a kind of write, with its steps.
type Write interface {
	Base() *Run
	Begin(ctx context.Context) error // sends it if that is allowed; it is not sent yet
	Send(ctx context.Context) (order.Order, error)
	Done(ctx context.Context, answer order.Order) error // the service carried it out
	Refused(ctx context.Context, why error) error       // the service refused it
	Unsent(ctx context.Context, why error) error        // it never left; the cleared mark must be saved
	// Unknown verifies the outcome: right after the send, with its error, or with nil because an earlier delivery left
	// its mark.
	Unknown(ctx context.Context, why error) error
	Answer(ctx context.Context) error // notifies the person of an outcome that an earlier delivery saved
}

// Resume continues a write where the last delivery stopped.
func Resume(ctx context.Context, w Write) error {
	switch w.Base().Mark.Phase {
	case Accepted:
		return w.Begin(ctx)
	case Answered:
		return w.Answer(ctx)
	}
	return w.Unknown(ctx, nil)
}

// SendMarked marks a write, sends it, and calls the step for its outcome.
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
		return ctx.Err() // the next delivery finds the mark
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

// PutOff waits for a service that does not answer. At the second wait it notifies the person, and the persons of the jobs
// behind this one. A person with several jobs that wait is notified of the first only, unless inAnyCase is set.
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

// Intend saves the intent of a write on its order, and reports whether the write may be sent. For an untracked order,
// only a write that was sent before may go on.
func (r *Run) Intend(ctx context.Context, order, actor string, intent order.Intent) (bool, error) {
	intent.Actor, intent.At, intent.Job = actor, time.Now(), r.Delivery.ID
	err := r.Waiting.Store.Changes.Intend(ctx, order, intent)
	if errors.Is(err, store.ErrNotTracked) {
		return r.Mark.Sends > 0, nil
	}
	return err == nil, err
}

// ClearIntent removes this job's intent from an order, if that is still tracked.
func (r *Run) ClearIntent(ctx context.Context, order string) error {
	err := r.Waiting.Store.Changes.ClearIntent(ctx, order, r.Delivery.ID)
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	return err
}
