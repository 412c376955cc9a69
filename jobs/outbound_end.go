package jobs

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/cards/talk"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

func (e *outbound) Send(ctx context.Context) (order.Order, error) { return e.payload.send(ctx, e) }

// Done saves the service's answer before using it.
func (e *outbound) Done(ctx context.Context, answer order.Order) error {
	e.saved.Answer = &answer
	return e.saveArrived(ctx)
}

func (e *outbound) saveArrived(ctx context.Context) error {
	e.talk.waiting.Stop(ctx, e.order.ID, e.saved.Waits)
	e.saved.Phase = job.Arrived
	if err := e.Save(ctx); err != nil {
		return err
	}
	return e.recordArrived(ctx)
}

// Refused ends with the service's reasons, unless they say that an earlier send arrived. It returns errors that are
// neither an answer of the service nor about the input: the job tries again.
func (e *outbound) Refused(ctx context.Context, why error) error {
	_, input := errors.AsType[*order.InputError](why)
	u := talk.Unsent{Unknown: e.again && e.saved.Sends > 1}
	switch {
	case e.again && errors.Is(why, order.ErrDuplicate):
		return e.saveArrived(ctx)
	case errors.Is(why, order.ErrRefused):
		e.talk.waiting.Stop(ctx, e.order.ID, e.saved.Waits)
		u.Problems = job.Problems(why)
	case input, errors.Is(why, order.ErrNoSuchPath):
		u.Why, u.NotOffered = cards.Sentence(why, job.ShortRef(e.Delivery.ID)), errors.Is(why, order.ErrNoSuchPath)
	default:
		return why
	}
	if errors.Is(why, order.ErrDuplicate) {
		u.Why = talk.AlreadySent(e.order, e.payload.intent(e).Verb)
	}
	return e.notSent(ctx, u)
}

// Unsent clears the intent of a request that never left, and waits.
func (e *outbound) Unsent(ctx context.Context, why error) error {
	e.saved.Tries--
	if e.saved.Sends == 0 {
		if err := e.ClearIntent(ctx, e.order.ID); err != nil {
			return err
		}
		if relayed, ok := e.payload.(RelayArgs); ok && relayed.Offered {
			if err := e.Save(ctx); err != nil { // a job that died after the release must not take it for sent
				return err
			}
			if err := relayed.release(ctx, e); err != nil {
				return err
			}
		}
	}
	return e.retryLater(ctx, why)
}

// Unknown sends again, after a wait if the service did not answer just now.
func (e *outbound) Unknown(ctx context.Context, why error) error {
	switch {
	case why != nil:
		return e.retryLater(ctx, why)
	case e.saved.Phase == job.Arrived:
		return e.recordArrived(ctx)
	}
	return e.transmit(ctx)
}

// retryLater waits for a service that does not answer.
func (e *outbound) retryLater(ctx context.Context, why error) error {
	return e.PutOff(ctx, e.order.ID, job.RetryAfter(why, e.saved.Waits), false, func(ctx context.Context) error {
		return e.payload.later(ctx, e)
	})
}

// recordArrived records the answer. Without an answer, or if the order changed meanwhile, it fetches the order and
// adds the conversation of the answer.
func (e *outbound) recordArrived(ctx context.Context) error {
	if e.saved.Answer != nil {
		t, _, err := e.talk.store.Changes.RecordAnswer(ctx, e.order.ID, e.saved.Version, *e.saved.Answer, e.Delivery.ID)
		if err == nil {
			e.order = t
			return e.end(ctx, endDelivered)
		}
		if !errors.Is(err, store.ErrStale) {
			return err
		}
	}
	t, err := e.talk.liveOrders.Record(ctx, e.order.ID, e.Delivery.ID, func(t store.Tracked) (order.Order, error) { return e.fetchArrived(ctx, t) })
	switch {
	case errors.Is(err, order.ErrUnavailable), errors.Is(err, order.ErrUnknown):
		return e.retryLater(ctx, err)
	case err != nil:
		return err
	}
	e.order = t
	return e.end(ctx, endDelivered)
}

func (e *outbound) fetchArrived(ctx context.Context, t store.Tracked) (order.Order, error) {
	seen, err := e.talk.service.Fetch(ctx, t.ID)
	if errors.Is(err, order.ErrRefused) {
		seen, err = t.Order, nil // the payload arrived, whatever happened to the order since
	}
	if e.saved.Answer != nil {
		seen.Conversation = e.saved.Answer.Conversation
	}
	return seen, err
}

// notSent returns the payload to its person, with the reason.
func (e *outbound) notSent(ctx context.Context, u talk.Unsent) error {
	e.saved.Unsent = u
	return e.end(ctx, endReturned)
}

// end saves the outcome before it notifies the person, so that a redelivered job notifies again and sends nothing.
func (e *outbound) end(ctx context.Context, how end) error {
	e.saved.Phase, e.saved.End, e.saved.Answer = job.Answered, how, nil
	if err := e.Save(ctx); err != nil {
		return err
	}
	if how == endDelivered {
		e.talk.home.Changed(ctx, e.asker.Team, e.asker.User)
	} else if e.order.ID != "" {
		if err := e.ClearIntent(ctx, e.order.ID); err != nil {
			return err
		}
	}
	return e.Answer(ctx)
}

func (e *outbound) Answer(ctx context.Context) error { return e.payload.notify(ctx, e) }

// formPayload is a payload from a form, or from a line without a form.
type formPayload interface {
	payload
	sent(ctx context.Context, e *outbound) (answers.Answer, error)
	denied(why string) slack.ModalViewRequest
	// giveBack saves the payload, and returns the form with it and the same as a message.
	giveBack(ctx context.Context, e *outbound) (slack.ModalViewRequest, kit.Message, error)
}

// notifyForm shows the outcome in the form, or to its person alone.
func notifyForm(ctx context.Context, e *outbound, p formPayload) error {
	asker, _ := p.to()
	s, err := endAnswer(ctx, e, p)
	if err != nil {
		return err
	}
	if e.saved.End != endHidden {
		s = s.About(e.order)
	}
	return e.talk.forms.Show(ctx, asker, s)
}

// endAnswer returns the answer for the outcome.
func endAnswer(ctx context.Context, e *outbound, p formPayload) (answers.Answer, error) {
	asker, id := p.to()
	switch e.saved.End {
	case endDelivered:
		return p.sent(ctx, e)
	case endHidden:
		return answers.Plain(p.denied(cards.NotFound(id))), nil
	case endDenied:
		return answers.Plain(p.denied(cards.CannotPost(e.order.Owner.Channel, e.saved.Why))), nil
	}
	if why := cards.NoMessage(e.order); why != "" && asker.View != "" {
		return answers.Plain(p.denied(why)), nil
	}
	form, kept, err := p.giveBack(ctx, e)
	return answers.Plain(form, kept), err
}
