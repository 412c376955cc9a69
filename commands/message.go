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
		"Other ways: mention me in the order's thread, “Message the Editor” on its card, or “Send to editor” in a message's menu.",
	},
}

// talk sends messages to an order's editor.
type talk struct {
	slack        answers.Slack
	documents    *store.DocumentStore
	orders       *store.Orders
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

// message sends the line's text at once. A line without text, the button and the picker open the form, with the text
// saved for them.
func (c *talk) message(ctx context.Context, r bot.Request) error {
	t, line, err := c.finder.WholeLine(ctx, r, "message")
	switch {
	case err != nil:
		return err
	case line != "":
		return c.messageNow(ctx, r, t, line)
	}
	return c.orderWindows.Open(ctx, r, "message", cardstalk.TitleMessage, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		if why := messageProblem(f.Order, f.Text); why != "" {
			return answer.Static(cardstalk.MessageDenied(why, f.Text, f.Window)), nil
		}
		withNotice := c.saved.withTyped(ctx, r, kit.CallbackMessage, &f)
		return answer.Static(withNotice(cardstalk.MessageEditor(f.Order, f.Text, r.Channel, f.Window))), nil
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

// askEditor puts the job that asks the editor to answer a message.
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

// askPause opens the message window with a question about the pause, and with what the editor wrote since.
func (c *talk) askPause(ctx context.Context, r bot.Request) error {
	return c.orderWindows.Open(ctx, r, "message", cardstalk.TitleMessage, func(ctx context.Context, f resolve.Form) (answers.ViewFunc, error) {
		if why := messageProblem(f.Order, f.Text); why != "" {
			return answer.Static(cardstalk.MessageDenied(why, f.Text, f.Window)), nil
		}
		events, err := c.orders.Events(ctx, f.Order.ID)
		if err != nil {
			return nil, err
		}
		name, err := client.Plain(ctx, c.slack, "<@"+r.User+">")
		if err != nil {
			return nil, err
		}
		withNotice := c.saved.withTyped(ctx, r, kit.CallbackMessage, &f)
		if f.Text == "" {
			f.Text = cardstalk.PauseQuestion(name, time.Now())
		}
		return answer.Static(withNotice(cardstalk.AskAboutPause(f.Order, cardstalk.SaidSincePause(events), f.Text, r.Channel, f.Window))), nil
	})
}

// submitMessage handles the submitted form, on the ack path.
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
		kind: job.Message, order: body.Order, body: body, orderChosen: t.ID == "",
		running: cardstalk.MessageSending(t, r.View.ExternalID), waiting: cardstalk.MessageLater(t, typed.Text, r.View.ExternalID),
	})
}

// correct opens the form for a correction, with the message's current text.
func (c *talk) correct(ctx context.Context, r bot.Request) error {
	var saved jobs.Correction
	err := c.documents.Get(ctx, r.Value, &saved)
	if errors.Is(err, store.ErrAbsent) || err == nil && saved.User != r.User {
		return c.answers.Send(ctx, r, cardstalk.CorrectionOld())
	}
	if err != nil {
		return err
	}
	r.Value = cards.Value(saved.Order, 0)
	return c.orderWindows.Open(ctx, r, "message", cardstalk.TitleMessage, func(_ context.Context, f resolve.Form) (answers.ViewFunc, error) {
		if why := messageProblem(f.Order, saved.Text); why != "" {
			return answer.Static(cardstalk.MessageDenied(why, saved.Text, f.Window)), nil
		}
		return answer.Static(cardstalk.Correction(f.Order, saved.Text, r.Channel, f.Window)), nil
	})
}

// takeBack takes back an overheard reply, and says so in place of the offer.
func (c *talk) takeBack(ctx context.Context, r bot.Request) error {
	outcome, err := c.jobs.Talk.TakeBack(ctx, r.Team, r.User, r.Value)
	if err != nil {
		return err
	}
	said := cardstalk.TakenBack()
	if !outcome.Taken {
		said = cardstalk.TooLateToTakeBack(outcome.Note)
	}
	return c.answers.Replace(ctx, r, said)
}

// messageProblem returns the reason that a text cannot be sent to the order's editor, or "".
func messageProblem(t store.Tracked, text string) string {
	why := cards.NoMessage(t)
	if why == "" && utf8.RuneCountInString(text) > order.MaxMessage {
		why = cardstalk.TooLong(text)
	}
	return strings.TrimSpace(why)
}
