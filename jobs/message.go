package jobs

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store/queue"
)

// MessageArgs is the body of the job that sends one message.
type MessageArgs struct {
	Asker
	Order string `json:"order"`
	Text  string `json:"text"` // plain words
}

// sendMessage does the job.
func (j *Jobs) sendMessage(ctx context.Context, d *queue.Delivery, body MessageArgs) error {
	return j.runOutbound(ctx, &outbound{d: d, asker: body.Asker, payload: messagePayload{j, body}}, body.Order)
}

// messagePayload is a message from a form or a command line.
type messagePayload struct {
	jobs *Jobs
	body MessageArgs
}

func (p messagePayload) prepare(context.Context, *outbound) (end, string, error) {
	if utf8.RuneCountInString(p.body.Text) > order.MaxMessage {
		return endNone, cards.TooLong(p.body.Text), nil
	}
	return endNone, "", nil
}

func (p messagePayload) intent(*outbound) order.Intent {
	return order.Intent{Verb: order.VerbMessage, Words: strings.Split(p.body.Text, "\n")}
}

func (p messagePayload) send(ctx context.Context, e *outbound) (order.Order, error) {
	return p.jobs.service.Message(ctx, e.order.ID, p.body.Text)
}

func (p messagePayload) notify(ctx context.Context, e *outbound) error {
	text, view := p.body.Text, p.body.View
	switch e.state.End {
	case endDelivered:
		return p.jobs.shown(ctx, e, cards.MessageSent(e.order, view))
	case endHidden:
		return p.jobs.shown(ctx, e, cards.MessageDenied(cards.NotFound(p.body.Order), text, view))
	case endGuest:
		return p.jobs.shown(ctx, e, cards.MessageDenied(cards.CannotPost(e.order.Owner.Channel, e.state.Why), text, view))
	}
	if why := cards.NoMessage(e.order); why != "" && view != "" {
		return p.jobs.shown(ctx, e, cards.MessageDenied(why, text, view))
	}
	kept, err := p.jobs.keptMessage(ctx, e, text)
	if err != nil {
		return err
	}
	if view != "" {
		again := cards.MessageRefused(e.order, text, e.state.Unsent, p.body.Channel, view)
		return p.jobs.answerOr(ctx, e.asker.window(), again, kept)
	}
	return p.jobs.whisper(ctx, e.asker, kept)
}

func (p messagePayload) later(ctx context.Context, e *outbound) error {
	return p.jobs.shown(ctx, e, cards.MessageLater(e.order, p.body.Text, p.body.View))
}

// keptLife is how long words that were not sent are kept for another try.
const keptLife = 7 * 24 * time.Hour

// keptMessage gives a message that was not sent back to its writer, with a button that
// opens the form filled in.
func (j *Jobs) keptMessage(ctx context.Context, e *outbound, text string) (cards.Message, error) {
	note := "words:" + Hash(e.d.ID)
	err := j.store.Note(ctx, note, markup.Replace(text), keptLife)
	return cards.MessageKept(e.order, text, e.state.Unsent, note), err
}

// markup writes plain words as Slack does: what the form is filled with is read as that.
var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func (j *Jobs) messageKind() queue.Declared {
	return queue.Kind[MessageArgs]{
		Name: MessageJob, Work: j.sendMessage, Blocked: j.messageBlocked,
		Asked: "sending a message to an editor", Truth: truthOfOutbound, Typed: func(b MessageArgs) string { return b.Text },
	}.Declare()
}

func (j *Jobs) messageBlocked(ctx context.Context, d *queue.Delivery, body MessageArgs) error {
	return j.outboundBlocked(ctx, &outbound{d: d, asker: body.Asker, payload: messagePayload{j, body}}, body.Order)
}
