package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

const (
	pageSize = 200
	maxPages = 25 // of messages
)

// Replies reads a thread with its first message, oldest first, with all metadata; a
// non-zero oldest leaves out older replies. A thread of more than 5,000 fails with
// [ErrTooMany] and comes with what was read, a deleted one fails with [ErrGone].
func (c *Client) Replies(ctx context.Context, channel, thread string, oldest time.Time) ([]slack.Message, error) {
	return c.messages(ctx, "conversations.replies", url.Values{"channel": {channel}, "ts": {thread}}, oldest)
}

// History reads a channel's messages, without replies that were not broadcast, oldest
// first, with all metadata, beginning at oldest. More than 5,000 fail with [ErrTooMany],
// and come with what was read.
func (c *Client) History(ctx context.Context, channel string, oldest time.Time) ([]slack.Message, error) {
	return c.messages(ctx, "conversations.history", url.Values{"channel": {channel}}, oldest)
}

func (c *Client) messages(ctx context.Context, method string, args url.Values, oldest time.Time) ([]slack.Message, error) {
	args.Set("limit", strconv.Itoa(pageSize))
	args.Set("inclusive", "true")
	args.Set("include_all_metadata", "true")
	if !oldest.IsZero() {
		args.Set("oldest", fmt.Sprintf("%d.%06d", oldest.Unix(), oldest.Nanosecond()/1000))
	}
	byTS := map[string]slack.Message{} // a thread's first message may come with every page
	for range maxPages {
		next, err := c.page(ctx, method, args, byTS)
		if err != nil {
			return nil, err
		}
		if next == "" {
			return inOrder(byTS), nil
		}
		args.Set("cursor", next)
	}
	return inOrder(byTS), &Error{Method: method, class: []error{ErrTooMany}}
}

func (c *Client) page(ctx context.Context, method string, args url.Values, into map[string]slack.Message) (next string, err error) {
	var page struct {
		Messages []json.RawMessage `json:"messages"`
		Metadata struct {
			Next string `json:"next_cursor"`
		} `json:"response_metadata"`
	}
	if _, err := c.call(ctx, method, args, &page); err != nil {
		return "", err
	}
	for _, raw := range page.Messages {
		if m := decodeMessage(raw); m != nil {
			into[m.Timestamp] = *m
		}
	}
	return page.Metadata.Next, nil
}

func inOrder(byTS map[string]slack.Message) []slack.Message {
	return slices.SortedFunc(maps.Values(byTS), func(a, b slack.Message) int {
		return strings.Compare(a.Timestamp, b.Timestamp)
	})
}

// Channel reads what a channel is: its name, whether it is private, archived, shared
// with other organisations, and whether the app is in it.
func (c *Client) Channel(ctx context.Context, id string) (slack.Channel, error) {
	const method = "conversations.info"
	if id == "" {
		return slack.Channel{}, &Error{Method: method, class: []error{ErrPayload}}
	}
	var answer struct {
		Channel json.RawMessage `json:"channel"`
	}
	if _, err := c.call(ctx, method, url.Values{"channel": {id}}, &answer); err != nil {
		return slack.Channel{}, err
	}
	var ch slack.Channel
	return ch, c.wrap(method, Decode(answer.Channel, &ch))
}

// Join makes the app a member of a public channel; being one already is fine. A private
// one gives [ErrNoChannel] or [ErrNotAllowed]: somebody must invite the app.
func (c *Client) Join(ctx context.Context, id string) error {
	_, err := c.call(ctx, "conversations.join", url.Values{"channel": {id}}, &struct{}{})
	return err
}

// User reads who somebody is, at most five minutes old; [Identity.Standing] judges what
// they are to us. The name of a person who does not exist gives [ErrNoUser].
func (c *Client) User(ctx context.Context, id string) (slack.User, error) {
	if u, _, ok := c.users.get(id); ok {
		return u, nil
	}
	return c.UserNow(ctx, id)
}

// UserNow is User as Slack has it at this moment: somebody may be a guest now, or their
// account switched off.
func (c *Client) UserNow(ctx context.Context, id string) (slack.User, error) {
	const method = "users.info"
	var answer struct {
		User json.RawMessage `json:"user"`
	}
	if _, err := c.call(ctx, method, url.Values{"user": {id}}, &answer); err != nil {
		return slack.User{}, err
	}
	var u slack.User
	if err := Decode(answer.User, &u); err != nil {
		return slack.User{}, c.wrap(method, err)
	}
	c.users.put(id, u)
	return u, nil
}
