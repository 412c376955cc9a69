package jobs

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
// mark asks how it ended before anything is sent again. How to ask is for each deed to say:
//
//	placing an order             look for its reference and adopt it         place_look.go
//	approving, revising,         fetch the order and compare it with what    change.go
//	canceling                    the person saw
//	messages, reference images   send again: the service refuses what it     outbound.go
//	                             has as a duplicate
//	a post in Slack              read the thread, adopt what is there, and   notifier/inflight.go,
//	                             delete the younger of two later             notifier/dedupe.go
//
// The first three are a [write] each; the last is no write to the service, and the announcer's.

// phase is how far a write has come. It is kept before the step that it names.
type phase string

const (
	accepted phase = ""         // nothing of it is out
	sending  phase = "sending"  // it may be out
	arrived  phase = "arrived"  // the service has it, and the order is still to be recorded
	answered phase = "answered" // how it ended is known, and perhaps not yet told
)

// Progress is the part of their durable state that all writes have in common.
type Progress struct {
	Phase  phase     `json:"phase,omitempty"`
	Sends  int       `json:"sends,omitempty"`  // those that may have arrived
	SentAt time.Time `json:"sent_at,omitzero"` // the last of them, by the clock of Redis
	Waits  int       `json:"waits,omitempty"`  // times that the service did not answer
}

// run is one delivery of a job that writes to the service.
type run struct {
	*Jobs
	d     *queue.Delivery
	mark  *Progress // in the state
	state any       // all that is kept of the job, by its address
}

// save keeps the state for the next delivery.
func (r *run) save(ctx context.Context) error { return r.d.SetState(ctx, r.state) }

func (r *run) base() *run { return r }

// write is a run, and what its deed does at each turn.
type write interface {
	base() *run
	begin(ctx context.Context) error // nothing is out: send it, if nothing speaks against it
	send(ctx context.Context) (order.Order, error)
	done(ctx context.Context, answer order.Order) error // the service has it, and says so
	refused(ctx context.Context, why error) error       // the service says no
	unsent(ctx context.Context, why error) error        // it never left; its mark is gone, and that is to be saved
	// unknown asks how it ended: right after it was sent, with what went wrong, or, with nil,
	// because an earlier delivery left its mark.
	unknown(ctx context.Context, why error) error
	answer(ctx context.Context) error // it has ended before, and perhaps nobody was told
}

// resume goes on where an earlier delivery left a write.
func resume(ctx context.Context, w write) error {
	switch w.base().mark.Phase {
	case accepted:
		return w.begin(ctx)
	case answered:
		return w.answer(ctx)
	}
	return w.unknown(ctx, nil)
}

// sendMarked marks a write, sends it, and goes by how it ended.
func sendMarked(ctx context.Context, w write) error {
	r := w.base()
	before := *r.mark
	r.mark.Phase, r.mark.Sends, r.mark.SentAt = sending, before.Sends+1, r.d.Now()
	if err := r.save(ctx); err != nil {
		return err
	}
	answer, err := w.send(ctx)
	switch {
	case err == nil:
		return w.done(ctx, answer)
	case ctx.Err() != nil:
		return ctx.Err() // whoever takes over finds the mark
	case neverLeft(err):
		*r.mark = before
		return w.unsent(ctx, &order.Error{Op: "account", Outcome: order.ErrUnavailable, Cause: err})
	case errors.Is(err, order.ErrUnavailable):
		*r.mark = before
		return w.unsent(ctx, err)
	case errors.Is(err, order.ErrUnknown):
		return w.unknown(ctx, err)
	}
	return w.refused(ctx, err)
}

// putOff waits for a service that does not answer. At the second time the person hears of it, once
// or in any case, and from then on those whose jobs stand behind this one.
func (r *run) putOff(ctx context.Context, order string, wait time.Duration, inAnyCase bool, tell func(context.Context) error) error {
	r.mark.Waits++
	if err := r.save(ctx); err != nil {
		return err
	}
	if r.mark.Waits == 2 && (r.TellFirst(ctx, r.d.ID) || inAnyCase) {
		if err := tell(ctx); err != nil {
			r.log.WarnContext(ctx, "person not told that the service is away", "job", r.d.ID, "err", err)
		}
	}
	if r.mark.Waits >= 2 {
		r.lineWaits(ctx, r.d, order, wait)
	}
	return queue.Wait(wait)
}

// intend leaves on an order what is about to be sent, and tells whether it may be. Nothing begins
// for an order that was untracked: only what may be out is brought to its end.
func (r *run) intend(ctx context.Context, order, actor string, intent order.Intent) (bool, error) {
	intent.Actor, intent.At, intent.Job = actor, time.Now(), r.d.ID
	err := r.store.Intend(ctx, order, intent)
	if errors.Is(err, store.ErrNotTracked) {
		return r.mark.Sends > 0, nil
	}
	return err == nil, err
}

// clearIntent takes back what this job left on an order, if the order is still tracked.
func (r *run) clearIntent(ctx context.Context, order string) error {
	err := r.store.ClearIntent(ctx, order, r.d.ID)
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	return err
}

// record fetches an order and records it, and does so again when a newer truth is met on the way.
// job is the one whose request was answered before, "" when none was. It returns the order as it is
// known, also when it could not be recorded.
func (j *Jobs) record(ctx context.Context, id, job string, fetch func(store.Tracked) (order.Order, error)) (store.Tracked, error) {
	for range 5 {
		t, err := j.store.Order(ctx, id)
		if err != nil {
			return t, err
		}
		seen, err := fetch(t)
		if err != nil {
			return t, err
		}
		if t, _, err = j.store.RecordAnswer(ctx, t.ID, t.Version, seen, job); !errors.Is(err, store.ErrStale) {
			return t, err
		}
	}
	return store.Tracked{}, queue.Wait(time.Second) // somebody else keeps recording this order
}
