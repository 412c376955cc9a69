package bot

import "cmp"

// ours is the workspace whose installation of the app is meant, by which everything is
// kept. What a view (its app_installed_team_id) or the first of an event's authorizations
// says is certain. The outer team (team_id of an event, team.id of an interaction) is that
// of the channel's host in events of a shared channel, and of the person in submitted and
// closed forms, so it counts only where those are silent; the person's own (user.team_id)
// is the last resort, for payloads that name no other.
// Sources: the threads of java-slack-sdk#629 and #1041, bolt-js#1614.
func ours(certain, outer, person string) string { return cmp.Or(certain, outer, person) }
