package commands

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// ShortcutSend is the callback id of the message shortcut *Send to editor*.
const ShortcutSend = "send_to_editor"

var messageHelp = cards.HelpRow{
	Verb: "message", Usage: "message [ID] text…", Does: "sends a message to the order's editor",
	Example: "message K7Q2XM Please keep the shadows soft.",
	More: []string{
		"Other ways: mention me in the order's thread, “Message the editor” on its card, or “Send to editor” in a message's menu.",
	},
}

// message sends the text of the line at once; without one it opens the form, and so do
// the button and the picker, with the words kept for them.
func (c *Commands) message(ctx context.Context, r bot.Request) error {
	t, line, err := c.wholeLine(ctx, r, "message")
	switch {
	case err != nil:
		return err
	case line != "":
		return c.messageNow(ctx, r, t, line)
	}
	return c.openOrder(ctx, r, "message", cards.TitleMessage, func(ctx context.Context, f orderForm) (answers.ViewFunc, error) {
		if why := messageProblem(f.order, f.words); why != "" {
			return plainView(cards.MessageDenied(why, f.words, f.window)), nil
		}
		said := c.withKept(ctx, r, cards.CallbackMessage, &f)
		return plainView(said(cards.MessageEditor(f.order, f.words, r.Channel, f.window))), nil
	})
}

// messageNow puts the job that sends the line's text.
func (c *Commands) messageNow(ctx context.Context, r bot.Request, t store.Tracked, line string) error {
	text, err := bot.Plain(ctx, c.slack, line)
	if err != nil {
		return err
	}
	return c.jobs.Putter.Put(ctx, job.Message, job.Message+":"+r.ID, "order:"+t.ID, jobs.MessageArgs{Asker: answers.AskerOf(r), Order: t.ID, Text: text})
}

// askEditor puts the job that asks the editor for an answer to a message.
func (c *Commands) askEditor(ctx context.Context, r bot.Request) error {
	id, event, ok := cards.ParseAsk(r.Value)
	if !ok {
		return nil
	}
	name, err := bot.Plain(ctx, c.slack, "<@"+r.User+">")
	if err != nil {
		return err
	}
	body := jobs.MessageArgs{Asker: answers.AskerOf(r), Order: id, Text: cards.AskText(name, time.Now()), About: event}
	return c.jobs.Putter.Put(ctx, job.Message, job.Message+":"+r.ID, "order:"+id, body)
}

// submitMessage takes the submitted form, on the ack path.
func (c *Commands) submitMessage(ctx context.Context, r bot.Request) (bot.Reply, error) {
	typed, problems := cards.DecodeMessage(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	t, err := c.boundTo(ctx, *r.View)
	if err != nil {
		return bot.Reply{}, err
	}
	body := jobs.MessageArgs{Asker: answers.AskerOf(r), Order: typed.Order, Text: typed.Text}
	body.Channel = typed.Channel
	return c.putForm(ctx, r, submission{
		kind: job.Message, order: body.Order, body: body, unnamed: t.ID == "",
		underWay: cards.MessageSending(t, r.View.ExternalID), late: cards.MessageLater(t, typed.Text, r.View.ExternalID),
	})
}

// boundTo is the order that a form names itself; nothing when it was chosen in it, or is not
// known: then the job finds out whether this person may know of it.
func (c *Commands) boundTo(ctx context.Context, view slack.View) (store.Tracked, error) {
	order := cards.DecodeMeta(view.PrivateMetadata).Order
	if order == "" {
		return store.Tracked{}, nil
	}
	t, err := c.store.Order(ctx, order)
	if errors.Is(err, store.ErrNotTracked) {
		return store.Tracked{}, nil
	}
	return t, err
}
