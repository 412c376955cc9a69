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

// People tells who somebody is, and who is in a channel or a user group.
type People struct {
	api           *api
	members       cache[map[string]bool] // by channel, whole
	largeChannels cache[bool]            // channels of too many members to keep
	memberships   cache[bool]            // by channel and user, of such channels
	users         cache[slack.User]
	channels      cache[[]string]        // by user
	groups        cache[[]UserGroup]     // all of them, by ""
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
		groupMembers:  newCache[map[string]bool](groupsFor, 256),
	}
}

// Answers asks whether Slack answers at all: nil, or what it says instead.
func (c *People) Answers(ctx context.Context) error { return c.api.do(ctx, "auth.test", nil) }

// Identity is who the token is.
type Identity struct {
	Team       string   `json:"team_id"`
	Enterprise string   `json:"enterprise_id"` // of the Grid organisation that the workspace belongs to; "" = none
	BotUser    string   `json:"user_id"`
	BotID      string   `json:"bot_id"`
	URL        string   `json:"url"` // of the workspace, for links to its messages
	Scopes     []string `json:"-"`
}

// Wrote tells whether a message is the app's own.
func (i Identity) Wrote(m slack.Message) bool {
	return m.BotID != "" && m.BotID == i.BotID || m.User != "" && m.User == i.BotUser
}

// Granted tells whether a permission was granted when Slack was asked; a Slack that names none is believed to grant all.
func (i Identity) Granted(scope string) bool {
	return len(i.Scopes) == 0 || slices.Contains(i.Scopes, scope)
}

// Identity asks Slack once who the token is.
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
	id.Team = cmp.Or(c.api.team, id.Team) // an organisation's token is of no workspace
	c.identity = &id
	return id, nil
}
