package jobs

import (
	"context"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
)

// Asker is who asked for a job and how they are answered: in their form while it is open, else
// alone.
type Asker struct {
	Team        string    `json:"team"`
	User        string    `json:"user"`
	Channel     string    `json:"channel,omitempty"` // where they asked; "" = nowhere, answer by DM
	Thread      string    `json:"thread,omitempty"`
	ResponseURL string    `json:"response_url,omitempty"` // never that of a form
	View        string    `json:"view,omitempty"`         // external id of the form that was submitted
	At          time.Time `json:"at"`                     // when a form was acknowledged; zero = it was not submitted
}

// AskerOf is who sent a request.
func AskerOf(r bot.Request) Asker {
	a := Asker{Team: r.Team, User: r.User, Channel: r.Channel, Thread: besides(r), ResponseURL: r.ResponseURL, At: r.At}
	if r.View != nil {
		a.View, a.At = r.View.ExternalID, time.Now()
	}
	return a
}

func (a Asker) request() bot.Request {
	return bot.Request{Team: a.Team, User: a.User, Channel: a.Channel, Thread: a.Thread, ResponseURL: a.ResponseURL, At: a.At}
}

// whisper tells the person alone. It fails only while it makes sense to come back: see sayLater.
func (j *Jobs) whisper(ctx context.Context, a Asker, all ...cards.Message) error {
	for _, m := range all {
		if err := j.orLog(ctx, a.User, j.Tell(ctx, a.request(), m)); err != nil {
			return err
		}
	}
	return nil
}

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
	asker, id := p.to()
	switch e.kept.End {
	case endDelivered:
		return e.Answer(ctx, asker, p.sent(e))
	case endHidden:
		return e.Answer(ctx, asker, p.denied(cards.NotFound(id)))
	case endGuest:
		return e.Answer(ctx, asker, p.denied(cards.CannotPost(e.order.Owner.Channel, e.kept.Why)))
	}
	if why := cards.NoMessage(e.order); why != "" && asker.View != "" {
		return e.Answer(ctx, asker, p.denied(why))
	}
	form, kept, err := p.giveBack(ctx, e)
	if err != nil {
		return err
	}
	return e.showAnswer(ctx, asker, plainly(form, kept))
}
