package commands

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	cardstalk "darkroom/cards/talk"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
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

// talk sends messages to an order's editor.
type talk struct {
	slack        answers.Slack
	documents    *store.DocumentStore
	jobs         *jobs.Jobs
	access       *access.Control
	finder       *resolve.Finder
	answers      *answer.Messages
	orderWindows *resolve.Windows
	windows      *answer.Windows
	orderThreads *orderThreads
	reference    *reference
	submissions  *submissions
	saved        *savedForms
}

// message sends the text of the line at once; without one it opens the form, and so do
// the button and the picker, with the words kept for them.
func (c *talk) message(ctx context.Context, r bot.Request) error {
	t, line, err := c.finder.WholeLine(ctx, r, "message")
	switch {
	case err != nil:
		return err
	case line != "":
		return c.messageNow(ctx, r, t, line)
	}
	return c.orderWindows.Open(ctx, r, "message", cardstalk.TitleMessage, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		if why := messageProblem(f.Order, f.Words); why != "" {
			return answer.Plain(cardstalk.MessageDenied(why, f.Words, f.Window)), nil
		}
		said := c.saved.withTyped(ctx, r, kit.CallbackMessage, &f)
		return answer.Plain(said(cardstalk.MessageEditor(f.Order, f.Words, r.Channel, f.Window))), nil
	})
}

// messageNow puts the job that sends the line's text.
func (c *talk) messageNow(ctx context.Context, r bot.Request, t store.Tracked, line string) error {
	text, err := client.Plain(ctx, c.slack, line)
	if err != nil {
		return err
	}
	return c.jobs.Putter.Put(ctx, job.Message, job.Message+":"+r.ID, "order:"+t.ID, jobs.MessageArgs{Asker: answers.AskerOf(r), Order: t.ID, Text: text})
}

// askEditor puts the job that asks the editor for an answer to a message.
func (c *talk) askEditor(ctx context.Context, r bot.Request) error {
	id, event, ok := cards.ParseAsk(r.Value)
	if !ok {
		return nil
	}
	name, err := client.Plain(ctx, c.slack, "<@"+r.User+">")
	if err != nil {
		return err
	}
	body := jobs.MessageArgs{Asker: answers.AskerOf(r), Order: id, Text: cardstalk.AskText(name, time.Now()), About: event}
	return c.jobs.Putter.Put(ctx, job.Message, job.Message+":"+r.ID, "order:"+id, body)
}

// submitMessage takes the submitted form, on the ack path.
func (c *talk) submitMessage(ctx context.Context, r bot.Request) (bot.Reply, error) {
	typed, problems := cardstalk.DecodeMessage(*r.View)
	if len(problems) > 0 {
		return bot.Errors(problems), nil
	}
	t, err := c.submissions.boundTo(ctx, *r.View)
	if err != nil {
		return bot.Reply{}, err
	}
	body := jobs.MessageArgs{Asker: answers.AskerOf(r), Order: typed.Order, Text: typed.Text}
	body.Channel = typed.Channel
	return c.submissions.putForm(ctx, r, submission{
		kind: job.Message, order: body.Order, body: body, unnamed: t.ID == "",
		underWay: cardstalk.MessageSending(t, r.View.ExternalID), late: cardstalk.MessageLater(t, typed.Text, r.View.ExternalID),
	})
}

// correct opens the form for a correction, filled in with what the message says now.
func (c *talk) correct(ctx context.Context, r bot.Request) error {
	var kept jobs.Correction
	err := c.documents.Get(ctx, r.Value, &kept)
	if errors.Is(err, store.ErrAbsent) || err == nil && kept.User != r.User {
		return c.answers.Send(ctx, r, cardstalk.CorrectionOld())
	}
	if err != nil {
		return err
	}
	r.Value = cards.Value(kept.Order, 0)
	return c.orderWindows.Open(ctx, r, "message", cardstalk.TitleMessage, func(_ context.Context, f resolve.Form) (answers.ViewFunc, error) {
		if why := messageProblem(f.Order, kept.Text); why != "" {
			return answer.Plain(cardstalk.MessageDenied(why, kept.Text, f.Window)), nil
		}
		return answer.Plain(cardstalk.Correction(f.Order, kept.Text, r.Channel, f.Window)), nil
	})
}

// messageProblem says why such a message cannot be sent to the order's editor, or "".
func messageProblem(t store.Tracked, text string) string {
	why := cards.NoMessage(t)
	if why == "" && utf8.RuneCountInString(text) > order.MaxMessage {
		why = cardstalk.TooLong(text)
	}
	return strings.TrimSpace(why)
}
