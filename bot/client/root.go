package client

import (
	"context"
	"slices"

	"github.com/slack-go/slack"
)

// Begin reads at most the given number of messages from the start of a thread, oldest first, and reports
// whether there are more. If Slack limits reading, it does not wait for a slot and reads one page.
func (c *Conversations) Begin(ctx context.Context, channel, thread string, most int) (messages []slack.Message, more bool, err error) {
	pages := 4 // Slack may return fewer messages than the limit
	limited, err := c.takeSlot(ctx, repliesMethod, "", false)
	if err != nil {
		return nil, false, err
	}
	if limited {
		pages = 1
	}
	with := args{"channel": channel, "ts": thread, "limit": min(most, pageSize), "inclusive": true}
	next := ""
	for range pages {
		var found found
		if next, found, err = c.page(ctx, repliesMethod, with); err != nil {
			return nil, false, err
		}
		messages = sorted(append(messages, found.Messages...)) // every page may repeat the first message
		if next == "" || len(messages) >= most {
			break
		}
	}
	return messages[:min(len(messages), most)], next != "" || len(messages) > most, nil
}

// Root reads the first message of a thread, or a message without replies, with its metadata. It returns
// [ErrGone] for a deleted one.
func (c *Conversations) Root(ctx context.Context, channel, thread string) (slack.Message, error) {
	if _, err := c.takeSlot(ctx, repliesMethod, "root:"+channel+":"+thread, false); err != nil {
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
