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

// How what goes to an editor is sent, and how it ends.

func (e *outbound) Send(ctx context.Context) (order.Order, error) { return e.payload.send(ctx, e) }

// Done keeps the service's answer before anything is done with it.
func (e *outbound) Done(ctx context.Context, answer order.Order) error {
	e.kept.Answer = &answer
	return e.hasArrived(ctx)
}

func (e *outbound) hasArrived(ctx context.Context) error {
	e.talk.waiting.Stop(ctx, e.order.ID, e.kept.Waits)
	e.kept.Phase = job.Arrived
	if err := e.Save(ctx); err != nil {
		return err
	}
	return e.recordArrived(ctx)
}

// Refused ends with the service's reasons, unless they say that an earlier send arrived. An error
// that is no answer of the service, nor our own about what was to be sent, is returned: the job
// tries again.
func (e *outbound) Refused(ctx context.Context, why error) error {
	_, input := errors.AsType[*order.InputError](why)
	u := talk.Unsent{Unknown: e.again && e.kept.Sends > 1}
	switch {
	case e.again && errors.Is(why, order.ErrDuplicate):
		return e.hasArrived(ctx)
	case errors.Is(why, order.ErrRefused):
		e.talk.waiting.Stop(ctx, e.order.ID, e.kept.Waits)
		u.Problems = job.Problems(why)
	case input, errors.Is(why, order.ErrNoSuchPath):
		u.Why = cards.Sentence(why, job.ShortRef(e.Delivery.ID))
	default:
		return why
	}
	if errors.Is(why, order.ErrDuplicate) {
		u.Why = talk.AlreadySent(e.order, e.payload.intent(e).Verb)
	}
	return e.keep(ctx, u)
}

// Unsent takes back the intent of what never left, and waits.
func (e *outbound) Unsent(ctx context.Context, why error) error {
	e.kept.Tries--
	if e.kept.Sends == 0 {
		if err := e.ClearIntent(ctx, e.order.ID); err != nil {
			return err
		}
	}
	return e.later(ctx, why)
}

// Unknown sends it again, later if the service has only just not answered.
func (e *outbound) Unknown(ctx context.Context, why error) error {
	switch {
	case why != nil:
		return e.later(ctx, why)
	case e.kept.Phase == job.Arrived:
		return e.recordArrived(ctx)
	}
	return e.transmit(ctx)
}

// later waits for a service that does not answer.
func (e *outbound) later(ctx context.Context, why error) error {
	return e.PutOff(ctx, e.order.ID, job.RetryAfter(why, e.kept.Waits), false, func(ctx context.Context) error {
		return e.payload.later(ctx, e)
	})
}

// recordArrived records what the service has; when the order changed meanwhile, or no
// answer came, it is fetched, and keeps the conversation of the answer.
func (e *outbound) recordArrived(ctx context.Context) error {
	if e.kept.Answer != nil {
		t, _, err := e.talk.store.Changes.RecordAnswer(ctx, e.order.ID, e.kept.Version, *e.kept.Answer, e.Delivery.ID)
		if err == nil {
			e.order = t
			return e.end(ctx, endDelivered)
		}
		if !errors.Is(err, store.ErrStale) {
			return err
		}
	}
	t, err := e.talk.orders.Record(ctx, e.order.ID, e.Delivery.ID, func(t store.Tracked) (order.Order, error) { return e.fetchArrived(ctx, t) })
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
	seen, err := e.talk.service.Fetch(ctx, t.ID)
	if errors.Is(err, order.ErrRefused) {
		seen, err = t.Order, nil // it arrived, whatever became of the order since
	}
	if e.kept.Answer != nil {
		seen.Conversation = e.kept.Answer.Conversation
	}
	return seen, err
}

// keep gives it back to its person, and says why.
func (e *outbound) keep(ctx context.Context, u talk.Unsent) error {
	e.kept.Unsent = u
	return e.end(ctx, endKept)
}

// end keeps how it ended before that is told, so that a job which is delivered again tells
// it again and sends nothing.
func (e *outbound) end(ctx context.Context, how end) error {
	e.kept.Phase, e.kept.End, e.kept.Answer = job.Answered, how, nil
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

// formPayload is a payload from a form, or from a line that has no form open.
type formPayload interface {
	payload
	sent(e *outbound) slack.ModalViewRequest
	denied(why string) slack.ModalViewRequest
	// giveBack keeps what was not sent, and is the form with it, and the same as a message.
	giveBack(ctx context.Context, e *outbound) (slack.ModalViewRequest, kit.Message, error)
}

// notifyForm tells how it ended: in the form, or to its person alone.
func notifyForm(ctx context.Context, e *outbound, p formPayload) error {
	asker, _ := p.to()
	s, err := ended(ctx, e, p)
	if err != nil {
		return err
	}
	if e.kept.End != endHidden {
		s = s.About(e.order)
	}
	return e.talk.forms.Show(ctx, asker, s)
}

// ended is what is said of how it ended.
func ended(ctx context.Context, e *outbound, p formPayload) (answers.Answer, error) {
	asker, id := p.to()
	switch e.kept.End {
	case endDelivered:
		return answers.Plain(p.sent(e)).Minor(), nil
	case endHidden:
		return answers.Plain(p.denied(cards.NotFound(id))), nil
	case endGuest:
		return answers.Plain(p.denied(cards.CannotPost(e.order.Owner.Channel, e.kept.Why))), nil
	}
	if why := cards.NoMessage(e.order); why != "" && asker.View != "" {
		return answers.Plain(p.denied(why)), nil
	}
	form, kept, err := p.giveBack(ctx, e)
	return answers.Plain(form, kept), err
}
