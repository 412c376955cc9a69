package client

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Slack returns at most 999 members of a channel, or channels of a person, at once. Source:
// docs.slack.dev/reference/methods/users.conversations, and the types of its SDKs.
const (
	listPage       = 999
	firstPages     = 3               // pages of members that are read first
	maxMemberPages = 50              // pages of members, if the person's channels are unknown
	maxChannels    = 5000            // of one person
	negativeLife   = 5 * time.Second // age up to which a negative answer counts
)

// IsMember reports whether user is in channel. A positive answer may be a minute old, unless
// [People.Forget] was called; a negative one only five seconds, because people join and try again. In a
// channel of thousands it reads the person's channels instead of all members. It returns [ErrTooMany] if
// more than 50,000 members would have to be read.
func (c *People) IsMember(ctx context.Context, channel, user string) (bool, error) {
	if members, age, ok := c.members.get(channel); ok && (members[user] || age < negativeLife) {
		return members[user], nil
	}
	if in, age, ok := c.memberships.get(memberKey(channel, user)); ok && (in || age < negativeLife) {
		return in, nil
	}
	if ids, age, ok := c.channels.get(user); ok && c.isLarge(channel) {
		if in := slices.Contains(ids, channel); in || age < negativeLife {
			return in, nil
		}
	}
	return c.IsMemberNow(ctx, channel, user)
}

// IsMemberNow is [People.IsMember] without the cache, for actions that a former member must not do.
func (c *People) IsMemberNow(ctx context.Context, channel, user string) (bool, error) {
	r := newMemberList(channel)
	if !c.isLarge(channel) {
		if err := c.readMembers(ctx, channel, r); err != nil {
			return false, err
		}
		if r.whole || r.ids[user] {
			return r.ids[user], nil
		}
	}
	ids, err := c.readChannels(ctx, user)
	if err == nil && len(ids) < maxChannels {
		return slices.Contains(ids, channel), nil
	}
	if err != nil && (ctx.Err() != nil || errors.Is(err, ErrTryLater)) {
		return false, err
	}
	for !r.whole && !r.ids[user] { // the person's channels are unknown
		if err := c.nextMembers(ctx, r); err != nil {
			return false, err
		}
	}
	c.memberships.put(memberKey(channel, user), r.ids[user])
	return r.ids[user], nil
}

// Forget drops cached memberships of a person who joined or left a channel.
func (c *People) Forget(channel, user string) {
	c.members.drop(channel)
	c.memberships.drop(memberKey(channel, user))
	c.channels.drop(user)
}

// Members returns the ids of a channel's members, at most a minute old and read-only for the caller. For a
// channel of thousands, whole is false and ids may be partial or nil.
func (c *People) Members(ctx context.Context, channel string) (ids map[string]bool, whole bool, err error) {
	if members, _, ok := c.members.get(channel); ok {
		return members, true, nil
	}
	return c.MembersNow(ctx, channel)
}

// MembersNow is [People.Members] without the cache.
func (c *People) MembersNow(ctx context.Context, channel string) (ids map[string]bool, whole bool, err error) {
	if c.isLarge(channel) {
		return nil, false, nil
	}
	r := newMemberList(channel)
	err = c.readMembers(ctx, channel, r)
	return r.ids, r.whole, err
}

func memberKey(channel, user string) string { return channel + " " + user }

func (c *People) isLarge(channel string) bool { return c.largeChannels.has(channel) }

// memberList holds the members of a channel that were read so far.
type memberList struct {
	ids   map[string]bool
	with  args // of the next page
	pages int
	whole bool
}

func newMemberList(channel string) *memberList {
	return &memberList{ids: map[string]bool{}, with: args{"channel": channel, "limit": listPage}}
}

// readMembers reads a channel's members and caches them, unless there are too many pages.
func (c *People) readMembers(ctx context.Context, channel string, r *memberList) error {
	for !r.whole && r.pages < firstPages {
		if err := c.nextMembers(ctx, r); err != nil {
			return err
		}
	}
	if r.whole {
		c.members.put(channel, r.ids)
	} else {
		c.members.drop(channel)
		c.largeChannels.put(channel, true)
	}
	return nil
}

// nextMembers reads the next page.
func (c *People) nextMembers(ctx context.Context, r *memberList) error {
	const method = "conversations.members"
	if r.pages >= maxMemberPages {
		return &Error{Method: method, Class: []error{ErrTooMany}}
	}
	next, found, err := c.api.page(ctx, method, r.with)
	if err != nil {
		return err
	}
	for _, id := range found.Members {
		r.ids[id] = true
	}
	r.pages, r.whole = r.pages+1, next == ""
	return nil
}

// UserChannels returns the ids of a person's channels that the app can see: public ones, and private ones
// with the app. There are at most 5,000, including archived ones. The answer may be a minute old and is
// read-only for the caller.
func (c *People) UserChannels(ctx context.Context, user string) ([]string, error) {
	if ids, _, ok := c.channels.get(user); ok {
		return ids, nil
	}
	return c.readChannels(ctx, user)
}

func (c *People) readChannels(ctx context.Context, user string) ([]string, error) {
	with := args{"user": user, "team_id": c.api.team, "types": "public_channel,private_channel", "exclude_archived": false, "limit": listPage}
	var ids []string
	for more := true; more && len(ids) < maxChannels; {
		next, found, err := c.api.page(ctx, "users.conversations", with)
		if err != nil {
			return nil, err
		}
		for _, channel := range found.Channels {
			ids = append(ids, string(channel))
		}
		more = next != "" && len(found.Channels) > 0
	}
	ids = ids[:min(len(ids), maxChannels)]
	c.channels.put(user, ids)
	return ids, nil
}
