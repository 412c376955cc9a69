// Package events handles events in channels: messages, members, and the app's own posts.
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

// MessageEvent has the fields of a message event that the app uses.
type MessageEvent struct {
	Subtype  string       `json:"subtype"`
	BotID    string       `json:"bot_id"`
	User     string       `json:"user"`
	TS       string       `json:"ts"`
	ThreadTS string       `json:"thread_ts"`
	Parent   string       `json:"parent_user_id"` // author of the thread's first message; not always set
	Text     string       `json:"text"`
	Files    []slack.File `json:"files"`

	DeletedTS string        `json:"deleted_ts"`
	Message   *MessageEvent `json:"message"`          // changed: the new message
	Previous  *MessageEvent `json:"previous_message"` // changed, deleted: the old message
}

// ByPerson reports whether a person wrote the message, and not an app: the app never answers itself.
func (m MessageEvent) ByPerson() bool { return m.BotID == "" && m.User != "" && m.User != "USLACKBOT" }

// MessageIn decodes a message event; false if that fails.
func MessageIn(r bot.Request) (MessageEvent, bool) {
	var m MessageEvent
	err := lenient.Decode(r.Event, &m)
	return m, err == nil
}

// Messages handles people's messages in channels.
type Messages struct {
	announcements *store.Announcements
	settings      *store.ChannelSettings
	jobs          *jobs.Jobs
}

// NewMessages returns the handler.
func NewMessages(store *store.Store, jobs *jobs.Jobs) *Messages {
	return &Messages{announcements: store.Announcements, settings: store.Settings, jobs: jobs}
}

// Mention handles a message that mentions the app. In an order's thread, the message is sent to the editor. Before the
// acknowledgement only Redis is asked.
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

// Message handles every message in the app's channels.
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

// relayReply relays a reply in an order's thread if its channel relays every reply. A message that mentions the app arrives
// here too; its job has the same id, so it is relayed once.
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
		if foreign, err := c.jobs.Threads.IsForeign(ctx, r.Team, r.Channel, r.Thread); err != nil || foreign {
			return err
		}
	}
	body := threadArgs(r, m, t)
	body.Overheard = true
	if body.First, err = c.jobs.Threads.IsFirstOverheard(ctx, r.Team, r.Channel, r.User); err != nil {
		return err
	}
	return c.jobs.Threads.PutSaid(ctx, r, body)
}

// onMessageEdit handles an edited or deleted message. Slack reports a link's preview as an edit, too.
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

// threadArgs returns the job's arguments for a message in a thread.
func threadArgs(r bot.Request, m MessageEvent, t store.Tracked) jobs.ThreadArgs {
	return jobs.ThreadArgs{RelayArgs: jobs.RelayArgs{
		Asker: answers.AskerOf(r), Order: t.ID, TS: r.MessageTS, Author: r.User, Raw: r.Text, Files: jobs.SlackFiles(m.Files),
	}, Root: r.Thread, Parent: m.Parent}
}
