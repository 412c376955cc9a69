package commands

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// messageEvent is what matters of a message, as an event tells of it.
type messageEvent struct {
	Subtype  string       `json:"subtype"`
	BotID    string       `json:"bot_id"`
	User     string       `json:"user"`
	TS       string       `json:"ts"`
	ThreadTS string       `json:"thread_ts"`
	Parent   string       `json:"parent_user_id"` // who began the thread; not always told
	Text     string       `json:"text"`
	Files    []slack.File `json:"files"`

	DeletedTS string        `json:"deleted_ts"`
	Message   *messageEvent `json:"message"`          // changed: as it is now
	Previous  *messageEvent `json:"previous_message"` // changed, deleted: as it was
}

// byPerson tells whether somebody wrote it, rather than an app: ours never echo.
func (m messageEvent) byPerson() bool { return m.BotID == "" && m.User != "" && m.User != "USLACKBOT" }

func messageIn(r bot.Request) (messageEvent, bool) {
	var m messageEvent
	err := bot.Decode(r.Event, &m)
	return m, err == nil
}

// onMention is the app's name in a message: in an order's thread it sends that message
// to the editor. On the way to the acknowledgement only Redis is asked.
func (c *Commands) onMention(ctx context.Context, r bot.Request) (bot.Reply, error) {
	m, ok := messageIn(r)
	if !ok || !m.byPerson() {
		return bot.Ack(), nil
	}
	t, err := c.jobs.Threads.ThreadOf(ctx, r)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return bot.Reply{}, err
	}
	body := threadArgs(r, m, t)
	body.Private = jobs.Private(r.Text)
	return bot.Ack(), c.jobs.Threads.PutSaid(ctx, r, body)
}

// onMessage is any message in a channel that the app is in.
func (c *Commands) onMessage(ctx context.Context, r bot.Request) (bot.Reply, error) {
	m, ok := messageIn(r)
	if !ok {
		return bot.Ack(), nil
	}
	switch m.Subtype {
	case "", "file_share", "thread_broadcast":
		if err := c.relayReply(ctx, r, m); err != nil {
			return bot.Reply{}, err
		}
		return bot.Ack(), c.unfurl(ctx, r, m)
	case "message_changed", "message_deleted":
		return bot.Ack(), c.onMessageEdit(ctx, r, m)
	}
	return bot.Ack(), nil
}

// relayReply relays a reply in an order's thread when its channel relays every reply. A
// message that mentions the app comes as two events, under one id.
func (c *Commands) relayReply(ctx context.Context, r bot.Request, m messageEvent) error {
	if !m.byPerson() || r.Thread == "" || jobs.Private(r.Text) {
		return nil
	}
	t, err := c.jobs.Threads.ThreadOf(ctx, r)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	settings, err := c.store.Settings(ctx, r.Team, r.Channel)
	if err != nil || settings.Relay != store.RelayReplies {
		return err
	}
	if t.ID == "" {
		if known, err := c.jobs.Threads.IsForeign(ctx, r.Team, r.Channel, r.Thread); err != nil || known {
			return err
		}
	}
	body := threadArgs(r, m, t)
	body.Overheard = true
	return c.jobs.Threads.PutSaid(ctx, r, body)
}

// threadArgs are what was said in a thread, on its way to the editor.
func threadArgs(r bot.Request, m messageEvent, t store.Tracked) jobs.ThreadArgs {
	return jobs.ThreadArgs{RelayArgs: jobs.RelayArgs{
		Asker: answers.AskerOf(r), Order: t.ID, TS: r.MessageTS, Author: r.User, Raw: r.Text, Files: jobs.SlackFiles(m.Files),
	}, Root: r.Thread, Parent: m.Parent}
}
