package commands

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/jobs"
	"darkroom/store"
)

// said is what matters of a message, as an event tells of it.
type said struct {
	Subtype  string    `json:"subtype"`
	BotID    string    `json:"bot_id"`
	User     string    `json:"user"`
	TS       string    `json:"ts"`
	ThreadTS string    `json:"thread_ts"`
	Parent   string    `json:"parent_user_id"` // who began the thread; not always told
	Text     string    `json:"text"`
	Files    bot.Files `json:"files"`

	DeletedTS string `json:"deleted_ts"`
	Message   *said  `json:"message"`          // changed: as it is now
	Previous  *said  `json:"previous_message"` // changed, deleted: as it was
}

// person tells whether somebody wrote it, rather than an app: ours never echo.
func (s said) person() bool { return s.BotID == "" && s.User != "" && s.User != "USLACKBOT" }

func saidIn(r bot.Request) (said, bool) {
	var s said
	err := bot.Decode(r.Event, &s)
	return s, err == nil
}

// mentioned is the app's name in a message: in an order's thread it sends that message
// to the editor. On the way to the acknowledgement only Redis is asked.
func (c *Commands) mentioned(ctx context.Context, r bot.Request) (bot.Reply, error) {
	s, ok := saidIn(r)
	if !ok || !s.person() {
		return bot.Ack(), nil
	}
	t, err := c.jobs.ThreadOf(ctx, r)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return bot.Reply{}, err
	}
	body := jobs.RelayArgs{Asker: jobs.AskerOf(r), Order: t.ID, TS: r.MessageTS, Author: r.User, Raw: r.Text, Files: jobs.SlackFiles(s.Files)}
	body.Private = jobs.Private(r.Text)
	return c.acked(c.jobs.PutSaid(ctx, r, jobs.ThreadArgs{RelayArgs: body, Root: r.Thread, Parent: s.Parent}))
}

// heard is any message in a channel that the app is in.
func (c *Commands) heard(ctx context.Context, r bot.Request) (bot.Reply, error) {
	s, ok := saidIn(r)
	if !ok {
		return bot.Ack(), nil
	}
	switch s.Subtype {
	case "", "file_share", "thread_broadcast":
		return c.acked(c.overheard(ctx, r, s))
	case "message_changed", "message_deleted":
		return c.acked(c.reworded(ctx, r, s))
	}
	return bot.Ack(), nil
}

func (c *Commands) acked(err error) (bot.Reply, error) {
	if err != nil {
		return bot.Reply{}, err
	}
	return bot.Ack(), nil
}

// overheard relays a reply in an order's thread when its channel relays every reply. A
// message that mentions the app comes as two events, under one id.
func (c *Commands) overheard(ctx context.Context, r bot.Request, s said) error {
	if !s.person() || r.Thread == "" || jobs.Private(r.Text) {
		return nil
	}
	t, err := c.jobs.ThreadOf(ctx, r)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	settings, err := c.store.Settings(ctx, r.Team, r.Channel)
	if err != nil || settings.Relay != store.RelayReplies {
		return err
	}
	body := jobs.RelayArgs{Asker: jobs.AskerOf(r), Order: t.ID, TS: r.MessageTS, Author: r.User, Raw: r.Text, Files: jobs.SlackFiles(s.Files)}
	if t.ID == "" {
		if known, err := c.jobs.IsForeign(ctx, r.Team, r.Channel, r.Thread); err != nil || known {
			return err
		}
	}
	return c.jobs.PutSaid(ctx, r, jobs.ThreadArgs{RelayArgs: body, Root: r.Thread, Parent: s.Parent, Overheard: true})
}
