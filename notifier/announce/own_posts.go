package announce

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

type identifier interface {
	Identity(ctx context.Context) (bot.Identity, error)
}

// reader reads a channel or a thread.
type reader interface {
	identifier
	Read(ctx context.Context, r bot.Reading) ([]slack.Message, error)
}

type ownPostStore interface {
	OwnPosts(ctx context.Context, channel string, since time.Time) ([]store.OwnPost, error)
}

// ownPosts finds messages that the app has posted.
type ownPosts struct {
	slack reader
	store ownPostStore
}

// clockSkew is how far Slack's clock may be from ours. A post is known by its metadata, so
// reading further back costs a page and finds nothing wrong; reading too little finds
// nothing, and the post would be made again.
const clockSkew = 15 * time.Minute

// find returns the posts of ours that say m of themselves and were made since, oldest
// first: in the order's thread, or in the channel for a card. Of those that an event told
// of it is the newest: an older one may have been deleted. near is when it was posted, if it was.
func (o *ownPosts) find(ctx context.Context, t store.Tracked, m cards.About, since, near time.Time) ([]slack.Message, error) {
	heard, err := o.fromEvents(ctx, t.Owner.Channel, since.Add(-clockSkew), m.Is)
	if err != nil || len(heard) > 0 {
		return heard[max(len(heard)-1, 0):], err
	}
	return o.read(ctx, t, m, bot.Reading{Oldest: since.Add(-clockSkew), Near: near, Is: m.Is})
}

// doubles returns all of them. Where it would have to wait for its turn to read, what events told of is enough, if they
// told of the one that is kept: then they come.
func (o *ownPosts) doubles(ctx context.Context, t store.Tracked, m cards.About, since time.Time, kept string) ([]slack.Message, error) {
	oldest := since.Add(-clockSkew)
	found, err := o.read(ctx, t, m, bot.Reading{Oldest: oldest, Late: true})
	if !errors.Is(err, bot.ErrReadTurn) {
		return found, err
	}
	heard, lost := o.fromEvents(ctx, t.Owner.Channel, oldest, m.Is)
	if lost != nil || slices.ContainsFunc(heard, func(msg slack.Message) bool { return msg.Timestamp == kept }) {
		return heard, lost
	}
	return nil, err
}

// read looks where the message would be. Without its thread, a reply would have
// landed in the channel.
func (o *ownPosts) read(ctx context.Context, t store.Tracked, m cards.About, r bot.Reading) (messages []slack.Message, err error) {
	me, err := o.slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	r.Channel = t.Owner.Channel
	if m.Event != cards.CardEvent {
		r.Thread = t.CardTS
	}
	if messages, err = o.slack.Read(ctx, r); errors.Is(err, bot.ErrGone) && r.Thread != "" {
		r.Thread = ""
		messages, err = o.slack.Read(ctx, r)
	}
	if err != nil && !errors.Is(err, bot.ErrTooMany) { // the channel talks faster than it can be read: waiting would only add to it
		return nil, err
	}
	found := slices.DeleteFunc(messages, func(msg slack.Message) bool { return !m.Is(msg) || !me.Wrote(msg) })
	slices.SortFunc(found, func(a, b slack.Message) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	return found, nil
}

// heardOf are the messages of ours in a channel, or a thread of it, that an event of Slack told of since then and
// that are it, oldest first. What no event told of may be out all the same: events come late, and only where they were
// asked for. What they tell of needs no reading.
func (o *ownPosts) fromEvents(ctx context.Context, channel string, since time.Time, is func(slack.Message) bool) ([]slack.Message, error) {
	posts, err := o.store.OwnPosts(ctx, channel, since)
	if err != nil || len(posts) == 0 {
		return nil, err
	}
	me, err := o.slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	var found []slack.Message
	for _, p := range posts {
		m := slack.Message{Msg: slack.Msg{Timestamp: p.TS, User: me.BotUser, BotID: me.BotID}}
		if err := json.Unmarshal(p.Metadata, &m.Metadata); err != nil {
			return nil, err
		}
		if is(m) {
			found = append(found, m)
		}
	}
	return found, nil
}

// unread says of a message that it is known to be out, and not what it shows.
func unread(m slack.Message) bool { return m.Text == "" && len(m.Blocks.BlockSet) == 0 }
