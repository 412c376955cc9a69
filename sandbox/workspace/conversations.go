package workspace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

func conversationMethods() map[string]method {
	read := []string{"channels:read", "groups:read", "im:read", "mpim:read"}
	return map[string]method{
		"conversations.info":    {scopes: read, run: (*Workspace).conversationInfo},
		"conversations.members": {scopes: read, run: (*Workspace).conversationMembers},
		"conversations.join":    {scopes: []string{"channels:join"}, run: (*Workspace).conversationJoin},
		"conversations.open":    {scopes: []string{"im:write", "mpim:write"}, run: (*Workspace).conversationOpen},
		"conversations.history": {run: (*Workspace).history},
		"conversations.replies": {run: (*Workspace).threadReplies},
		"users.conversations":   {scopes: read, run: (*Workspace).userConversations},
	}
}

// scopeOf is what reading about each type of conversation needs.
var scopeOf = map[string]string{
	"public_channel": "channels:read", "private_channel": "groups:read", "im": "im:read", "mpim": "mpim:read",
}

// seen is a channel the app knows of: public, or private with the app in it.
func (w *Workspace) seen(id string) (*Channel, error) {
	c := w.channel(id)
	if c == nil || id != c.ID || c.Private && !c.has(w.o.BotUserID) {
		return nil, fails(channelUnseen)
	}
	return c, nil
}

func (w *Workspace) wireChannel(c *Channel) object {
	out := object{
		"id": c.ID, "is_channel": c.IM == "" && !c.Private, "is_group": c.IM == "" && c.Private && !c.Group, "is_im": c.IM != "",
		"is_private": c.Private, "is_archived": c.Archived, "is_member": c.has(w.o.BotUserID),
		"num_members": len(c.Members) + c.Crowd, "is_mpim": c.Group,
	}
	w.share(out, c)
	setIf(out, "name", c.Name, c.Name != "")
	setIf(out, "name_normalized", c.Name, c.Name != "")
	setIf(out, "user", c.IM, c.IM != "")
	return out
}

func (w *Workspace) conversationInfo(c *call) (object, error) {
	channel, err := w.described(c)
	if err != nil {
		return nil, err
	}
	return object{"channel": w.wireChannel(channel)}, nil
}

// described is the channel of the call when the app may read about its kind.
func (w *Workspace) described(c *call) (*Channel, error) {
	channel, err := w.seen(c.str("channel"))
	if err != nil {
		return nil, err
	}
	return channel, w.scoped(scopeOf[channel.kind()])
}

// kind is the channel's name in the types argument.
func (c *Channel) kind() string {
	switch {
	case c.IM != "":
		return "im"
	case c.Group:
		return "mpim"
	case c.Private:
		return "private_channel"
	}
	return "public_channel"
}

func (w *Workspace) userConversations(c *call) (object, error) {
	user := c.str("user")
	if user == "" {
		user = w.o.BotUserID
	}
	if w.user(user) == nil {
		return nil, fails("user_not_found")
	}
	if err := c.pageWithin(mostListed); err != nil {
		return nil, err
	}
	types := c.str("types")
	if types == "" {
		types = "public_channel"
	}
	for kind := range strings.SplitSeq(types, ",") {
		scope, known := scopeOf[kind]
		if !known {
			return nil, fails("invalid_types")
		}
		if err := w.scoped(scope); err != nil {
			return nil, err
		}
	}
	var found []object
	for _, channel := range w.channels {
		_, err := w.seen(channel.ID)
		listed := slices.Contains(strings.Split(types, ","), channel.kind()) && (!channel.Archived || !c.bool("exclude_archived"))
		if err == nil && listed && channel.has(user) {
			found = append(found, w.wireChannel(channel))
		}
	}
	page, next := paged(found, c.str("cursor"), c.limit(100, mostListed))
	return object{"channels": page, "response_metadata": object{"next_cursor": next}}, nil
}

// paged is one page of a list and the cursor of the next.
func paged[T any](all []T, cursor string, limit int) (page []T, next string) {
	from, _ := strconv.Atoi(strings.TrimPrefix(cursor, "page-"))
	from = min(max(from, 0), len(all))
	to := min(from+limit, len(all))
	if to < len(all) {
		next = "page-" + strconv.Itoa(to)
	}
	return append([]T{}, all[from:to]...), next
}

// mostListed is the largest page of members or conversations.
// Slack: docs.slack.dev/reference/methods/users.conversations, and the types of its SDKs.
const mostListed = 999

// pageWithin refuses a larger page than there is.
func (c *call) pageWithin(most int) error {
	if n, given := number(c.args["limit"]); given && int(n) > most {
		return fails("invalid_limit")
	}
	return nil
}

// everyone are a channel's members, its crowd first.
func (c *Channel) everyone() []string {
	all := make([]string, 0, c.Crowd+len(c.Members))
	for n := range c.Crowd {
		all = append(all, fmt.Sprintf("U1CROWD%05d", n))
	}
	return append(all, c.Members...)
}

func (w *Workspace) conversationMembers(c *call) (object, error) {
	channel, err := w.described(c)
	if err != nil {
		return nil, err
	}
	if err := c.pageWithin(mostListed); err != nil {
		return nil, err
	}
	page, next := paged(channel.everyone(), c.str("cursor"), c.limit(100, mostListed))
	return object{"members": page, "response_metadata": object{"next_cursor": next}}, nil
}

func (w *Workspace) conversationJoin(c *call) (object, error) {
	channel, err := w.seen(c.str("channel"))
	switch {
	case err != nil:
		return nil, err
	case channel.Archived:
		return nil, fails("is_archived")
	case channel.Private:
		return nil, fails("method_not_supported_for_channel_type")
	}
	w.join(channel, w.user(w.o.BotUserID))
	return object{"channel": w.wireChannel(channel)}, nil
}

func (w *Workspace) conversationOpen(c *call) (object, error) {
	if id := c.str("channel"); id != "" {
		channel, err := w.seen(id)
		if err != nil {
			return nil, err
		}
		return object{"channel": w.wireChannel(channel)}, nil
	}
	u := w.user(c.str("users"))
	switch {
	case u == nil:
		return nil, fails("user_not_found")
	case u.Bot:
		return nil, fails("cannot_dm_bot")
	}
	return object{"channel": w.wireChannel(w.openIM(u))}, nil
}
