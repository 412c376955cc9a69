package slack

import (
	"fmt"
	"slices"

	"darkroom/sandbox/workspace"
)

// RemoveApp takes the app out of a workspace or an organisation, as an admin does: its tokens are
// worth nothing and its bot is gone. The app is told with the events named, in that order, each as
// often as it is named; with none named, that its tokens were revoked and that it was taken away.
// Slack promises no order. Slack: docs.slack.dev/reference/events/app_uninstalled.
func (s *Slack) RemoveApp(id string, told ...string) error {
	s.mu.Lock()
	g := s.grants[id]
	s.mu.Unlock()
	if g == nil || g.gone {
		return fmt.Errorf("%s does not have the app", id)
	}
	if len(told) == 0 {
		told = []string{"tokens_revoked", "app_uninstalled"}
	}
	s.leave(g, told...)
	return nil
}

// RemoveAppNoEvent is RemoveApp of which the app hears nothing, as when it was away for longer than Slack tries to tell it.
func (s *Slack) RemoveAppNoEvent(id string) error {
	s.mu.Lock()
	g := s.grants[id]
	s.mu.Unlock()
	if g == nil || g.gone {
		return fmt.Errorf("%s does not have the app", id)
	}
	s.leave(g)
	return nil
}

// leave ends what was granted and tells the app.
func (s *Slack) leave(g *grant, told ...string) {
	s.mu.Lock()
	if g.gone {
		s.mu.Unlock()
		return
	}
	g.gone, g.live = true, nil
	rooms := s.where(g)
	bot, teams := g.bot, g.teams
	s.mu.Unlock()
	for _, w := range rooms {
		w.Uninstall()
	}
	outer, teller := object{}, s.desk
	if g.orgWide {
		outer["team_id"], outer["enterprise_id"] = nil, g.id
	} else {
		teller = rooms[0]
	}
	for _, kind := range told {
		event := object{"type": kind}
		switch kind {
		case "tokens_revoked":
			event["tokens"] = object{"oauth": []string{}, "bot": []string{bot}}
		case "team_access_revoked":
			event["team_ids"] = teams
		}
		teller.Announce(event, outer)
	}
}

// where are the workspaces in which it is this grant that counts; the caller holds the lock.
func (s *Slack) where(g *grant) []*workspace.Workspace {
	teams := []string{g.id}
	if g.orgWide {
		teams = g.teams
	}
	var rooms []*workspace.Workspace
	for _, team := range teams {
		if own := s.grants[team]; team == g.id || own == nil || own.gone {
			rooms = append(rooms, s.rooms[team])
		}
	}
	return rooms
}

// GrantTeams adds workspaces to those that the organisation's app may act in, as an admin of the
// organisation does: being added by the organisation alone it is in none.
// Slack: docs.slack.dev/reference/events/team_access_granted.
func (s *Slack) GrantTeams(org string, teams ...string) error {
	g, err := s.orgWide(org, teams)
	if err != nil {
		return err
	}
	s.mu.Lock()
	for _, team := range teams {
		if !slices.Contains(g.teams, team) {
			g.teams = append(g.teams, team)
		}
	}
	s.mu.Unlock()
	s.settle(g)
	s.desk.Announce(object{"type": "team_access_granted", "team_ids": teams}, object{"team_id": nil, "enterprise_id": org})
	return nil
}

// RevokeTeams takes workspaces away again.
func (s *Slack) RevokeTeams(org string, teams ...string) error {
	g, err := s.orgWide(org, teams)
	if err != nil {
		return err
	}
	s.mu.Lock()
	g.teams = slices.DeleteFunc(slices.Clone(g.teams), func(team string) bool { return slices.Contains(teams, team) })
	rooms := s.where(&grant{orgWide: true, teams: teams})
	s.mu.Unlock()
	for _, w := range rooms {
		w.Uninstall()
	}
	s.desk.Announce(object{"type": "team_access_revoked", "team_ids": teams}, object{"team_id": nil, "enterprise_id": org})
	return nil
}

// orgWide is the organisation's grant, if the workspaces are its.
func (s *Slack) orgWide(org string, teams []string) (*grant, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.grants[org]
	if g == nil || g.gone || !g.orgWide {
		return nil, fmt.Errorf("%s does not have the app", org)
	}
	for _, team := range teams {
		if w := s.rooms[team]; w == nil || w.Enterprise() != org {
			return nil, fmt.Errorf("%s is no workspace of %s", team, org)
		}
	}
	return g, nil
}
