package client

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

// Post is a message to a channel. Its links never unfurl.
type Post struct {
	Channel   string               // id; a user's id opens the app's DM with them
	Thread    string               // ts of the thread's first message, "" = to the channel
	Broadcast bool                 // show a reply in the channel too
	Text      string               // with Blocks: what notifications and screen readers say
	Blocks    []slack.Block        // at most 50
	Metadata  *slack.SlackMetadata // flat values; anybody in the channel can read it
}

// postMethod is the one method whose limit is a channel's, about a message a second:
// https://docs.slack.dev/apis/web-api/rate-limits
const postMethod = "chat.postMessage"

// Messages posts, edits and deletes messages, and answers people.
type Messages struct {
	api     *api
	pace    *pace
	directs cache[string] // DM channels by user
}

// Turn says how long until a message may be posted to channel; 0: now, or so soon that
// [Messages.Post] waits for it.
func (c *Messages) Turn(ctx context.Context, channel string) time.Duration {
	if left := c.pace.left(ctx, channel); left > soon {
		return left
	}
	return 0
}

// Post posts p and returns its timestamp. It waits two seconds at most for the channel's
// pace, then it fails with [ErrTryLater]. [ErrUnknownOutcome]: look for the metadata before
// posting again.
func (c *Messages) Post(ctx context.Context, p Post) (ts string, err error) {
	if err := c.pace.wait(ctx, p.Channel); err != nil {
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
	if wait, told := RetryAfter(err); told {
		c.pace.block(ctx, p.Channel, wait)
	}
	return posted.TS, err
}

// Edit makes the message at ts say p: its text and blocks, none meaning none. Its
// metadata stays when p has none. A DM needs its D… channel. Repeating it is harmless.
func (c *Messages) Edit(ctx context.Context, ts string, p Post) error {
	with := p.args()
	with["ts"] = ts
	if len(p.Blocks) == 0 {
		with["blocks"] = []slack.Block{} // else the old blocks might stay
	}
	return c.api.do(ctx, "chat.update", with)
}

func (p Post) args() args {
	return args{"channel": p.Channel, "text": p.Text, "blocks": p.Blocks, "metadata": p.Metadata}
}

// Delete removes the app's message at ts; one that is gone already is fine.
func (c *Messages) Delete(ctx context.Context, channel, ts string) error {
	err := c.api.do(ctx, "chat.delete", args{"channel": channel, "ts": ts})
	return ignore(err, "message_not_found")
}

// React adds an emoji, named without colons, to the message at ts; twice is once.
func (c *Messages) React(ctx context.Context, channel, ts, emoji string) error {
	err := c.api.do(ctx, "reactions.add", args{"channel": channel, "timestamp": ts, "name": emoji})
	return ignore(err, "already_reacted")
}

// ignore makes a refusal that says "it is so already" a success.
func ignore(err error, code string) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Code == code {
		return nil
	}
	return err
}

// DM posts p to the app's direct messages with user and returns where it is: editing
// it needs that channel. p.Channel is ignored.
func (c *Messages) DM(ctx context.Context, user string, p Post) (channel, ts string, err error) {
	p.Channel, err = c.Direct(ctx, user)
	if err != nil {
		return "", "", err
	}
	ts, err = c.Post(ctx, p)
	return p.Channel, ts, err
}

// Direct opens the app's direct messages with user and returns their channel. Doing it twice is doing it once.
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
