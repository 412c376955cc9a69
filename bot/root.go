package bot

import (
	"context"
	"slices"

	"github.com/slack-go/slack"
)

// Root reads the first message of a thread, with its metadata; of a message without
// replies it is that message. One that is not there any more gives [ErrGone].
func (c *Client) Root(ctx context.Context, channel, thread string) (slack.Message, error) {
	const method = "conversations.replies"
	_, found, err := c.page(ctx, method, args{"channel": channel, "ts": thread, "limit": 1, "inclusive": true, "include_all_metadata": true})
	if err != nil {
		return slack.Message{}, err
	}
	at := slices.IndexFunc(found.Messages, func(m slack.Message) bool { return m.Timestamp == thread })
	if at < 0 {
		return slack.Message{}, &Error{Method: method, class: []error{ErrGone}}
	}
	return found.Messages[at], nil
}
