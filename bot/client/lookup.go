package client

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

const pageSize = 200

// found is what a page of any list holds: one of these.
type found struct {
	Members  []string         `json:"members"`
	Channels []lenient.String `json:"channels"` // of objects, their ids
	Messages []slack.Message  `json:"messages"`
}

// page reads one page of a list, and turns to the one after it; next is empty on the last.
func (a *api) page(ctx context.Context, method string, with args) (next string, all found, err error) {
	var page struct {
		found
		Metadata struct {
			Next string `json:"next_cursor"`
		} `json:"response_metadata"`
	}
	_, err = a.call(ctx, method, with, &page)
	with["cursor"] = page.Metadata.Next
	return page.Metadata.Next, page.found, err
}

// Channel reads what a channel is: its name, how many members it has, whether it is private,
// archived, shared with other organisations, and whether the app is in it.
func (c *People) Channel(ctx context.Context, id string) (slack.Channel, error) {
	const method = "conversations.info"
	if id == "" {
		return slack.Channel{}, &Error{Method: method, Class: []error{ErrPayload}}
	}
	var answer struct {
		Channel slack.Channel `json:"channel"`
	}
	_, err := c.api.call(ctx, method, args{"channel": id, "include_num_members": true}, &answer)
	if err == nil && answer.Channel.ID == "" {
		err = &Error{Method: method, Cause: errors.New("no channel in the answer")}
	}
	return answer.Channel, err
}

// Join makes the app a member of a public channel; being one already is fine. A private
// one gives [ErrNoChannel] or [ErrNotAllowed]: somebody must invite the app.
func (c *People) Join(ctx context.Context, id string) error {
	return c.api.do(ctx, "conversations.join", args{"channel": id})
}

// User reads who somebody is, at most five minutes old; [Identity.Standing] judges what
// they are to us. The name of a person who does not exist gives [ErrNoUser].
func (c *People) User(ctx context.Context, id string) (slack.User, error) {
	if u, _, ok := c.users.get(id); ok {
		return u, nil
	}
	return c.UserNow(ctx, id)
}

// UserLately is User at most five seconds old: somebody may be more than they were.
func (c *People) UserLately(ctx context.Context, id string) (slack.User, error) {
	if u, age, ok := c.users.get(id); ok && age < doubtful {
		return u, nil
	}
	return c.UserNow(ctx, id)
}

// UserKnown is User without asking Slack: false when nothing is remembered of them.
func (c *People) UserKnown(id string) (slack.User, bool) {
	u, _, ok := c.users.get(id)
	return u, ok
}

// UserNow is User as Slack has it at this moment: somebody may be a guest now, or their
// account switched off.
func (c *People) UserNow(ctx context.Context, id string) (slack.User, error) {
	const method = "users.info"
	var answer struct {
		User slack.User `json:"user"`
	}
	_, err := c.api.call(ctx, method, args{"user": id}, &answer)
	switch {
	case err != nil:
	case answer.User.ID == "":
		err = &Error{Method: method, Cause: errors.New("no user in the answer")}
	default:
		c.users.put(id, answer.User)
	}
	return answer.User, err
}
