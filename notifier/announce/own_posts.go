package announce

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/store"
)

type identifier interface {
	Identity(ctx context.Context) (client.Identity, error)
}

// reader reads a channel or a thread.
type reader interface {
	identifier
	Read(ctx context.Context, r client.Reading) ([]slack.Message, error)
}

// ownPosts finds messages that the app has posted.
type ownPosts struct {
	slack reader
	posts *store.OwnPosts
}

// clockSkew is how far Slack's clock may be from ours. A post is known by its metadata, so
// reading further back costs a page and finds nothing wrong; reading too little finds
// nothing, and the post would be made again.
const clockSkew = 15 * time.Minute

// find returns the posts about m since then, oldest first: in the order's thread, or in the channel for a card.
// Of those that an event told of it returns the newest: an older one may have been deleted. near is when the post
// was made.
func (o *ownPosts) find(ctx context.Context, t store.Tracked, m cards.About, since, near time.Time) ([]slack.Message, error) {
	r := readingOf(t, m, since)
	found, err := o.fromEvents(ctx, r.Channel, r.Oldest, m.Is)
	if err != nil || len(found) > 0 {
		return found[max(len(found)-1, 0):], err
	}
	r.Near, r.Is = near, m.Is
	return o.read(ctx, r, m.Is)
}

// doubles returns all posts about m. If reading has to wait for its slot, the posts that events told of are enough,
// provided that the saved one is among them: then events come.
func (o *ownPosts) doubles(ctx context.Context, t store.Tracked, m cards.About, since time.Time, saved string) ([]slack.Message, error) {
	r := readingOf(t, m, since)
	r.Late = true
	found, err := o.read(ctx, r, m.Is)
	if !errors.Is(err, client.ErrReadTurn) {
		return found, err
	}
	fromEvents, failed := o.fromEvents(ctx, r.Channel, r.Oldest, m.Is)
	if failed != nil || slices.ContainsFunc(fromEvents, func(msg slack.Message) bool { return msg.Timestamp == saved }) {
		return fromEvents, failed
	}
	return nil, err
}

func readingOf(t store.Tracked, m cards.About, since time.Time) client.Reading {
	r := client.Reading{Channel: t.Owner.Channel, Oldest: since.Add(-clockSkew)}
	if m.Event != cards.CardEvent {
		r.Thread = t.CardTS
	}
	return r
}

// read returns the app's posts that match, oldest first. A reply whose thread is gone has landed in the channel.
func (o *ownPosts) read(ctx context.Context, r client.Reading, matches func(slack.Message) bool) (messages []slack.Message, err error) {
	me, err := o.slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	if messages, err = o.slack.Read(ctx, r); errors.Is(err, client.ErrGone) && r.Thread != "" {
		r.Thread = ""
		messages, err = o.slack.Read(ctx, r)
	}
	if err != nil && !errors.Is(err, client.ErrTooMany) { // the channel talks faster than it can be read: waiting would only add to it
		return nil, err
	}
	found := slices.DeleteFunc(messages, func(msg slack.Message) bool { return !matches(msg) || !me.Wrote(msg) })
	slices.SortFunc(found, func(a, b slack.Message) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	return found, nil
}

// fromEvents returns the app's posts in a channel that Slack's events told of since then and that match, oldest first.
// Events come late, and only where they were asked for: a post may be out without one.
func (o *ownPosts) fromEvents(ctx context.Context, channel string, since time.Time, matches func(slack.Message) bool) ([]slack.Message, error) {
	posts, err := o.posts.Since(ctx, channel, since)
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
		if matches(m) {
			found = append(found, m)
		}
	}
	return found, nil
}

// unread says of a message that it is known to be out, and not what it shows.
func unread(m slack.Message) bool { return m.Text == "" && len(m.Blocks.BlockSet) == 0 }
