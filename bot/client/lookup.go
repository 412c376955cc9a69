package client

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

const pageSize = 200

// found is one page of any list; one of the fields is set.
type found struct {
	Members  []string         `json:"members"`
	Channels []lenient.String `json:"channels"` // channels' ids
	Messages []slack.Message  `json:"messages"`
}

// page reads one page of a list and sets the cursor in with to the next page. next is empty on the last
// one.
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

// Channel reads a channel's properties, with its number of members and whether the app is a member.
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

// Join makes the app a member of a public channel, if it is not one already. For a private channel it
// returns [ErrNoChannel] or [ErrNotAllowed]: a member must invite the app.
func (c *People) Join(ctx context.Context, id string) error {
	return c.api.do(ctx, "conversations.join", args{"channel": id})
}

// User returns a person, at most five minutes old; see [Identity.AccountStatus]. For an unknown id it returns
// [ErrNoUser].
func (c *People) User(ctx context.Context, id string) (slack.User, error) {
	if u, _, ok := c.users.get(id); ok {
		return u, nil
	}
	return c.UserNow(ctx, id)
}

// UserLately is [People.User], but at most five seconds old.
func (c *People) UserLately(ctx context.Context, id string) (slack.User, error) {
	if u, age, ok := c.users.get(id); ok && age < negativeLife {
		return u, nil
	}
	return c.UserNow(ctx, id)
}

// UserKnown returns a cached person without calling Slack.
func (c *People) UserKnown(id string) (slack.User, bool) {
	u, _, ok := c.users.get(id)
	return u, ok
}

// UserNow is [People.User] without the cache: somebody may just have become a guest or been deactivated.
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
