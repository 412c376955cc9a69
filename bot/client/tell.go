package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"

	"github.com/slack-go/slack"
)

// Ephemeral shows a message in a channel to one person who must be a member of it;
// Slack keeps no copy and does not tell whether they were there to see it. A thread
// must exist already.
func (c *Messages) Ephemeral(ctx context.Context, channel, user, thread, text string, blocks ...slack.Block) error {
	return c.api.do(ctx, "chat.postEphemeral", args{"channel": channel, "user": user, "thread_ts": thread, "text": text, "blocks": blocks})
}

// Respond answers by a response URL, seen by that person only, in the place of the message
// that was acted on. What is said goes to Slack's own hosts alone: whoever could sign a request would else
// have us post to any address. See https://docs.slack.dev/interactivity/handling-user-interaction
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

// Where says by what ways a person can be told something privately.
type Where struct {
	Channel     string // where they acted; "" = nowhere in particular
	User        string
	ResponseURL string // "" = none that still lives: Slack's limit is 30 minutes and five uses
	Thread      string // in Channel
}

// Tell tells one person something privately: by the response URL, else by a message in
// the channel that only they see, else by DM. A way whose outcome is unknown is not
// trusted: hearing it twice is better than not at all. A payload that Slack refuses, and
// a dead token, end it at once.
func (c *Messages) Tell(ctx context.Context, where Where, text string, blocks ...slack.Block) error {
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

// isFinal tells that another way would not help.
func isFinal(ctx context.Context, err error) bool {
	return err == nil || ctx.Err() != nil || errors.Is(err, ErrPayload) || errors.Is(err, ErrToken)
}
