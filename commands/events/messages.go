// Package events hears what happens in channels: messages, members, and what becomes of the app's own posts.
package events

import (
	"cmp"
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/lenient"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// MessageEvent is what matters of a message, as an event tells of it.
type MessageEvent struct {
	Subtype  string       `json:"subtype"`
	BotID    string       `json:"bot_id"`
	User     string       `json:"user"`
	TS       string       `json:"ts"`
	ThreadTS string       `json:"thread_ts"`
	Parent   string       `json:"parent_user_id"` // who began the thread; not always told
	Text     string       `json:"text"`
	Files    []slack.File `json:"files"`

	DeletedTS string        `json:"deleted_ts"`
	Message   *MessageEvent `json:"message"`          // changed: as it is now
	Previous  *MessageEvent `json:"previous_message"` // changed, deleted: as it was
}

// ByPerson tells whether somebody wrote it, rather than an app: ours never echo.
func (m MessageEvent) ByPerson() bool { return m.BotID == "" && m.User != "" && m.User != "USLACKBOT" }

// MessageIn reads the message of an event; false when it has none.
func MessageIn(r bot.Request) (MessageEvent, bool) {
	var m MessageEvent
	err := lenient.Decode(r.Event, &m)
	return m, err == nil
}

// Messages hears what people write in channels.
type Messages struct {
	announcements *store.Announcements
	settings      *store.ChannelSettings
	jobs          *jobs.Jobs
}

// NewMessages makes the handler from what it uses.
func NewMessages(store *store.Store, jobs *jobs.Jobs) *Messages {
	return &Messages{announcements: store.Announcements, settings: store.Settings, jobs: jobs}
}

// Mention is the app's name in a message: in an order's thread it sends that message
// to the editor. On the way to the acknowledgement only Redis is asked.
func (c *Messages) Mention(ctx context.Context, r bot.Request) (bot.Reply, error) {
	m, ok := MessageIn(r)
	if !ok || !m.ByPerson() {
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

// Message is any message in a channel that the app is in.
func (c *Messages) Message(ctx context.Context, r bot.Request) (bot.Reply, error) {
	m, ok := MessageIn(r)
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
func (c *Messages) relayReply(ctx context.Context, r bot.Request, m MessageEvent) error {
	if !m.ByPerson() || r.Thread == "" || jobs.Private(r.Text) {
		return nil
	}
	t, err := c.jobs.Threads.ThreadOf(ctx, r)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	settings, err := c.settings.Of(ctx, r.Team, r.Channel)
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

// onMessageEdit is a message that somebody edited or deleted. Slack reports a link's preview as an edit
// too.
func (c *Messages) onMessageEdit(ctx context.Context, r bot.Request, m MessageEvent) error {
	now, was := m.Message, m.Previous
	deleted := m.Subtype == "message_deleted" || now != nil && now.Subtype == "tombstone"
	if deleted {
		now = was
	}
	if now == nil || !now.ByPerson() || !deleted && was != nil && was.Text == now.Text {
		return nil
	}
	body := jobs.EditArgs{Asker: answers.AskerOf(r), TS: cmp.Or(m.DeletedTS, now.TS), Deleted: deleted}
	body.User, body.Thread = now.User, now.ThreadTS
	if !deleted {
		body.Raw = now.Text
	}
	return c.jobs.Edits.PutEdit(ctx, r, body)
}

// threadArgs are what was said in a thread, on its way to the editor.
func threadArgs(r bot.Request, m MessageEvent, t store.Tracked) jobs.ThreadArgs {
	return jobs.ThreadArgs{RelayArgs: jobs.RelayArgs{
		Asker: answers.AskerOf(r), Order: t.ID, TS: r.MessageTS, Author: r.User, Raw: r.Text, Files: jobs.SlackFiles(m.Files),
	}, Root: r.Thread, Parent: m.Parent}
}
