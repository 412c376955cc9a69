package bot

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/slack-go/slack"
)

// responseLife is how long a response URL is used: Slack's limit is 30 minutes and
// five uses (https://docs.slack.dev/interactivity/handling-user-interaction).
const responseLife = 29 * time.Minute

// Ephemeral shows a message in a channel to one person who must be a member of it;
// Slack keeps no copy and does not tell whether they were there to see it. A thread
// must exist already.
func (c *Client) Ephemeral(ctx context.Context, channel, user, thread, text string, blocks ...slack.Block) error {
	return c.do(ctx, "chat.postEphemeral", args{"channel": channel, "user": user, "thread_ts": thread, "text": text, "blocks": blocks})
}

// Respond answers by a response URL, seen by that person only, in the place of the message
// that was acted on.
func (c *Client) Respond(ctx context.Context, responseURL, text string, blocks ...slack.Block) error {
	return c.respond(ctx, responseURL, response{Text: text, Blocks: blocks, Replace: true})
}

type response struct {
	Type    string        `json:"response_type"`
	Text    string        `json:"text"`
	Blocks  []slack.Block `json:"blocks,omitempty"`
	Thread  string        `json:"thread_ts,omitempty"`
	Replace bool          `json:"replace_original"`
}

func (c *Client) respond(ctx context.Context, to string, r response) error {
	r.Type = slack.ResponseTypeEphemeral
	body, err := json.Marshal(r)
	if err != nil {
		return &Error{Method: responseURL, class: []error{ErrPayload}, cause: err}
	}
	_, _, err = c.transport.post(ctx, responseURL, to, "application/json; charset=utf-8", body)
	return err
}

// Where says by what ways a person can be told something privately.
type Where struct {
	Channel     string // where they acted; "" = nowhere in particular
	User        string
	ResponseURL string
	Thread      string    // in Channel
	At          time.Time // when ResponseURL was given; zero = just now
}

// Reached tells how Tell reached a person.
type Reached string

// The ways Tell takes, best first.
const (
	ByResponseURL Reached = "response_url"
	ByEphemeral   Reached = "ephemeral"
	ByDM          Reached = "dm"
)

// Tell tells one person something privately: by the response URL while it lives, else
// by a message in the channel that only they see, else by DM. A way whose outcome is
// unknown is not trusted: hearing it twice is better than not at all. A payload that
// Slack refuses, and a dead token, end it at once.
func (c *Client) Tell(ctx context.Context, where Where, text string, blocks ...slack.Block) (Reached, error) {
	young := where.At.IsZero() || time.Since(where.At) < responseLife
	if where.ResponseURL != "" && young {
		err := c.respond(ctx, where.ResponseURL, response{Text: text, Blocks: blocks, Thread: where.Thread})
		if settled(ctx, err) {
			return by(ByResponseURL, err)
		}
	}
	if where.Channel != "" {
		err := c.Ephemeral(ctx, where.Channel, where.User, where.Thread, text, blocks...)
		if settled(ctx, err) {
			return by(ByEphemeral, err)
		}
	}
	_, _, err := c.DM(ctx, where.User, Post{Text: text, Blocks: blocks})
	return by(ByDM, err)
}

func by(way Reached, err error) (Reached, error) {
	if err != nil {
		return "", err
	}
	return way, nil
}

// settled tells that another way would not help.
func settled(ctx context.Context, err error) bool {
	return err == nil || ctx.Err() != nil || errors.Is(err, ErrPayload) || errors.Is(err, ErrToken)
}
