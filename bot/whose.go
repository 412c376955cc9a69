package bot

import "cmp"

// teams are the workspaces that a payload names, each as Slack means it.
type teams struct {
	installed  flexString // the view's app_installed_team_id
	authorized flexString // the first of an event's authorizations
	outer      flexString // team_id of an event or a command, team.id of an interaction
	person     flexString // user.team_id
}

// ours is the workspace whose installation of the app is meant, by which everything is
// kept. What a view or an authorization says is certain. The outer team is that of the
// channel's host in events of a shared channel, and of the person in submitted and closed
// forms, so it counts only where those are silent; the person's own team is the last
// resort, for payloads that name no other.
// Sources: the threads of java-slack-sdk#629 and #1041, bolt-js#1614.
func (t teams) ours() string {
	return string(cmp.Or(t.installed, t.authorized, t.outer, t.person))
}
