package commands

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
)

// sendToEditor sends a message of an order's thread at once. Of any other message it
// opens the form filled in, where the order is chosen.
func (c *Commands) sendToEditor(ctx context.Context, r bot.Request) error {
	if r.Message == nil {
		return c.openMessageForm(ctx, r, "")
	}
	t, err := c.messageThread(ctx, r)
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
		return c.openAlbum(ctx, r, cards.WordlessPhotos)
	}
	return c.openMessageForm(ctx, r, r.Message.Text)
}

// relayMessage relays the message that the shortcut was used on. Its identity is that of
// the gesture: who was refused before may try again.
func (c *Commands) relayMessage(ctx context.Context, r bot.Request, t store.Tracked) error {
	body := jobs.RelayArgs{
		Asker: answers.AskerOf(r), Order: t.ID, TS: r.MessageTS, Author: cmp.Or(r.Message.User, r.User),
		Raw: r.Message.Text, Files: jobs.SlackFiles(r.Message.Files), Asked: true,
	}
	body.Thread = cmp.Or(r.Thread, r.MessageTS)
	return c.jobs.Talk.PutRelay(ctx, body, jobs.RelayID(body)+":"+job.Hash(r.ID))
}

// openMessageForm opens the form in which the order is chosen.
func (c *Commands) openMessageForm(ctx context.Context, r bot.Request, raw string) error {
	return c.modal(ctx, r, "message", cards.TitleMessage, func(ctx context.Context, window string) (answers.ViewFunc, error) {
		only, err := c.access.WhyNoMember(ctx, r.User)
		if err != nil {
			return nil, err
		}
		text, err := bot.Plain(ctx, c.slack, raw)
		if err != nil {
			return nil, err
		}
		why := messageProblem(store.Tracked{}, text)
		if only != "" {
			why = cards.CannotPost(r.Channel, only)
		}
		if why == "" {
			why, err = c.nothingToPick(ctx, r, order.VerbMessage)
		}
		if why != "" {
			return plainView(cards.MessageDenied(why, text, window)), nil
		}
		f := orderForm{words: strings.TrimSpace(text)}
		said := c.withKept(ctx, r, cards.CallbackMessage, &f)
		return plainView(said(cards.MessageAnyOrder(f.words, r.Channel, window))), err
	})
}

// shortcutPatience is how long a message's menu waits for Slack to say whose thread it is
// in: a form must open within three seconds, and in it the order can be chosen.
const shortcutPatience = time.Second

// messageThread is the order in whose thread the message is, or whose card it is.
func (c *Commands) messageThread(ctx context.Context, r bot.Request) (store.Tracked, error) {
	thread := cmp.Or(r.Thread, r.MessageTS)
	t, err := c.store.ByThread(ctx, r.Team, r.Channel, thread)
	if !errors.Is(err, store.ErrNotTracked) || thread == "" {
		return t, err
	}
	if ask, err := c.mayBeOurs(ctx, r, thread); err != nil || !ask {
		return store.Tracked{}, errors.Join(err, store.ErrNotTracked)
	}
	quick, cancel := context.WithTimeout(ctx, shortcutPatience)
	defer cancel()
	found, is, err := c.jobs.Threads.ReadBond(quick, answers.AskerOf(r), r.Channel, thread)
	if err == nil && is == jobs.Present {
		return found, nil
	}
	if err != nil {
		c.log.InfoContext(ctx, "thread not read", "channel", r.Channel, "thread", thread, "err", err)
	}
	return store.Tracked{}, store.ErrNotTracked
}

// mayBeOurs tells whether it is worth a question who began the thread.
func (c *Commands) mayBeOurs(ctx context.Context, r bot.Request, thread string) (bool, error) {
	if r.Message == nil {
		return false, nil
	}
	if thread == r.MessageTS {
		return c.jobs.Threads.IsOurs(ctx, r.Message)
	}
	me, err := c.slack.Identity(ctx)
	if err != nil {
		return false, err
	}
	if parent := r.Message.ParentUserId; parent != "" && parent != me.BotUser {
		return false, nil
	}
	known, err := c.jobs.Threads.IsForeign(ctx, r.Team, r.Channel, thread)
	return !known, err
}
