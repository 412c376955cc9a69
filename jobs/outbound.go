package jobs

import (
	"context"
	"errors"
	"unicode/utf8"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// outbound is one delivery of a job that sends words or images to an order's editor. The
// service refuses the same thing twice: what may be out is sent again, and "duplicate"
// then means that it had arrived.
type outbound struct {
	run
	asker   Asker
	payload payload
	order   store.Tracked
	kept    outboundState
	again   bool // an earlier send may have arrived
}

// payload is what goes to the editor, and how its person hears of it.
type payload interface {
	to() (asker Asker, order string)
	// prepare makes what is to be sent; an end other than none stops it.
	prepare(ctx context.Context, e *outbound) (end, error)
	intent(e *outbound) order.Intent // verb, words, and what it brings
	send(ctx context.Context, e *outbound) (order.Order, error)
	// notify tells how it ended, as the state says; also when it was told before.
	notify(ctx context.Context, e *outbound) error
	// later tells, once, that the service does not answer.
	later(ctx context.Context, e *outbound) error
}

// end is how it ended.
type end string

const (
	endNone      end = ""
	endDelivered end = "delivered"
	endKept      end = "kept"   // not brought: state.Unsent says why
	endHidden    end = "hidden" // to this person the order does not exist
	endGuest     end = "guest"  // who may only see; state.Why says for what reason
	endNothing   end = "nothing"
)

// outboundState is the durable progress of one.
type outboundState struct {
	Progress
	Tries int `json:"tries,omitempty"` // sends, whatever became of them
	End   end `json:"end,omitempty"`

	Why     order.Denial `json:"why,omitempty"`    // guest
	Text    string       `json:"text,omitempty"`   // the words, made once
	Answer  *order.Order `json:"answer,omitempty"` // the service's, until it is recorded
	Version int64        `json:"version,omitempty"`
	Unsent  cards.Unsent `json:"unsent,omitzero"`
}

// mostTries bounds how often something of unknown outcome is sent: by then the service,
// which answers otherwise, cannot take it.
const mostTries = 20

// outbound is a delivery of what is to be brought to an editor, with what earlier ones left.
func (j *Jobs) outbound(ctx context.Context, d *queue.Delivery, p payload) (*outbound, error) {
	state, err := queue.State[outboundState](d)
	if err != nil {
		return nil, err
	}
	asker, id := p.to()
	e := &outbound{payload: p, asker: asker, kept: state}
	e.run = run{Jobs: j, d: d, mark: &e.kept.Progress, state: &e.kept}
	e.order, err = j.store.Order(ctx, id)
	return e, err
}

// sendOutbound brings it to the editor.
func (j *Jobs) sendOutbound(ctx context.Context, d *queue.Delivery, p payload) error {
	e, err := j.outbound(ctx, d, p)
	gone := errors.Is(err, store.ErrNotTracked)
	switch {
	case err != nil && !gone:
		return err
	case gone && e.kept.Phase != answered:
		return e.end(ctx, endHidden)
	}
	return e.ended(ctx, e.order.ID, resume(ctx, e))
}

// outboundKind declares the job of something outbound, whose arguments are its payload.
func outboundKind[A payload](j *Jobs, k queue.Kind[A]) queue.Declared {
	k.Truth = truthOfWrite
	k.Work = func(ctx context.Context, d *queue.Delivery, args A) error { return j.sendOutbound(ctx, d, args) }
	k.Blocked = func(ctx context.Context, d *queue.Delivery, args A) error {
		e, err := j.outbound(ctx, d, args)
		if err != nil {
			return err
		}
		return args.later(ctx, e)
	}
	return k.Declare()
}

// begin ends what this person, or anybody, may not do, and sends the rest.
func (e *outbound) begin(ctx context.Context) error {
	permit, err := e.access.Authorize(ctx, e.asker.request(), e.order)
	switch {
	case err != nil:
		return err
	case !permit.Sees:
		return e.end(ctx, endHidden)
	case permit.Denial != "":
		e.kept.Why = permit.Denial
		return e.end(ctx, endGuest)
	}
	e.order, err = e.seeAgain(ctx, e.order)
	switch {
	case outage(err):
		return e.later(ctx, err)
	case errors.Is(err, order.ErrRefused): // it is not seen again
		e.log.WarnContext(ctx, "the service tells nothing of an order that is gone", "order", e.order.ID, "err", err)
	case err != nil:
		return err
	}
	stop, err := e.payload.prepare(ctx, e)
	switch {
	case err != nil:
		return err
	case stop != endNone:
		return e.end(ctx, stop)
	}
	if why := cards.NoMessage(e.order); why != "" {
		return e.keep(ctx, cards.Unsent{Why: why})
	}
	return e.transmit(ctx)
}

// tooLong ends words that are more than a message holds.
func (e *outbound) tooLong(text string) end {
	if utf8.RuneCountInString(text) <= order.MaxMessage {
		return endNone
	}
	e.kept.Unsent.Why = cards.TooLong(text)
	return endKept
}

// transmit leaves the intent on the order and sends.
func (e *outbound) transmit(ctx context.Context) error {
	if e.kept.Tries >= mostTries { // the service never answers
		return e.keep(ctx, cards.Unsent{Why: cards.NoAnswer(e.order), Doubt: true})
	}
	if e.kept.Sends > 0 {
		if _, err := e.service.Fetch(ctx, e.order.ID); err != nil && outage(err) {
			return e.later(ctx, err) // it is away altogether: no try is used up
		}
	}
	switch goes, err := e.intend(ctx, e.order.ID, e.asker.User, e.payload.intent(e)); {
	case err != nil:
		return err
	case !goes:
		return e.end(ctx, endHidden)
	}
	e.again = e.kept.Sends > 0 || !e.d.SameRun
	e.kept.Version = e.order.Version
	e.kept.Tries++
	return sendMarked(ctx, e)
}
