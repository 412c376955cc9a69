package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"github.com/slack-go/slack"
)

// Ephemeral shows a message in a channel to one person, who must be a member. Slack does not store it or
// report whether it was seen. A thread must exist already.
func (c *Messages) Ephemeral(ctx context.Context, channel, user, thread, text string, blocks ...slack.Block) error {
	return c.api.do(ctx, "chat.postEphemeral", args{"channel": channel, "user": user, "thread_ts": thread, "text": text, "blocks": blocks})
}

// Respond answers with a response URL. The answer replaces the message that was acted on, and only that
// person sees it. It posts to Slack's hosts only, since a forged request could name any address. See
// https://docs.slack.dev/interactivity/handling-user-interaction
func (c *Messages) Respond(ctx context.Context, responseURL, text string, blocks ...slack.Block) error {
	return c.respond(ctx, responseURL, response{Text: text, Blocks: blocks, Replace: true})
}

type response struct {
	Type    string        `json:"response_type"`
	Text    string        `json:"text"`
	Blocks  []slack.Block `json:"blocks,omitempty"`
	Thread  string        `json:"thread_ts,omitempty"`
	Replace bool          `json:"replace_original"`
}

func (c *Messages) respond(ctx context.Context, to string, r response) error {
	if u, err := url.Parse(to); err != nil || !c.api.transport.trusts(u) {
		return &Error{Method: responseURL, Class: []error{ErrGone}, Cause: errors.New("not an address of Slack's")}
	}
	r.Type = slack.ResponseTypeEphemeral
	body, err := json.Marshal(r)
	if err != nil {
		return &Error{Method: responseURL, Class: []error{ErrPayload}, Cause: err}
	}
	_, _, err = c.api.transport.post(ctx, responseURL, to, "application/json; charset=utf-8", body)
	return err
}

// Recipient lists the ways to notify a person privately.
type Recipient struct {
	Channel     string // where they acted; "": no channel
	User        string
	ResponseURL string // "": none; Slack's limit is 30 minutes and five uses
	Thread      string // ts in Channel
}

// Notify notifies one person privately: by the response URL, else by an ephemeral message in the channel,
// else by DM. If a way fails or its outcome is unknown, it tries the next: two messages are better than
// none. A refused payload or token ends it at once.
func (c *Messages) Notify(ctx context.Context, where Recipient, text string, blocks ...slack.Block) error {
	if where.ResponseURL != "" {
		err := c.respond(ctx, where.ResponseURL, response{Text: text, Blocks: blocks, Thread: where.Thread})
		if isFinal(ctx, err) {
			return err
		}
	}
	if where.Channel != "" {
		err := c.Ephemeral(ctx, where.Channel, where.User, where.Thread, text, blocks...)
		if isFinal(ctx, err) {
			return err
		}
	}
	_, _, err := c.DM(ctx, where.User, Post{Text: text, Blocks: blocks})
	return err
}

// isFinal reports whether another way would not help.
func isFinal(ctx context.Context, err error) bool {
	return err == nil || ctx.Err() != nil || errors.Is(err, ErrPayload) || errors.Is(err, ErrToken)
}
