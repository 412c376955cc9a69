package bot

import (
	"context"
	"net/url"

	"github.com/slack-go/slack"
)

// Root reads the first message of a thread, with its metadata; of a message without
// replies it is that message. One that is not there any more gives [ErrGone].
func (c *Client) Root(ctx context.Context, channel, thread string) (slack.Message, error) {
	const method = "conversations.replies"
	found := map[string]slack.Message{}
	_, err := c.page(ctx, method, url.Values{
		"channel": {channel}, "ts": {thread}, "limit": {"1"}, "inclusive": {"true"}, "include_all_metadata": {"true"},
	}, found)
	if err != nil {
		return slack.Message{}, err
	}
	root, ok := found[thread]
	if !ok {
		return slack.Message{}, &Error{Method: method, class: []error{ErrGone}}
	}
	return root, nil
}
