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

// letter is a message from a form or a command line.
type messagePayload struct {
	c    *Jobs
	body MessageArgs
}

func (l messagePayload) prepare(context.Context, *outbound) (end, string, error) {
	if utf8.RuneCountInString(l.body.Text) > order.MaxMessage {
		return endNone, cards.TooLong(l.body.Text), nil
	}
	return endNone, "", nil
}

func (l messagePayload) intent(*outbound) order.Intent {
	return order.Intent{Verb: order.VerbMessage, Words: strings.Split(l.body.Text, "\n")}
}

func (l messagePayload) send(ctx context.Context, e *outbound) (order.Order, error) {
	return l.c.service.Message(ctx, e.order.ID, l.body.Text)
}

func (l messagePayload) notify(ctx context.Context, e *outbound) error {
	text, view := l.body.Text, l.body.View
	switch e.state.End {
	case endDelivered:
		return l.c.shown(ctx, e, cards.MessageSent(e.order, view))
	case endHidden:
		return l.c.shown(ctx, e, cards.MessageDenied(cards.NotFound(l.body.Order), text, view))
	case endGuest:
		return l.c.shown(ctx, e, cards.MessageDenied(cards.CannotPost(e.order.Owner.Channel, e.state.Why), text, view))
	}
	if why := cards.NoMessage(e.order); why != "" && view != "" {
		return l.c.shown(ctx, e, cards.MessageDenied(why, text, view))
	}
	kept, err := l.c.keptMessage(ctx, e, text)
	if err != nil {
		return err
	}
	if view != "" {
		again := cards.MessageRefused(e.order, text, e.state.Unsent, l.body.Channel, view)
		return l.c.answerOr(ctx, e.asker.window(), again, kept)
	}
	return l.c.whisper(ctx, e.asker, kept)
}

func (l messagePayload) later(ctx context.Context, e *outbound) error {
	return l.c.shown(ctx, e, cards.MessageLater(e.order, l.body.Text, l.body.View))
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
