package jobs

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// How what goes to an editor is sent, and how it ends.

func (e *outbound) send(ctx context.Context) (order.Order, error) { return e.payload.send(ctx, e) }

// done keeps the service's answer before anything is done with it.
func (e *outbound) done(ctx context.Context, answer order.Order) error {
	e.kept.Answer = &answer
	return e.hasArrived(ctx)
}

func (e *outbound) hasArrived(ctx context.Context) error {
	e.lineMoves(ctx, e.order.ID, e.kept.Waits)
	e.kept.Phase = arrived
	if err := e.save(ctx); err != nil {
		return err
	}
	return e.recordArrived(ctx)
}

// refused ends with the service's reasons, unless they say that an earlier send arrived. An error
// that is no answer of the service, nor our own about what was to be sent, is returned: the job
// tries again.
func (e *outbound) refused(ctx context.Context, why error) error {
	_, input := errors.AsType[*order.InputError](why)
	u := cards.Unsent{Doubt: e.again && e.kept.Sends > 1}
	switch {
	case e.again && errors.Is(why, order.ErrDuplicate):
		return e.hasArrived(ctx)
	case errors.Is(why, order.ErrRefused):
		e.lineMoves(ctx, e.order.ID, e.kept.Waits)
		u.Problems = words(why)
	case input, errors.Is(why, order.ErrNoSuchPath):
		u.Why = cards.Sentence(why, ShortRef(e.d.ID))
	default:
		return why
	}
	if errors.Is(why, order.ErrDuplicate) {
		u.Why = cards.HadThis(e.order, e.payload.intent(e).Verb)
	}
	return e.keep(ctx, u)
}

// unsent takes back the intent of what never left, and waits.
func (e *outbound) unsent(ctx context.Context, why error) error {
	e.kept.Tries--
	if e.kept.Sends == 0 {
		if err := e.clearIntent(ctx, e.order.ID); err != nil {
			return err
		}
	}
	return e.later(ctx, why)
}

// unknown sends it again, later if the service has only just not answered.
func (e *outbound) unknown(ctx context.Context, why error) error {
	switch {
	case why != nil:
		return e.later(ctx, why)
	case e.kept.Phase == arrived:
		return e.recordArrived(ctx)
	}
	return e.transmit(ctx)
}

// later waits for a service that does not answer.
func (e *outbound) later(ctx context.Context, why error) error {
	return e.putOff(ctx, e.order.ID, retryAfter(why, e.kept.Waits), false, func(ctx context.Context) error {
		return e.payload.later(ctx, e)
	})
}

// recordArrived records what the service has; when the order changed meanwhile, or no
// answer came, it is fetched, and keeps the conversation of the answer.
func (e *outbound) recordArrived(ctx context.Context) error {
	if e.kept.Answer != nil {
		t, _, err := e.store.RecordAnswer(ctx, e.order.ID, e.kept.Version, *e.kept.Answer, e.d.ID)
		if err == nil {
			e.order = t
			return e.end(ctx, endDelivered)
		}
		if !errors.Is(err, store.ErrStale) {
			return err
		}
	}
	t, err := e.record(ctx, e.order.ID, e.d.ID, func(t store.Tracked) (order.Order, error) { return e.fetchArrived(ctx, t) })
	switch {
	case errors.Is(err, order.ErrUnavailable), errors.Is(err, order.ErrUnknown):
		return e.later(ctx, err)
	case err != nil:
		return err
	}
	e.order = t
	return e.end(ctx, endDelivered)
}

func (e *outbound) fetchArrived(ctx context.Context, t store.Tracked) (order.Order, error) {
	seen, err := e.service.Fetch(ctx, t.ID)
	if errors.Is(err, order.ErrRefused) {
		seen, err = t.Order, nil // it arrived, whatever became of the order since
	}
	if e.kept.Answer != nil {
		seen.Conversation = e.kept.Answer.Conversation
	}
	return seen, err
}

// keep gives it back to its person, and says why.
func (e *outbound) keep(ctx context.Context, u cards.Unsent) error {
	e.kept.Unsent = u
	return e.end(ctx, endKept)
}

// end keeps how it ended before that is told, so that a job which is delivered again tells
// it again and sends nothing.
func (e *outbound) end(ctx context.Context, how end) error {
	e.kept.Phase, e.kept.End, e.kept.Answer = answered, how, nil
	if err := e.save(ctx); err != nil {
		return err
	}
	if how == endDelivered {
		e.HomeChanged(ctx, e.asker.Team, e.asker.User)
	} else if e.order.ID != "" {
		if err := e.clearIntent(ctx, e.order.ID); err != nil {
			return err
		}
	}
	return e.answer(ctx)
}

func (e *outbound) answer(ctx context.Context) error { return e.payload.notify(ctx, e) }

// formPayload is a payload from a form, or from a line that has no form open.
type formPayload interface {
	payload
	sent(e *outbound) slack.ModalViewRequest
	denied(why string) slack.ModalViewRequest
	// giveBack keeps what was not sent, and is the form with it, and the same as a message.
	giveBack(ctx context.Context, e *outbound) (slack.ModalViewRequest, cards.Message, error)
}

// notifyForm tells how it ended: in the form, or to its person alone.
func notifyForm(ctx context.Context, e *outbound, p formPayload) error {
	asker, _ := p.to()
	s, err := ended(ctx, e, p)
	if err != nil {
		return err
	}
	if e.kept.End != endHidden {
		s = s.of(e.order)
	}
	return e.showAnswer(ctx, asker, s)
}

// ended is what is said of how it ended.
func ended(ctx context.Context, e *outbound, p formPayload) (answer, error) {
	asker, id := p.to()
	switch e.kept.End {
	case endDelivered:
		return plainly(p.sent(e)).minor(), nil
	case endHidden:
		return plainly(p.denied(cards.NotFound(id))), nil
	case endGuest:
		return plainly(p.denied(cards.CannotPost(e.order.Owner.Channel, e.kept.Why))), nil
	}
	if why := cards.NoMessage(e.order); why != "" && asker.View != "" {
		return plainly(p.denied(why)), nil
	}
	form, kept, err := p.giveBack(ctx, e)
	return plainly(form, kept), err
}
