package jobs

import (
	"context"
	"errors"
	"log/slog"
	"unicode/utf8"

	"darkroom/access"
	"darkroom/cards"
	"darkroom/cards/talk"
	"darkroom/files"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Talk brings words and images to an order's editor.
type Talk struct {
	slack    answers.Slack
	service  job.Service
	store    *store.Store
	access   *access.Control
	files    *files.Signer
	albums   *Albums
	orders   *job.Orders
	waiting  *job.Waiting
	forms    *answers.Forms
	messages *answers.Messages
	home     *Home
	putter   *job.Putter
	log      *slog.Logger
}

// outbound is one delivery of a job that sends words or images to an order's editor. The
// service refuses the same thing twice: what may be out is sent again, and "duplicate"
// then means that it had arrived.
type outbound struct {
	job.Run
	talk    *Talk
	asker   answers.Asker
	payload payload
	order   store.Tracked
	kept    outboundState
	again   bool // an earlier send may have arrived
}

// payload is what goes to the editor, and how its person hears of it.
type payload interface {
	to() (asker answers.Asker, order string)
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
	endDelivered end = job.EndDelivered
	endKept      end = job.EndKept // not brought: state.Unsent says why
	endHidden    end = "hidden"    // to this person the order does not exist
	endGuest     end = "guest"     // who may only see; state.Why says for what reason
	endNothing   end = "nothing"
)

// outboundState is the durable progress of one.
type outboundState struct {
	job.Progress
	Tries int `json:"tries,omitempty"` // sends, whatever became of them
	End   end `json:"end,omitempty"`

	Why     order.Denial `json:"why,omitempty"`    // guest
	Text    string       `json:"text,omitempty"`   // the words, made once
	Answer  *order.Order `json:"answer,omitempty"` // the service's, until it is recorded
	Version int64        `json:"version,omitempty"`
	Unsent  talk.Unsent  `json:"unsent,omitzero"`
}

// mostTries bounds how often something of unknown outcome is sent: by then the service,
// which answers otherwise, cannot take it.
const mostTries = 20

// outbound is a delivery of what is to be brought to an editor, with what earlier ones left.
func (j *Talk) outbound(ctx context.Context, d *queue.Delivery, p payload) (*outbound, error) {
	state, err := queue.State[outboundState](d)
	if err != nil {
		return nil, err
	}
	asker, id := p.to()
	e := &outbound{talk: j, payload: p, asker: asker, kept: state}
	e.Run = job.Run{Waiting: j.waiting, Delivery: d, Mark: &e.kept.Progress, State: &e.kept}
	e.order, err = j.store.Orders.Order(ctx, id)
	return e, err
}

// sendOutbound brings it to the editor.
func (j *Talk) sendOutbound(ctx context.Context, d *queue.Delivery, p payload) error {
	e, err := j.outbound(ctx, d, p)
	gone := errors.Is(err, store.ErrNotTracked)
	switch {
	case err != nil && !gone:
		return err
	case gone && e.kept.Phase != job.Answered:
		return e.end(ctx, endHidden)
	}
	return e.Ended(ctx, e.order.ID, job.Resume(ctx, e))
}

// outboundKind declares the job of something outbound, whose arguments are its payload.
func outboundKind[A payload](j *Talk, k queue.Kind[A]) queue.Declared {
	k.Truth = job.OutcomeOfWrite
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

// Begin ends what this person, or anybody, may not do, and sends the rest.
func (e *outbound) Begin(ctx context.Context) error {
	permit, err := e.talk.access.Authorize(ctx, e.asker.AsRequest(), e.order)
	switch {
	case err != nil:
		return err
	case !permit.Sees:
		return e.end(ctx, endHidden)
	case permit.Denial != "":
		e.kept.Why = permit.Denial
		return e.end(ctx, endGuest)
	}
	e.order, err = e.talk.orders.SeeAgain(ctx, e.order)
	switch {
	case job.Outage(err):
		return e.later(ctx, err)
	case errors.Is(err, order.ErrRefused): // it is not seen again
		e.talk.log.WarnContext(ctx, "the service tells nothing of an order that is gone", "order", e.order.ID, "err", err)
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
		return e.keep(ctx, talk.Unsent{Why: why})
	}
	return e.transmit(ctx)
}

// tooLong ends words that are more than a message holds.
func (e *outbound) tooLong(text string) end {
	if utf8.RuneCountInString(text) <= order.MaxMessage {
		return endNone
	}
	e.kept.Unsent.Why = talk.TooLong(text)
	return endKept
}

// transmit leaves the intent on the order and sends.
func (e *outbound) transmit(ctx context.Context) error {
	if e.kept.Tries >= mostTries { // the service never answers
		return e.keep(ctx, talk.Unsent{Why: cards.NoAnswer(e.order), Unknown: true})
	}
	if e.kept.Sends > 0 {
		if _, err := e.talk.service.Fetch(ctx, e.order.ID); err != nil && job.Outage(err) {
			return e.later(ctx, err) // it is away altogether: no try is used up
		}
	}
	switch goes, err := e.Intend(ctx, e.order.ID, e.asker.User, e.payload.intent(e)); {
	case err != nil:
		return err
	case !goes:
		return e.end(ctx, endHidden)
	}
	e.again = e.kept.Sends > 0 || !e.Delivery.SameRun
	e.kept.Version = e.order.Version
	e.kept.Tries++
	return job.SendMarked(ctx, e)
}
