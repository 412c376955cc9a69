package bot

import (
	"cmp"
	"strings"

	"darkroom/bot/lenient"
)

// owningTeam returns the workspace whose installation a request is for. All data is stored by it.
//
// A view's app_installed_team_id and an event's first authorization are certain. The outer team counts
// only without them: in events of a shared channel it is the channel host's, in submitted and closed forms
// the person's. The person's own team (user.team_id) is the last resort.
//
// If the app is installed for a whole organisation, any of these may be the organisation's id. It does not
// name a workspace and must not be used as a key, since all workspaces of the organisation share it.
// Sources: the threads of java-slack-sdk#629 and #1041, bolt-js#1614.
func owningTeam(certain, outer, view, person string) string {
	return cmp.Or(workspace(certain), workspace(outer), workspace(view), workspace(person))
}

// owner returns the workspace and organisation whose installation an event is for. The first authorization
// is certain. One for a whole organisation may name no workspace; then the workspace is context_team_id.
// Events of an organisation itself, such as the app's removal, have its id in place of a workspace's. The
// outer organisation is the channel host's and comes last.
func (e *envelope) owner() (team, enterprise lenient.String) {
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

// certain reports whether the event proves that the app is in the workspace through its organisation. The
// outer team does not count: it may belong to another organisation that shares the channel.
func (e *envelope) certain() bool {
	a := e.authorized()
	return bool(a.OrgWide) && a.Enterprise != "" && workspace(cmp.Or(a.Team, e.ContextTeam)) != ""
}

// workspace returns a workspace's id, or "" for an organisation's.
func workspace[ID ~string](id ID) ID {
	if strings.HasPrefix(string(id), "E") {
		return ""
	}
	return id
}

// owningEnterprise returns our workspace's organisation. In submitted and closed forms the outer team and
// organisation are the person's, so they count only if the team is our workspace.
func (i *interaction) owningEnterprise() string {
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
