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

// clockSkew bounds the difference between Slack's clock and ours. Posts are matched by metadata, so
// reading too far back costs only a page. Reading too little misses the post and repeats it.
const clockSkew = 15 * time.Minute

// find returns the posts about m since a time, oldest first: from the order's thread, or from the channel
// for a card. Of posts known from events it returns only the newest, since older ones may have been
// deleted. near is when the post was made.
func (o *ownPosts) find(ctx context.Context, t store.Tracked, m cards.About, since, near time.Time) ([]slack.Message, error) {
	r := readingOf(t, m, since)
	found, err := o.fromEvents(ctx, r.Channel, r.Oldest, m.Is)
	if err != nil || len(found) > 0 {
		return found[max(len(found)-1, 0):], err
	}
	r.Near, r.Is = near, m.Is
	return o.read(ctx, r, m.Is)
}

// doubles returns all posts about m. If reading must wait for its slot, posts known from events are
// enough, provided that the saved one is among them: that proves that events arrive.
func (o *ownPosts) doubles(ctx context.Context, t store.Tracked, m cards.About, since time.Time, saved string) ([]slack.Message, error) {
	r := readingOf(t, m, since)
	r.Late = true
	found, err := o.read(ctx, r, m.Is)
	if !errors.Is(err, client.ErrNoReadSlot) {
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
	r.Thread = t.Root // a batch's card has the cards of its orders in its thread
	if m.Event != cards.CardEvent {
		r.Thread = t.ThreadTS()
	}
	return r
}

// read returns the app's matching posts, oldest first. If a reply's thread is gone, the reply is in the
// channel.
func (o *ownPosts) read(ctx context.Context, r client.Reading, matches func(slack.Message) bool) (messages []slack.Message, err error) {
	me, err := o.slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	if messages, err = o.slack.Read(ctx, r); errors.Is(err, client.ErrGone) && r.Thread != "" {
		r.Thread = ""
		messages, err = o.slack.Read(ctx, r)
	}
	if err != nil && !errors.Is(err, client.ErrTooMany) { // waiting would only add messages
		return nil, err
	}
	found := slices.DeleteFunc(messages, func(msg slack.Message) bool { return !matches(msg) || !me.Wrote(msg) })
	slices.SortFunc(found, func(a, b slack.Message) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	return found, nil
}

// fromEvents returns the app's matching posts in a channel that Slack sent events for, oldest first.
// Events may be late or not subscribed to, so a post may exist without one.
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

// unread reports whether a message is known from an event, without its content.
func unread(m slack.Message) bool { return m.Text == "" && len(m.Blocks.BlockSet) == 0 }
