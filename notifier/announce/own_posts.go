package announce

import (
	"context"
	"encoding/json"
	"time"

	"github.com/slack-go/slack"
)

// heardOf are the messages of ours in a channel, or a thread of it, that an event of Slack told of since then and
// that are it, oldest first. What no event told of may be out all the same: events come late, and only where they were
// asked for. What they tell of needs no reading.
func (a *Announcer) heardOf(ctx context.Context, channel string, since time.Time, is func(slack.Message) bool) ([]slack.Message, error) {
	posts, err := a.Store.OwnPosts(ctx, channel, since)
	if err != nil || len(posts) == 0 {
		return nil, err
	}
	me, err := a.Slack.Identity(ctx)
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
