package commands

import (
	"context"
	"errors"
	"strings"
	"time"

	"darkroom/bot"
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

// private tells what its writer keeps from the editor, whatever the channel relays.
func private(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "//") }

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
	t, err := c.threadOf(ctx, r)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return bot.Reply{}, err
	}
	body := relaying{asker: askerOf(r), Order: t.ID, TS: r.MessageTS, Author: r.User, Raw: r.Text, Files: slackFiles(s.Files)}
	body.Private = private(r.Text)
	return c.acked(c.putSaid(ctx, r, threaded{relaying: body, Root: r.Thread, Parent: s.Parent}))
}

// putSaid puts the job of what was said where nothing that was said before in that thread is
// overtaken: behind those that wait for the thread's order, when there are any.
func (c *Commands) putSaid(ctx context.Context, r bot.Request, body threaded) error {
	waits := body.Order == "" && r.Thread != ""
	if body.Order != "" {
		var err error
		if waits, err = c.queue.Busy(ctx, threadLane(r.Team, r.Channel, r.Thread)); err != nil {
			return err
		}
	}
	if waits {
		return c.putThreaded(ctx, body)
	}
	return c.putRelay(ctx, body.relaying, relayID(body.relaying))
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
	if !s.person() || r.Thread == "" || private(r.Text) {
		return nil
	}
	t, err := c.threadOf(ctx, r)
	if err != nil && !errors.Is(err, store.ErrNotTracked) {
		return err
	}
	settings, err := c.store.Settings(ctx, r.Team, r.Channel)
	if err != nil || settings.Relay != store.RelayReplies {
		return err
	}
	body := relaying{asker: askerOf(r), Order: t.ID, TS: r.MessageTS, Author: r.User, Raw: r.Text, Files: slackFiles(s.Files)}
	if t.ID == "" {
		if known, err := c.isForeign(ctx, r.Team, r.Channel, r.Thread); err != nil || known {
			return err
		}
	}
	return c.putSaid(ctx, r, threaded{relaying: body, Root: r.Thread, Parent: s.Parent, Overheard: true})
}

// threadOf is the order in whose thread the message is.
func (c *Commands) threadOf(ctx context.Context, r bot.Request) (store.Tracked, error) {
	if r.Thread == "" {
		return store.Tracked{}, store.ErrNotTracked
	}
	return c.store.ByThread(ctx, r.Team, r.Channel, r.Thread)
}

// relayID is the identity of a message, however often and by whatever events it comes.
func relayID(b relaying) string {
	return strings.Join([]string{relayJob, b.Team, b.Channel, b.TS}, ":")
}

// putRelay puts the job of a message; one that belongs to no order is answered apart.
func (c *Commands) putRelay(ctx context.Context, b relaying, id string) error {
	lane := "order:" + b.Order
	if b.Order == "" {
		lane = id
	}
	return c.put(ctx, relayJob, id, lane, b)
}

// relayed is what is remembered of a message in Slack that was to reach an editor.
type relayed struct {
	Order     string `json:"order"`
	Author    string `json:"author"`        // whose message it is
	Raw       string `json:"raw,omitempty"` // in Slack's markup, as it was seen last
	Text      string `json:"text"`          // the plain words that the editor has
	Delivered bool   `json:"delivered,omitempty"`
	Deleted   bool   `json:"deleted,omitempty"`
}

// relayLife is how long an edit of a relayed message is noticed.
const relayLife = 90 * 24 * time.Hour

// relayNote names the note of a message.
func relayNote(team, channel, ts string) string {
	return strings.Join([]string{"relay", team, channel, ts}, ":")
}

// relayedAs reads that note; the zero value when there is none.
func (c *Commands) relayedAs(ctx context.Context, name string) (relayed, error) {
	var was relayed
	err := c.store.Noted(ctx, name, &was)
	if errors.Is(err, store.ErrNoNote) {
		err = nil
	}
	return was, err
}
