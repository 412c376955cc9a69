package client

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/slack-go/slack"
)

// ScopeGroups is the permission that [People.UserGroups] and [People.GroupMembers] need.
const ScopeGroups = "usergroups:read"

// maxGroups bounds how many user groups of a workspace are kept: those whose names come first.
const maxGroups = 2000

// codesNoGroup are what Slack answers when no group of that id has members: it never was one, it was
// deleted or disabled, or the workspace's plan has none any more.
// Source: docs.slack.dev/reference/methods/usergroups.users.list
var codesNoGroup = []string{"no_such_subteam", "plan_upgrade_required"}

// UserGroup is several people of the workspace under one name.
type UserGroup struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Handle string `json:"handle"` // what stands behind the @ of its mention
}

// UserGroups returns the workspace's user groups by name, without those that are disabled: none for a plan
// that has none. The answer may be a minute old and is the caller's to read only.
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

// GroupMembers returns the ids of who is in a user group: nobody in one that is disabled or gone. The answer
// may be five seconds old, because who leaves must soon do no more, and is the caller's to read only.
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
	return ok && slices.Contains(codesNoGroup, e.Code)
}

// groupsFor is how long members of a group are remembered.
const groupsFor = 5 * time.Second
