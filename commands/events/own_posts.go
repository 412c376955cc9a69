package events

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/lenient"
	"darkroom/cards"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// Slack tells of messages that have metadata where the app asked for that (metadata_subscriptions in its manifest), of
// its own ones too. Who does not know whether a message is out need not read the channel then.

// OwnPosts hears of the app's own messages.
type OwnPosts struct {
	slack         answers.Slack
	announcements *store.Announcements
	ownPosts      *store.OwnPosts
}

// NewOwnPosts makes the handler from what it uses.
func NewOwnPosts(slack answers.Slack, store *store.Store) *OwnPosts {
	return &OwnPosts{slack: slack, announcements: store.Announcements, ownPosts: store.OwnPosts}
}

// metadataEvent is what is used of message_metadata_posted and message_metadata_deleted.
type metadataEvent struct {
	Bot      string          `json:"bot_id"`
	User     string          `json:"user_id"`
	Channel  string          `json:"channel_id"`
	TS       string          `json:"message_ts"`
	Metadata json.RawMessage `json:"metadata"`
	Previous json.RawMessage `json:"previous_metadata"` // deleted: as it was
}

// Posted keeps that a message of the app's is out. Anybody may write such metadata: a stranger's is nothing to us.
func (c *OwnPosts) Posted(ctx context.Context, r bot.Request) (bot.Reply, error) {
	event, ours, err := c.ownMessage(ctx, r)
	if err != nil || !ours || len(event.Metadata) == 0 {
		return bot.Ack(), err
	}
	return bot.Ack(), c.ownPosts.NoteOwnPost(ctx, event.Channel, store.OwnPost{TS: event.TS, Metadata: event.Metadata})
}

// Deleted keeps that it is out no more. A review that is missed is an order's.
func (c *OwnPosts) Deleted(ctx context.Context, r bot.Request) (bot.Reply, error) {
	event, ours, err := c.ownMessage(ctx, r)
	if err != nil || !ours {
		return bot.Ack(), err
	}
	if err := c.ownPosts.DropOwnPost(ctx, event.Channel, event.TS); err != nil || len(event.Previous) == 0 {
		return bot.Ack(), err
	}
	var was slack.Message
	if err := json.Unmarshal(event.Previous, &was.Metadata); err != nil {
		return bot.Ack(), fmt.Errorf("%s: %w", r.Name, err)
	}
	about, is := cards.AboutOf(was)
	if !is {
		return bot.Ack(), nil
	}
	return bot.Ack(), c.announcements.ReplyDeleted(ctx, about.Order, about.Generation, event.TS)
}

// ownMessage reads such an event, and tells whether its message is the app's.
func (c *OwnPosts) ownMessage(ctx context.Context, r bot.Request) (event metadataEvent, ours bool, err error) {
	if err := lenient.Decode(r.Event, &event); err != nil {
		return event, false, fmt.Errorf("%s: %w", r.Name, err)
	}
	me, err := c.slack.Identity(ctx)
	if err != nil {
		return event, false, err
	}
	ours = event.Channel != "" && event.TS != "" && me.Wrote(slack.Message{Msg: slack.Msg{BotID: event.Bot, User: event.User}})
	return event, ours, nil
}
