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

// Talk sends messages and reference images to an order's editor.
type Talk struct {
	slack      answers.Slack
	service    job.Service
	store      *store.Store
	access     *access.Control
	files      *files.Signer
	albums     *Albums
	liveOrders *job.Orders
	waiting    *job.Waiting
	forms      *answers.Forms
	messages   *answers.Messages
	home       *Home
	putter     *job.Putter
	mentions   *Mentions
	log        *slog.Logger
}

// outbound is one delivery of a job that sends a message or images to an order's editor. The service refuses
// duplicates: an unknown outcome is resolved by sending again, and "duplicate" means that the first had arrived.
type outbound struct {
	job.Run
	talk    *Talk
	asker   answers.Asker
	payload payload
	order   store.Tracked
	saved   outboundState
	again   bool // an earlier send may have arrived
}

// payload is a message or images for the editor, and the answers to the person who sends it.
type payload interface {
	to() (asker answers.Asker, order string)
	// prepare makes the content. Any end but noEnd stops the job.
	prepare(ctx context.Context, e *outbound) (end, error)
	intent(e *outbound) order.Intent
	send(ctx context.Context, e *outbound) (order.Order, error)
	// notify tells the person how it ended, by the saved state; also on redelivery.
	notify(ctx context.Context, e *outbound) error
	// later tells the person that the service does not answer.
	later(ctx context.Context, e *outbound) error
}

// end is how an outbound job ended.
type end string

const (
	noEnd        end = "" // not yet
	endDelivered end = job.EndDelivered
	endReturned  end = job.EndReturned // not sent: state.Unsent says why
	endHidden    end = "hidden"        // the person may not see the order
	endDenied    end = "guest"         // the person may only see the order; state.Why says why
	endNothing   end = "nothing"       // the app's own message, which is never sent
)

// outboundState is the durable progress of an outbound job.
type outboundState struct {
	job.Progress
	Tries int `json:"tries,omitempty"` // sends, whatever their outcome
	End   end `json:"end,omitempty"`

	Why     order.Denial `json:"why,omitempty"`    // for endDenied
	Text    string       `json:"text,omitempty"`   // of the message, made once
	Answer  *order.Order `json:"answer,omitempty"` // service's answer, until it is recorded
	Version int64        `json:"version,omitempty"`
	Unsent  talk.Unsent  `json:"unsent,omitzero"`
}

// maxTries bounds the sends of unknown outcome. A service that answers other requests cannot take this one.
const maxTries = 20

// outbound returns the delivery with the state of earlier ones.
func (j *Talk) outbound(ctx context.Context, d *queue.Delivery, p payload) (*outbound, error) {
	state, err := queue.State[outboundState](d)
	if err != nil {
		return nil, err
	}
	asker, id := p.to()
	e := &outbound{talk: j, payload: p, asker: asker, saved: state}
	e.Run = job.Run{Waiting: j.waiting, Delivery: d, Mark: &e.saved.Progress, State: &e.saved}
	e.order, err = j.store.Orders.Order(ctx, id)
	return e, err
}

// sendOutbound sends the payload to the editor.
func (j *Talk) sendOutbound(ctx context.Context, d *queue.Delivery, p payload) error {
	e, err := j.outbound(ctx, d, p)
	gone := errors.Is(err, store.ErrNotTracked)
	switch {
	case err != nil && !gone:
		return err
	case gone && e.saved.Phase != job.Answered:
		return e.end(ctx, endHidden)
	}
	return e.Ended(ctx, e.order.ID, job.Resume(ctx, e))
}

// outboundKind declares an outbound job, whose arguments are its payload.
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

// Begin sends the payload if the person may, and the order takes it.
func (e *outbound) Begin(ctx context.Context) error {
	permit, err := e.talk.access.Authorize(ctx, e.asker.AsRequest(), e.order)
	switch {
	case err != nil:
		return err
	case !permit.Sees:
		return e.end(ctx, endHidden)
	case permit.Denial != "":
		e.saved.Why = permit.Denial
		return e.end(ctx, endDenied)
	}
	e.order, err = e.talk.liveOrders.RefetchGone(ctx, e.order)
	switch {
	case job.Outage(err):
		return e.retryLater(ctx, err)
	case errors.Is(err, order.ErrRefused): // the order stays gone
		e.talk.log.WarnContext(ctx, "the service tells nothing of an order that is gone", "order", e.order.ID, "err", err)
	case err != nil:
		return err
	}
	stop, err := e.payload.prepare(ctx, e)
	switch {
	case err != nil:
		return err
	case stop != noEnd:
		return e.end(ctx, stop)
	}
	if why := cards.NoMessage(e.order); why != "" {
		return e.notSent(ctx, talk.Unsent{Why: why})
	}
	return e.transmit(ctx)
}

// tooLong ends a job whose text exceeds the service's limit.
func (e *outbound) tooLong(text string) end {
	if utf8.RuneCountInString(text) <= order.MaxMessage {
		return noEnd
	}
	e.saved.Unsent.Why = talk.TooLong(text)
	return endReturned
}

// transmit leaves the intent on the order and sends.
func (e *outbound) transmit(ctx context.Context) error {
	if e.saved.Tries >= maxTries {
		return e.notSent(ctx, talk.Unsent{Why: cards.NoAnswer(e.order), Unknown: true})
	}
	if e.saved.Sends > 0 {
		if _, err := e.talk.service.Fetch(ctx, e.order.ID); err != nil && job.Outage(err) {
			return e.retryLater(ctx, err) // an outage uses up no try
		}
	}
	switch goes, err := e.Intend(ctx, e.order.ID, e.asker.User, e.payload.intent(e)); {
	case err != nil:
		return err
	case !goes:
		return e.end(ctx, endHidden)
	}
	e.again = e.saved.Sends > 0 || !e.Delivery.SameRun
	e.saved.Version = e.order.Version
	e.saved.Tries++
	return job.SendMarked(ctx, e)
}
