package commands

import (
	"cmp"
	"context"
	"errors"
	"strings"

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

// sendToEditor sends a message from an order's thread at once. For other messages it opens a form with the text, in
// which the person chooses the order.
func (c *talk) sendToEditor(ctx context.Context, r bot.Request) error {
	if r.Message == nil {
		return c.openMessageForm(ctx, r, "")
	}
	t, err := c.orderThreads.messageThread(ctx, r)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	ours, err := c.jobs.Threads.IsOurs(ctx, r.Message)
	switch {
	case err != nil:
		return err
	case ours && t.ID != "":
		r.Value = cards.Value(t.ID, t.Order.Rev())
		return c.message(ctx, r)
	case ours:
		return c.openMessageForm(ctx, r, "")
	case t.ID != "":
		return c.relayMessage(ctx, r, t)
	case strings.TrimSpace(r.Message.Text) == "" && len(r.Message.Files) > 0:
		return c.reference.openAlbum(ctx, r, cardstalk.WordlessPhotos)
	}
	return c.openMessageForm(ctx, r, r.Message.Text)
}

// relayMessage relays the message of the shortcut. The job's id includes the request's, so that a person can try again
// after a refusal.
func (c *talk) relayMessage(ctx context.Context, r bot.Request, t store.Tracked) error {
	body := jobs.RelayArgs{
		Asker: answers.AskerOf(r), Order: t.ID, TS: r.MessageTS, Author: cmp.Or(r.Message.User, r.User),
		Raw: r.Message.Text, Files: jobs.SlackFiles(r.Message.Files), Asked: true,
	}
	body.Thread = cmp.Or(r.Thread, r.MessageTS)
	return c.jobs.Talk.PutRelay(ctx, body, jobs.RelayID(body)+":"+job.Hash(r.ID))
}

// openMessageForm opens the form in which the person chooses the order.
func (c *talk) openMessageForm(ctx context.Context, r bot.Request, raw string) error {
	return c.windows.Open(ctx, r, "message", cardstalk.TitleMessage, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		only, err := c.access.WhyNoMember(ctx, r.User)
		if err != nil {
			return nil, err
		}
		text, err := client.Plain(ctx, c.slack, raw)
		if err != nil {
			return nil, err
		}
		why := messageProblem(store.Tracked{}, text)
		if only != "" {
			why = cards.CannotPost(r.Channel, only)
		}
		if why == "" {
			why, err = c.finder.NothingToPick(ctx, r, order.VerbMessage)
		}
		if why != "" {
			return answer.Static(cardstalk.MessageDenied(why, text, window)), nil
		}
		f := resolve.Form{Text: strings.TrimSpace(text)}
		withNotice := c.saved.withTyped(ctx, r, kit.CallbackMessage, &f)
		return answer.Static(withNotice(cardstalk.MessageAnyOrder(f.Text, r.Channel, window))), err
	})
}
