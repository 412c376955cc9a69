package jobs

import (
	"context"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/cards/talk"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store/queue"
)

// MessageArgs is the body of the job that sends one message.
type MessageArgs struct {
	answers.Asker
	Order string `json:"order"`
	Text  string `json:"text"`            // plain text
	About string `json:"about,omitempty"` // event of the message to which the person asks for an answer
}

func (b MessageArgs) to() (answers.Asker, string) { return b.Asker, b.Order }

// prepare ends a message that is too long, or a question that is already answered.
func (b MessageArgs) prepare(ctx context.Context, e *outbound) (end, error) {
	if b.About == "" {
		return e.tooLong(b.Text), nil
	}
	events, err := e.talk.store.Orders.Events(ctx, b.Order)
	if err != nil {
		return noEnd, err
	}
	if e.saved.Unsent.Why = talk.WhyNotAsk(e.order, b.About, events); e.saved.Unsent.Why != "" {
		return endReturned, nil
	}
	return noEnd, nil
}

func (b MessageArgs) intent(*outbound) order.Intent {
	return order.Intent{Verb: order.VerbMessage, Words: strings.Split(b.Text, "\n")}
}

func (b MessageArgs) send(ctx context.Context, e *outbound) (order.Order, error) {
	return e.talk.service.Message(ctx, e.order.ID, b.Text)
}

func (b MessageArgs) later(ctx context.Context, e *outbound) error {
	return e.talk.forms.Show(ctx, b.Asker, answers.Plain(talk.MessageLater(e.order, b.Text, b.View)).About(e.order))
}

func (b MessageArgs) notify(ctx context.Context, e *outbound) error {
	switch {
	case b.About != "" && e.saved.End == endDelivered:
		events, err := e.talk.store.Orders.Events(ctx, b.Order)
		if err != nil {
			return err
		}
		return e.talk.messages.Hint(ctx, b.Asker, talk.Asked(e.order, talk.WroteAfter(b.About, events)))
	case b.About != "" && e.saved.End == endReturned:
		return e.talk.messages.InformOf(ctx, b.Asker, e.order, talk.AskUnsent(e.order, e.saved.Unsent))
	}
	return notifyForm(ctx, e, b)
}

// sent confirms the message, with what the editor wrote before: the service shows it only now.
func (b MessageArgs) sent(ctx context.Context, e *outbound) (answers.Answer, error) {
	events, err := e.talk.store.Orders.Events(ctx, b.Order)
	if said := talk.AnswersWith(e.Delivery.ID, events); len(said) > 0 {
		return answers.Plain(talk.MessageAnswered(e.order, said, b.Channel, b.View), talk.MessageAnsweredNote(e.order, said)).Minor(), err
	}
	return answers.Plain(talk.MessageSent(e.order, b.View)).Minor(), err
}

func (b MessageArgs) denied(why string) slack.ModalViewRequest {
	return talk.MessageDenied(why, b.Text, b.View)
}

func (b MessageArgs) giveBack(ctx context.Context, e *outbound) (slack.ModalViewRequest, kit.Message, error) {
	kept, err := e.returnedMessage(ctx, b.Text)
	if err == nil {
		err = e.talk.forms.SaveReturned(ctx, b.Asker, cards.SavedKey(kit.CallbackMessage, kit.Meta{Order: e.order.ID}), answers.Typed{Words: b.Text})
	}
	return talk.MessageRefused(e.order, b.Text, e.saved.Unsent, b.Channel, b.View), kept, err
}

// returnedMessage returns a message that was not sent to its writer, with a button that opens the filled form.
func (e *outbound) returnedMessage(ctx context.Context, text string) (kit.Message, error) {
	note := answers.WordsDoc(e.Delivery.ID)
	err := e.talk.forms.SaveWords(ctx, e.asker.User, note, text)
	return talk.MessageKept(e.order, text, e.saved.Unsent, note), err
}

func (j *Talk) messageKind() queue.Declared {
	return outboundKind(j, queue.Kind[MessageArgs]{
		Name: job.Message, NeedsService: true, Asked: "sending a message to an editor", Typed: func(b MessageArgs) string { return b.Text },
	})
}
