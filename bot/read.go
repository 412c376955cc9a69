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
	pageSize  = 200
	maxPages  = 25 // of messages
	memberMax = 50 // pages of 1,000 members
	doubtful  = 5 * time.Second
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
	args = maps.Clone(args)
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
	ch, err := c.api.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: id})
	if err != nil {
		return slack.Channel{}, c.wrap("conversations.info", err)
	}
	return *ch, nil
}

// Join makes the app a member of a public channel; being one already is fine. A private
// one gives [ErrNoChannel] or [ErrNotAllowed]: somebody must invite the app.
func (c *Client) Join(ctx context.Context, id string) error {
	_, _, _, err := c.api.JoinConversationContext(ctx, id)
	return c.wrap("conversations.join", err)
}

// IsMember tells whether user is in channel. A yes may be a minute old; a no only five
// seconds, because people join and try again. More than 50,000 members: [ErrTooMany].
func (c *Client) IsMember(ctx context.Context, channel, user string) (bool, error) {
	if members, age, ok := c.members.get(channel); ok && (members[user] || age < doubtful) {
		return members[user], nil
	}
	members, err := c.readMembers(ctx, channel)
	if err != nil {
		return false, err
	}
	c.members.put(channel, members)
	return members[user], nil
}

func (c *Client) readMembers(ctx context.Context, channel string) (map[string]bool, error) {
	const method = "conversations.members"
	members := map[string]bool{}
	cursor := ""
	for range memberMax {
		ids, next, err := c.api.GetUsersInConversationContext(ctx, &slack.GetUsersInConversationParameters{ChannelID: channel, Cursor: cursor, Limit: 1000})
		if err != nil {
			return nil, c.wrap(method, err)
		}
		for _, id := range ids {
			members[id] = true
		}
		if next == "" {
			return members, nil
		}
		cursor = next
	}
	return nil, &Error{Method: method, class: []error{ErrTooMany}}
}

// User reads who somebody is, at most five minutes old: IsRestricted and
// IsUltraRestricted are guests, IsStranger or another TeamID are people of other
// organisations. The name of a person who does not exist gives [ErrNoUser].
func (c *Client) User(ctx context.Context, id string) (slack.User, error) {
	if u, _, ok := c.users.get(id); ok {
		return u, nil
	}
	u, err := c.api.GetUserInfoContext(ctx, id)
	if err != nil {
		return slack.User{}, c.wrap("users.info", err)
	}
	c.users.put(id, *u)
	return *u, nil
}

// UserChannels returns the ids of the channels that user is in, as far as the app can
// see: public ones, and private ones that the app is in too. At most 5,000, archived
// ones among them; the answer may be a minute old and is the caller's to read only.
func (c *Client) UserChannels(ctx context.Context, user string) ([]string, error) {
	if ids, _, ok := c.channels.get(user); ok {
		return ids, nil
	}
	args := url.Values{
		"user": {user}, "types": {"public_channel,private_channel"},
		"exclude_archived": {"false"}, "limit": {"999"},
	}
	var ids []string
	for more := true; more && len(ids) < maxChannels; {
		page, next, err := c.channelPage(ctx, args)
		if err != nil {
			return nil, err
		}
		ids = append(ids, page...)
		more = next != "" && len(page) > 0
		args.Set("cursor", next)
	}
	ids = ids[:min(len(ids), maxChannels)]
	c.channels.put(user, ids)
	return ids, nil
}

// maxChannels of one person are read; nobody looks at more.
const maxChannels = 5000

func (c *Client) channelPage(ctx context.Context, args url.Values) (ids []string, next string, err error) {
	var page struct {
		Channels []struct {
			ID string `json:"id"`
		} `json:"channels"`
		Metadata struct {
			Next string `json:"next_cursor"`
		} `json:"response_metadata"`
	}
	if _, err := c.call(ctx, "users.conversations", args, &page); err != nil {
		return nil, "", err
	}
	for _, ch := range page.Channels {
		ids = append(ids, ch.ID)
	}
	return ids, page.Metadata.Next, nil
}
