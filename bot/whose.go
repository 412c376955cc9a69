package bot

import (
	"cmp"
	"strings"

	"darkroom/bot/lenient"
)

// ours is the workspace whose installation of the app is meant, by which everything is
// kept. What a view (its app_installed_team_id) or the first of an event's authorizations
// says is certain. The outer team (team_id of an event, team.id of an interaction) is that
// of the channel's host in events of a shared channel, and of the person in submitted and
// closed forms, so it counts only where those are silent; the person's own (user.team_id)
// is the last resort, for payloads that name no other. Where the app is installed for a whole
// organisation, the id of that may stand in any of these places: it says nothing of the workspace, and
// nothing may be kept by it, since that would be common to all workspaces of the organisation.
// Sources: the threads of java-slack-sdk#629 and #1041, bolt-js#1614.
func ours(certain, outer, view, person string) string {
	return cmp.Or(workspace(certain), workspace(outer), workspace(view), workspace(person))
}

// whose is the workspace, and the organisation, whose installation an event is for. The first of the authorizations
// is certain; one for a whole organisation may name no workspace, which then is the one that the app hears by. News of an
// organisation itself, such as that it took the app away, come with its id where a workspace's stands. The outer
// organisation is the channel's host's, and counts only where nothing else tells.
func (e *envelope) whose() (team, enterprise lenient.String) {
	a := e.authorized()
	team, enterprise = cmp.Or(a.Team, workspace(e.ContextTeam), e.TeamID), a.Enterprise
	if a.Team == "" {
		enterprise = cmp.Or(a.Enterprise, e.ContextEnterprise, e.Enterprise)
	}
	if workspace(team) == "" {
		return "", cmp.Or(enterprise, team)
	}
	return team, enterprise
}

// certain reports whether Slack says by this event that the app is in the workspace by its organisation. The outer team
// may be that of another organisation, with which a channel is shared.
func (e *envelope) certain() bool {
	a := e.authorized()
	return bool(a.OrgWide) && a.Enterprise != "" && workspace(cmp.Or(a.Team, e.ContextTeam)) != ""
}

// workspace is an id that is a workspace's; "" for that of an organisation.
func workspace[ID ~string](id ID) ID {
	if strings.HasPrefix(string(id), "E") {
		return ""
	}
	return id
}

// belongs is the organisation of our workspace as an interaction tells it. In submitted and closed forms it is the
// person's, like the outer team, and says something of us only when that is ours.
func (i *interaction) belongs() string {
	v := i.View
	switch {
	case v == nil, v.AppInstalledTeamID == "":
	case workspace(v.AppInstalledTeamID) == "":
		return v.AppInstalledTeamID
	case i.Team != "" && v.AppInstalledTeamID != string(i.Team):
		return ""
	}
	if i.Enterprise == "" && workspace(i.Team) == "" {
		return string(i.Team)
	}
	return string(i.Enterprise)
}
