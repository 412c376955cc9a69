package client

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Slack gives at most 999 members, or channels of somebody, at once.
// Source: docs.slack.dev/reference/methods/users.conversations, and the types of its SDKs.
const (
	listPage    = 999
	memberFew   = 3    // pages of members are read for one question
	memberMax   = 50   // pages of them, where nothing else tells
	maxChannels = 5000 // of one person are read; nobody looks at more
	doubtful    = 5 * time.Second
)

// IsMember tells whether user is in channel. A yes may be a minute old, unless [People.Forget]
// was told that they left; a no only five seconds, because people join and try again. In a
// channel of thousands not everybody is read: the person's own channels tell as much.
// More than 50,000 members of which nothing else is known: [ErrTooMany].
func (c *People) IsMember(ctx context.Context, channel, user string) (bool, error) {
	if members, age, ok := c.members.get(channel); ok && (members[user] || age < doubtful) {
		return members[user], nil
	}
	if in, age, ok := c.memberships.get(memberKey(channel, user)); ok && (in || age < doubtful) {
		return in, nil
	}
	if ids, age, ok := c.channels.get(user); ok && c.isLarge(channel) {
		if in := slices.Contains(ids, channel); in || age < doubtful {
			return in, nil
		}
	}
	return c.IsMemberNow(ctx, channel, user)
}

// IsMemberNow is IsMember as Slack has it at this moment: for what may not be done by
// somebody who has just left.
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
	for !r.whole && !r.ids[user] { // who that is, Slack does not tell otherwise
		if err := c.nextMembers(ctx, r); err != nil {
			return false, err
		}
	}
	c.memberships.put(memberKey(channel, user), r.ids[user])
	return r.ids[user], nil
}

// Forget drops what is known of somebody's membership of a channel: they came or left.
func (c *People) Forget(channel, user string) {
	c.members.drop(channel)
	c.memberships.drop(memberKey(channel, user))
	c.channels.drop(user)
}

// Members returns the ids of a channel's members, at most a minute old and the caller's to
// read only; whole is false for a channel of thousands, of which some are returned, or none.
func (c *People) Members(ctx context.Context, channel string) (ids map[string]bool, whole bool, err error) {
	if members, _, ok := c.members.get(channel); ok {
		return members, true, nil
	}
	return c.MembersNow(ctx, channel)
}

// MembersNow is Members as Slack has them at this moment.
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

// memberList is what was read of a channel's members.
type memberList struct {
	ids   map[string]bool
	with  args // of the next page
	pages int
	whole bool
}

func newMemberList(channel string) *memberList {
	return &memberList{ids: map[string]bool{}, with: args{"channel": channel, "limit": listPage}}
}

// readMembers reads all members of a channel of which a few pages hold them, and keeps them.
func (c *People) readMembers(ctx context.Context, channel string, r *memberList) error {
	for !r.whole && r.pages < memberFew {
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

// nextMembers reads one page more.
func (c *People) nextMembers(ctx context.Context, r *memberList) error {
	const method = "conversations.members"
	if r.pages >= memberMax {
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

// UserChannels returns the ids of the channels that user is in, as far as the app can
// see: public ones, and private ones that the app is in too. At most 5,000, archived
// ones among them; the answer may be a minute old and is the caller's to read only.
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
