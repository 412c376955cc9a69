package client

import (
	"context"
	"slices"

	"github.com/slack-go/slack"
)

// Begin reads at most so many messages of a thread, from its first, oldest first, and tells whether there are
// more. Where Slack limits such calls it does not wait for a turn, and is content with one page.
func (c *Conversations) Begin(ctx context.Context, channel, thread string, most int) (messages []slack.Message, more bool, err error) {
	pages := 4 // Slack may put fewer on a page than were asked for
	limited, err := c.turn(ctx, repliesMethod, "", false)
	if err != nil {
		return nil, false, err
	}
	if limited {
		pages = 1
	}
	with := args{"channel": channel, "ts": thread, "limit": min(most, pageSize), "inclusive": true}
	byTS, next := map[string]slack.Message{}, "" // its first message may come with every page
	for range pages {
		var found found
		if next, found, err = c.page(ctx, repliesMethod, with); err != nil {
			return nil, false, err
		}
		for _, m := range found.Messages {
			byTS[m.Timestamp] = m
		}
		if next == "" || len(byTS) >= most {
			break
		}
	}
	messages = inOrder(byTS)
	return messages[:min(len(messages), most)], next != "" || len(messages) > most, nil
}

// Root reads the first message of a thread, with its metadata; of a message without
// replies it is that message. One that is not there any more gives [ErrGone].
func (c *Conversations) Root(ctx context.Context, channel, thread string) (slack.Message, error) {
	if _, err := c.turn(ctx, repliesMethod, "root:"+channel+":"+thread, false); err != nil {
		return slack.Message{}, err
	}
	_, found, err := c.page(ctx, repliesMethod, args{"channel": channel, "ts": thread, "limit": 1, "inclusive": true, "include_all_metadata": true})
	if err != nil {
		return slack.Message{}, err
	}
	at := slices.IndexFunc(found.Messages, func(m slack.Message) bool { return m.Timestamp == thread })
	if at < 0 {
		return slack.Message{}, &Error{Method: repliesMethod, Class: []error{ErrGone}}
	}
	return found.Messages[at], nil
}
