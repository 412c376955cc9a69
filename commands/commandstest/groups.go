package commandstest

import (
	"context"
	"fmt"

	"darkroom/bot/client"
)

// GroupsIn gives the workspace these user groups, by id, with who is in them.
func (s *Screen) GroupsIn(groups map[string][]string) {
	s.Lock()
	defer s.Unlock()
	s.groups, s.ungrouped = groups, nil
}

// GroupsFail lets Slack tell nothing of who is in a user group.
func (s *Screen) GroupsFail(err error) {
	s.Lock()
	defer s.Unlock()
	s.ungrouped = err
}

// UserGroups are the workspace's.
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

// GroupMembers are who is in a user group: nobody in one that is gone.
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
