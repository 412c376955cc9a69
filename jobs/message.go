package jobs

import (
	"context"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store/queue"
)

// MessageArgs is the body of the job that sends one message.
type MessageArgs struct {
	Asker
	Order string `json:"order"`
	Text  string `json:"text"`            // plain words
	About string `json:"about,omitempty"` // asks only for an answer, to the message of that event
}

func (b MessageArgs) to() (Asker, string) { return b.Asker, b.Order }

// prepare ends what is too long, and a question that nobody need ask any more.
func (b MessageArgs) prepare(ctx context.Context, e *outbound) (end, error) {
	if b.About == "" {
		return e.tooLong(b.Text), nil
	}
	events, err := e.store.Events(ctx, b.Order)
	if err != nil {
		return endNone, err
	}
	if e.kept.Unsent.Why = cards.WhyNotAsk(e.order, b.About, events); e.kept.Unsent.Why != "" {
		return endKept, nil
	}
	return endNone, nil
}

func (b MessageArgs) intent(*outbound) order.Intent {
	return order.Intent{Verb: order.VerbMessage, Words: strings.Split(b.Text, "\n")}
}

func (b MessageArgs) send(ctx context.Context, e *outbound) (order.Order, error) {
	return e.service.Message(ctx, e.order.ID, b.Text)
}

func (b MessageArgs) later(ctx context.Context, e *outbound) error {
	return e.showAnswer(ctx, b.Asker, plainly(cards.MessageLater(e.order, b.Text, b.View)).of(e.order))
}

func (b MessageArgs) notify(ctx context.Context, e *outbound) error {
	switch {
	case b.About != "" && e.kept.End == endDelivered:
		events, err := e.store.Events(ctx, b.Order)
		if err != nil {
			return err
		}
		return e.hint(ctx, b.Asker, cards.Asked(e.order, cards.WroteAfter(b.About, events)))
	case b.About != "" && e.kept.End == endKept:
		return e.informOf(ctx, b.Asker, e.order, cards.AskUnsent(e.order, e.kept.Unsent))
	}
	return notifyForm(ctx, e, b)
}

func (b MessageArgs) sent(e *outbound) slack.ModalViewRequest {
	return cards.MessageSent(e.order, b.View)
}

func (b MessageArgs) denied(why string) slack.ModalViewRequest {
	return cards.MessageDenied(why, b.Text, b.View)
}

func (b MessageArgs) giveBack(ctx context.Context, e *outbound) (slack.ModalViewRequest, cards.Message, error) {
	kept, err := e.keptMessage(ctx, b.Text)
	if err == nil {
		err = e.keepReturned(ctx, b.Asker, cards.KeptOf(cards.CallbackMessage, cards.Meta{Order: e.order.ID}), Typed{Words: b.Text})
	}
	return cards.MessageRefused(e.order, b.Text, e.kept.Unsent, b.Channel, b.View), kept, err
}

// keptMessage gives a message that was not sent back to its writer, with a button that
// opens the form filled in.
func (e *outbound) keptMessage(ctx context.Context, text string) (cards.Message, error) {
	note := WordsNote(e.d.ID)
	err := e.keepWords(ctx, e.asker.User, note, text)
	return cards.MessageKept(e.order, text, e.kept.Unsent, note), err
}

func (j *Jobs) messageKind() queue.Declared {
	return outboundKind(j, queue.Kind[MessageArgs]{
		Name: MessageJob, NeedsService: true, Asked: "sending a message to an editor", Typed: func(b MessageArgs) string { return b.Text },
	})
}
