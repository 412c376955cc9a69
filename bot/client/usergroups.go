package client

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"
)

// ScopeGroups is the scope for [People.UserGroups] and [People.GroupMembers].
const ScopeGroups = "usergroups:read"

// maxGroups bounds the user groups of a workspace that are cached, in order of their names.
const maxGroups = 2000

// noGroupCodes are Slack's codes for a group without members: unknown, deleted, disabled, or not in the
// workspace's plan. Source: docs.slack.dev/reference/methods/usergroups.users.list
var noGroupCodes = []string{"no_such_subteam", "plan_upgrade_required"}

// UserGroup is a user group of the workspace.
type UserGroup struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Handle string `json:"handle"` // the mention without its @
}

// UserGroups returns the workspace's active user groups, sorted by name. The list is empty if the plan has
// no user groups. It may be a minute old and is read-only for the caller.
func (c *People) UserGroups(ctx context.Context) ([]UserGroup, error) {
	const all = ""
	if groups, _, ok := c.groups.get(all); ok {
		return groups, nil
	}
	var answer struct {
		Groups []struct {
			UserGroup
			Deleted slack.JSONTime `json:"date_delete"`
		} `json:"usergroups"`
	}
	_, err := c.api.call(ctx, "usergroups.list", args{"team_id": c.api.team}, &answer)
	if err != nil && !noGroup(err) {
		return nil, err
	}
	groups := []UserGroup{}
	for _, g := range answer.Groups {
		if g.ID != "" && g.Deleted == 0 {
			groups = append(groups, g.UserGroup)
		}
	}
	slices.SortFunc(groups, func(a, b UserGroup) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	groups = groups[:min(len(groups), maxGroups)]
	c.groups.put(all, groups)
	return groups, nil
}

// GroupMembers returns the ids of a user group's members; a disabled or deleted group has no members. The
// set may be five seconds old, so that a removed member soon loses access. It is read-only for the caller.
func (c *People) GroupMembers(ctx context.Context, group string) (map[string]bool, error) {
	if members, _, ok := c.groupMembers.get(group); ok {
		return members, nil
	}
	var answer struct {
		Users []string `json:"users"`
	}
	_, err := c.api.call(ctx, "usergroups.users.list", args{"usergroup": group, "team_id": c.api.team}, &answer)
	if err != nil && !noGroup(err) {
		return nil, err
	}
	members := make(map[string]bool, len(answer.Users))
	for _, user := range answer.Users {
		members[user] = true
	}
	c.groupMembers.put(group, members)
	return members, nil
}

func noGroup(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && slices.Contains(noGroupCodes, e.Code)
}

// groupMembersLife is how long a group's members are cached.
const groupMembersLife = 5 * time.Second
