package notifier

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// clockSkew is how far Slack's clock may be from ours. A post is known by its metadata, so
// reading further back costs a page and finds nothing wrong; reading too little finds
// nothing, and the post would be made again.
const clockSkew = 15 * time.Minute

// find returns the posts of ours that say m of themselves and were made since, oldest
// first: in the order's thread, or in the channel for a card.
func (a *Announcer) find(ctx context.Context, t store.Tracked, m cards.About, since time.Time) ([]slack.Message, error) {
	me, err := a.Slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	messages, err := a.read(ctx, t, m.Event, since.Add(-clockSkew))
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(messages, func(msg slack.Message) bool {
		about, ok := cards.AboutOf(msg)
		return !ok || about != m || !by(me, msg)
	})
	slices.SortFunc(found, func(a, b slack.Message) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	return found, nil
}

// read looks where the message would be. Without its thread, a reply would have
// landed in the channel.
func (a *Announcer) read(ctx context.Context, t store.Tracked, event string, oldest time.Time) ([]slack.Message, error) {
	if event != cards.CardEvent && t.CardTS != "" {
		messages, err := a.Slack.Replies(ctx, t.Owner.Channel, t.CardTS, oldest)
		if !errors.Is(err, bot.ErrGone) {
			return messages, tooMany(err)
		}
	}
	messages, err := a.Slack.History(ctx, t.Owner.Channel, oldest)
	return messages, tooMany(err)
}

// tooMany accepts what was read of a channel that talks faster than it can be
// read: waiting would only add to it.
func tooMany(err error) error {
	if errors.Is(err, bot.ErrTooMany) {
		return nil
	}
	return err
}

// by tells our own posts from those of an app that copies our metadata.
func by(me bot.Identity, msg slack.Message) bool {
	return msg.BotID != "" && msg.BotID == me.BotID || msg.User != "" && msg.User == me.BotUser
}
