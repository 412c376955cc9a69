package slack

import (
	"fmt"
	"slices"

	"darkroom/sandbox/workspace"
)

// Distinct is a workspace whose people, channels and groups have ids that end in the mark: within
// an organisation no two may be equal.
func Distinct(o workspace.Options, mark string) workspace.Options {
	if o.Users == nil {
		o.Users = workspace.DefaultUsers()
	}
	if o.Channels == nil {
		o.Channels = workspace.DefaultChannels()
	}
	if o.Groups == nil {
		o.Groups = workspace.DefaultUserGroups()
	}
	o.Users, o.Channels, o.Groups = slices.Clone(o.Users), slices.Clone(o.Channels), slices.Clone(o.Groups)
	for i := range o.Users {
		o.Users[i].ID += mark
	}
	for i := range o.Channels {
		o.Channels[i].ID += mark
	}
	for i := range o.Groups {
		o.Groups[i].ID += mark
	}
	return o
}

// ShareChannel lets people of another workspace of the organisation into a channel. It stays where
// it is: there they are seen, and act.
func (s *Slack) ShareChannel(host, channel, guest string, people ...string) error {
	from, to := s.Workspace(host), s.Workspace(guest)
	if from == nil || to == nil || from.Enterprise() == "" || from.Enterprise() != to.Enterprise() {
		return fmt.Errorf("%s and %s are not of one organisation", host, guest)
	}
	if from.Channel(channel).ID == "" {
		return fmt.Errorf("%s has no %s", host, channel)
	}
	for _, name := range people {
		u := to.User(name)
		if u.ID == "" {
			return fmt.Errorf("%s has no %s", guest, name)
		}
		if from.User(u.ID).ID == "" {
			u.Team, u.Enterprise, u.Teams = to.ID(), to.Enterprise(), []string{to.ID()}
			from.AddUser(u)
		}
		from.Invite(channel, u.ID)
	}
	return nil
}
