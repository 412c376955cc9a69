package commands

import (
	"context"
	"errors"
	"strings"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/store"
)

// ShortcutSend is the callback id of the message shortcut *Send to editor*.
const ShortcutSend = "send_to_editor"

var messageHelp = cards.HelpRow{
	Verb: "message", Usage: "message [ID] text…", Does: "sends a message to the order's editor",
	Example: "message K7Q2XM Please keep the shadows soft.",
	More: []string{
		"Other ways: mention me in the order's thread, “Message editor” on its card, or “Send to editor” in a message's menu.",
	},
}

// message sends the text of the line at once; without one it opens the form, and so do
// the button and the picker, with the words kept for them.
func (c *Commands) message(ctx context.Context, r bot.Request) error {
	if r.Kind == bot.KindCommand && strings.TrimSpace(r.Args) != "" {
		p, err := c.point(ctx, r, "message")
		if err != nil {
			return err
		}
		if p.id != "" && p.words != "" {
			return c.messageNow(ctx, r, p)
		}
	}
	return c.openOrder(ctx, r, orderForm{
		verb: "message", title: cards.TitleMessage,
		fill: func(ctx context.Context, t store.Tracked, words, window string) (jobs.ViewFunc, error) {
			return c.messageForm(ctx, r, t, words, window)
		},
	})
}

// messageForm is the form filled in, or why there is none.
func (c *Commands) messageForm(ctx context.Context, r bot.Request, t store.Tracked, typed, window string) (jobs.ViewFunc, error) {
	words, err := bot.Plain(ctx, c.slack, typed)
	if err != nil {
		return nil, err
	}
	why := unsendable(t, words)
	return func(bool) slack.ModalViewRequest {
		if why != "" {
			return cards.MessageDenied(why, words, window)
		}
		return cards.MessageEditor(t, words, r.Channel, window)
	}, nil
}

// messageNow puts the job that sends the line's text.
func (c *Commands) messageNow(ctx context.Context, r bot.Request, p pointed) error {
	t, err := c.visible(ctx, r, p)
	if err != nil {
		return err
	}
	text, err := bot.Plain(ctx, c.slack, p.words)
	if err != nil {
		return err
	}
	return c.jobs.Put(ctx, jobs.MessageJob, jobs.MessageJob+":"+r.ID, "order:"+t.ID, jobs.MessageArgs{Asker: jobs.AskerOf(r), Order: t.ID, Text: text})
}

// submitMessage takes the submitted form, on the ack path.
func (c *Commands) submitMessage(ctx context.Context, r bot.Request) (bot.Reply, error) {
	letter, problems := cards.DecodeMessage(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	t, err := c.boundTo(ctx, *r.View)
	if err != nil {
		return bot.Reply{}, err
	}
	body := jobs.MessageArgs{Asker: jobs.AskerOf(r), Order: letter.Order, Text: letter.Text}
	body.Channel = letter.Channel
	return c.putForm(ctx, r, submission{
		kind: jobs.MessageJob, order: body.Order, body: body, unnamed: t.ID == "",
		underWay: cards.MessageSending(t, r.View.ExternalID), late: cards.MessageLater(t, letter.Text, r.View.ExternalID),
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
