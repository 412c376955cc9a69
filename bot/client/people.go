package client

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

// People looks up persons and the members of channels and user groups.
type People struct {
	api           *api
	members       cache[map[string]bool] // by channel, complete
	largeChannels cache[bool]            // channels with too many members to cache
	memberships   cache[bool]            // by channel and user, in large channels
	users         cache[slack.User]
	channels      cache[[]string]        // by user
	groups        cache[[]UserGroup]     // all groups, under ""
	groupMembers  cache[map[string]bool] // by user group

	mu       sync.Mutex
	identity *Identity
}

func newPeople(a *api) *People {
	return &People{
		api:           a,
		members:       newCache[map[string]bool](time.Minute, 256),
		largeChannels: newCache[bool](time.Hour, 256),
		memberships:   newCache[bool](time.Minute, 4096),
		users:         newCache[slack.User](5*time.Minute, 4096),
		channels:      newCache[[]string](time.Minute, 256),
		groups:        newCache[[]UserGroup](time.Minute, 1),
		groupMembers:  newCache[map[string]bool](groupMembersLife, 256),
	}
}

// Answers returns nil if Slack answers, or else the error.
func (c *People) Answers(ctx context.Context) error { return c.api.do(ctx, "auth.test", nil) }

// Identity describes the token's app and workspace.
type Identity struct {
	Team       string   `json:"team_id"`
	Enterprise string   `json:"enterprise_id"` // the workspace's Grid organisation, or ""
	BotUser    string   `json:"user_id"`
	BotID      string   `json:"bot_id"`
	URL        string   `json:"url"` // the workspace's URL, for links to messages
	Scopes     []string `json:"-"`
}

// Wrote reports whether a message is the app's own.
func (i Identity) Wrote(m slack.Message) bool {
	return m.BotID != "" && m.BotID == i.BotID || m.User != "" && m.User == i.BotUser
}

// Granted reports whether the token has a scope. If Slack names no scopes, all count as granted.
func (i Identity) Granted(scope string) bool {
	return len(i.Scopes) == 0 || slices.Contains(i.Scopes, scope)
}

// Identity returns the token's identity, and asks Slack only once.
func (c *People) Identity(ctx context.Context) (Identity, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.identity != nil {
		return *c.identity, nil
	}
	var id Identity
	header, err := c.api.call(ctx, "auth.test", nil, &id)
	if err != nil {
		return Identity{}, err
	}
	id.Scopes = strings.FieldsFunc(header.Get("X-OAuth-Scopes"), func(r rune) bool { return r == ',' || r == ' ' })
	id.Team = cmp.Or(c.api.team, id.Team) // an organisation's token names no workspace
	c.identity = &id
	return id, nil
}
