package events

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/lenient"
	"darkroom/cards"
	cardsbatch "darkroom/cards/batch"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// OwnPosts handles events about the app's own messages. Slack reports messages with metadata, the app's own included,
// because the manifest subscribes to them (metadata_subscriptions). The app then learns whether a post arrived without
// reading the channel.
type OwnPosts struct {
	slack         answers.Slack
	announcements *store.Announcements
	ownPosts      *store.OwnPosts
	batchCards    *store.BatchCards
}

// NewOwnPosts returns the handler.
func NewOwnPosts(slack answers.Slack, store *store.Store) *OwnPosts {
	return &OwnPosts{slack: slack, announcements: store.Announcements, ownPosts: store.OwnPosts, batchCards: store.BatchCards}
}

// metadataEvent has the used fields of message_metadata_posted and message_metadata_deleted.
type metadataEvent struct {
	Bot      string          `json:"bot_id"`
	User     string          `json:"user_id"`
	Channel  string          `json:"channel_id"`
	TS       string          `json:"message_ts"`
	Metadata json.RawMessage `json:"metadata"`
	Previous json.RawMessage `json:"previous_metadata"` // deleted: the old metadata
}

// Posted records that a message of the app was posted. Other apps can write the same metadata: their messages are
// ignored.
func (c *OwnPosts) Posted(ctx context.Context, r bot.Request) (bot.Reply, error) {
	event, ours, err := c.ownMessage(ctx, r)
	if err != nil || !ours || len(event.Metadata) == 0 {
		return bot.Ack(), err
	}
	return bot.Ack(), c.ownPosts.NoteOwnPost(ctx, event.Channel, store.OwnPost{TS: event.TS, Metadata: event.Metadata})
}

// Deleted records that a message of the app was deleted. A deleted review is also recorded at its order.
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
	if id := cardsbatch.OfCard(was); id != "" {
		return bot.Ack(), c.batchCards.CardDeleted(ctx, id, event.TS)
	}
	about, ok := cards.AboutOf(was)
	if !ok {
		return bot.Ack(), nil
	}
	return bot.Ack(), c.announcements.ReplyDeleted(ctx, about.Order, about.Generation, event.TS)
}

// ownMessage decodes the event, and reports whether the app wrote its message.
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
