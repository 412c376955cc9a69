package commandstest

import (
	"context"
	"fmt"

	"darkroom/bot/client"
)

// GroupsIn sets the workspace's user groups: ids to members.
func (s *Screen) GroupsIn(groups map[string][]string) {
	s.Lock()
	defer s.Unlock()
	s.groups, s.ungrouped = groups, nil
}

// GroupsFail sets the error that Slack returns for user groups.
func (s *Screen) GroupsFail(err error) {
	s.Lock()
	defer s.Unlock()
	s.ungrouped = err
}

// UserGroups returns the workspace's user groups.
func (s *Screen) UserGroups(context.Context) ([]client.UserGroup, error) {
	s.Lock()
	defer s.Unlock()
	if s.ungrouped != nil {
		return nil, fmt.Errorf("usergroups.list: %w", s.ungrouped)
	}
	var all []client.UserGroup
	for id := range s.groups {
		all = append(all, client.UserGroup{ID: id, Name: "Group " + id, Handle: id})
	}
	return all, nil
}

// GroupMembers returns the members of a user group, none for an unknown group.
func (s *Screen) GroupMembers(_ context.Context, group string) (map[string]bool, error) {
	s.Lock()
	defer s.Unlock()
	if s.ungrouped != nil {
		return nil, fmt.Errorf("usergroups.users.list: %w", s.ungrouped)
	}
	in := map[string]bool{}
	for _, user := range s.groups[group] {
		in[user] = true
	}
	return in, nil
}
