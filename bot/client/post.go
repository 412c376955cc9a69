package client

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

// Post is a message to a channel. Its links do not unfurl.
type Post struct {
	Channel   string               // its id; a user's id means the app's DM with them
	Thread    string               // ts of the thread's first message; "": the channel
	Broadcast bool                 // shows a reply in the channel too
	Text      string               // with Blocks: for notifications and screen readers
	Blocks    []slack.Block        // at most 50
	Metadata  *slack.SlackMetadata // flat values; all members of the channel can read it
}

// postMethod has a rate limit per channel, about one message a second:
// https://docs.slack.dev/apis/web-api/rate-limits
const postMethod = "chat.postMessage"

// Messages posts, edits and deletes messages.
type Messages struct {
	api     *api
	limit   *postLimit
	directs cache[string] // DM channels by user
}

// Slot returns the time until a message may be posted to channel. It is 0 if [Messages.Post] would wait
// only a moment.
func (c *Messages) Slot(ctx context.Context, channel string) time.Duration {
	if left := c.limit.left(ctx, channel); left > soon {
		return left
	}
	return 0
}

// Post posts p and returns its timestamp. If the channel's slot is more than two seconds away, it returns
// [ErrTryLater]. After [ErrUnknownOutcome], search for the metadata before posting again.
func (c *Messages) Post(ctx context.Context, p Post) (ts string, err error) {
	if err := c.limit.wait(ctx, p.Channel); err != nil {
		return "", err
	}
	with := p.args()
	with["unfurl_links"], with["unfurl_media"] = false, false
	with["thread_ts"] = p.Thread
	if p.Thread != "" && p.Broadcast {
		with["reply_broadcast"] = true
	}
	var posted struct{ TS string }
	_, err = c.api.call(ctx, postMethod, with, &posted)
	if wait, ok := RetryAfter(err); ok {
		c.limit.block(ctx, p.Channel, wait)
	}
	return posted.TS, err
}

// Edit replaces text and blocks of the message at ts; without Blocks the message has none. Without
// Metadata it keeps its metadata. A DM needs its D… channel. Repeating an edit is harmless.
func (c *Messages) Edit(ctx context.Context, ts string, p Post) error {
	with := p.args()
	with["ts"] = ts
	if len(p.Blocks) == 0 {
		with["blocks"] = []slack.Block{} // otherwise the old blocks may stay
	}
	return c.api.do(ctx, "chat.update", with)
}

func (p Post) args() args {
	return args{"channel": p.Channel, "text": p.Text, "blocks": p.Blocks, "metadata": p.Metadata}
}

// Delete deletes the app's message at ts. A message that is gone already is not an error.
func (c *Messages) Delete(ctx context.Context, channel, ts string) error {
	err := c.api.do(ctx, "chat.delete", args{"channel": channel, "ts": ts})
	return ignore(err, "message_not_found")
}

// React adds an emoji, named without colons, to the message at ts. Adding it twice is not an error.
func (c *Messages) React(ctx context.Context, channel, ts, emoji string) error {
	err := c.api.do(ctx, "reactions.add", args{"channel": channel, "timestamp": ts, "name": emoji})
	return ignore(err, "already_reacted")
}

// ignore turns a refusal with the given code into success.
func ignore(err error, code string) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Code == code {
		return nil
	}
	return err
}

// DM posts p to the app's direct messages with user and returns channel and timestamp for later edits. It
// ignores p.Channel.
func (c *Messages) DM(ctx context.Context, user string, p Post) (channel, ts string, err error) {
	p.Channel, err = c.Direct(ctx, user)
	if err != nil {
		return "", "", err
	}
	ts, err = c.Post(ctx, p)
	return p.Channel, ts, err
}

// Direct opens the app's direct messages with user and returns their channel. Repeating it is harmless.
func (c *Messages) Direct(ctx context.Context, user string) (string, error) {
	if id, _, ok := c.directs.get(user); ok {
		return id, nil
	}
	const method = "conversations.open"
	var dm struct {
		Channel lenient.String `json:"channel"`
	}
	if _, err := c.api.call(ctx, method, args{"users": user}, &dm); err != nil {
		return "", err
	}
	if dm.Channel == "" {
		return "", &Error{Method: method, Class: []error{ErrTryLater}, Cause: errors.New("no channel in the answer")}
	}
	c.directs.put(user, string(dm.Channel))
	return string(dm.Channel), nil
}
