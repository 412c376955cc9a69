package slack_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/slack"
	"darkroom/sandbox/workspace"
)

// grid is an organisation with two workspaces, and one that is none of its.
func grid(o *slack.Options) {
	o.App.OrgReady = true
	o.Organisations = []slack.Organisation{{ID: "E1", Name: "Big Corp"}}
	o.Workspaces = []workspace.Options{
		slack.Distinct(workspace.Options{TeamID: "T1", TeamDomain: "north", Enterprise: "E1"}, "N"),
		slack.Distinct(workspace.Options{TeamID: "T2", TeamDomain: "south", Enterprise: "E1"}, "S"),
		{TeamID: "T3", TeamDomain: "alone"},
	}
}

// addToGrid adds the app to the organisation and gives it the workspaces.
func (w *world) addToGrid(teams ...string) string {
	w.t.Helper()
	token := tokenOf(w.AddApp("E1", "U0OLGAN"))
	if len(teams) > 0 {
		require.NoError(w.t, w.GrantTeams("E1", teams...))
	}
	for _, team := range teams {
		w.Workspace(team).Invite("shoots", "darkroom")
	}
	return token
}

func TestAnOrganisationAddsTheAppOnceAndGivesItWorkspacesLater(t *testing.T) {
	w := start(t, grid)
	b := person.NewBrowser()
	require.NoError(t, b.Open(w.link()))
	require.NoError(t, b.Press("Olga at North"))
	require.NoError(t, b.Choose("Workspace", "Big Corp (organisation)"))
	require.NoError(t, b.Press("Allow"))
	out := w.exchange("code", w.returned(b).Get("code"), "redirect_uri", w.back())
	token := tokenOf(out)
	require.Nil(t, out["team"])
	require.Equal(t, object{"id": "E1", "name": "Big Corp"}, out["enterprise"])
	require.Equal(t, true, out["is_enterprise_install"])
	require.False(t, w.Workspace("T1").Installed(), "it is in no workspace yet")
	require.Equal(t, "team_access_not_granted", w.call("chat.postMessage", token, "channel", "C0SHOOTSN", "text", "x")["error"])
	test := w.call("auth.test", token)
	require.Equal(t, []any{"E1", true}, []any{test["enterprise_id"], test["is_enterprise_install"]})

	require.NoError(t, w.GrantTeams("E1", "T1"))
	w.eventually(func() bool { return len(w.events("team_access_granted")) == 1 }, "event")
	granted := w.events("team_access_granted")[0]
	require.Equal(t, []any{nil, "E1"}, []any{granted["team_id"], granted["enterprise_id"]})
	require.Equal(t, []any{"T1"}, granted["event"].(object)["team_ids"])
	require.True(t, w.Workspace("T1").Installed())
	require.False(t, w.Workspace("T2").Installed())
	require.ErrorContains(t, w.GrantTeams("E1", "T3"), "no workspace of E1")
}

func TestOnlyAdminsOfAnOrganisationAddTheAppToItAndOnlyIfItIsReady(t *testing.T) {
	for who, ready := range map[string]bool{"Ben at North": true, "Olga at Alone": true, "Olga at North": false} {
		w := start(t, grid, func(o *slack.Options) { o.App.OrgReady = ready })
		b := person.NewBrowser()
		require.NoError(t, b.Open(w.link()))
		require.NoError(t, b.Press(who))
		require.Error(t, b.Choose("Workspace", "Big Corp (organisation)"), who)
	}
}

func TestAnOrganisationsTokenIsLedByTeamChannelOrPerson(t *testing.T) {
	w := start(t, grid)
	token := w.addToGrid("T1", "T2")
	for channel, team := range map[string]string{"C0SHOOTSN": "T1", "C0SHOOTSS": "T2"} {
		require.Equal(t, true, w.call("chat.postMessage", token, "channel", channel, "text", "hello "+team)["ok"])
		require.Len(t, w.Workspace(team).Messages(channel), 1)
	}
	require.Equal(t, true, w.call("chat.postMessage", token, "channel", "U0MARIAS", "text", "just you")["ok"])
	require.Len(t, w.Workspace("T2").DMs("maria"), 1)
	require.Empty(t, w.Workspace("T1").DMs("maria"))

	require.Equal(t, "missing_argument", w.call("users.list", token)["error"])
	require.Equal(t, true, w.call("users.list", token, "team_id", "T2")["ok"])
	require.Equal(t, "team_not_found", w.call("users.list", token, "team_id", "T3")["error"], "a workspace of nobody's organisation")
	require.Equal(t, "team_not_found", w.call("chat.postMessage", token, "channel", "#shoots", "text", "x")["error"], "there are two of the name")

	require.NoError(t, w.RevokeTeams("E1", "T2"))
	require.Equal(t, "team_access_not_granted", w.call("users.list", token, "team_id", "T2")["error"])
	require.Equal(t, "channel_not_found", w.call("chat.postMessage", token, "channel", "C0SHOOTSS", "text", "x")["error"])
	require.Equal(t, true, w.call("users.list", token, "team_id", "T1")["ok"])
	w.eventually(func() bool { return len(w.events("team_access_revoked")) == 1 }, "event")
	require.False(t, w.Workspace("T2").Installed())
}

func TestAWorkspacesOwnTokenIgnoresTeamID(t *testing.T) {
	w := start(t, grid)
	token := w.add("T3")
	require.Equal(t, true, w.call("users.list", token, "team_id", "T1")["ok"])
}

func TestPayloadsOfAnOrganisationsAppAreOdd(t *testing.T) {
	w := start(t, grid)
	w.addToGrid("T1")
	maria := w.Workspace("T1").Window("maria")
	require.NoError(t, maria.Command("shoots", "/order"))
	require.NoError(t, maria.Say("shoots", "", "hello"))
	maria.Shortcut("new", workspace.Once)

	command := w.all("/slack/commands")[0].form
	require.Equal(t, []string{"true", "T1", "E1"}, []string{command.Get("is_enterprise_install"), command.Get("team_id"), command.Get("enterprise_id")})
	shortcut := w.all("/slack/interactions")[0].json
	require.Nil(t, shortcut["team"])
	require.Equal(t, "E1", shortcut["enterprise"].(object)["id"])
	require.Equal(t, "T1", shortcut["user"].(object)["team_id"])
	require.Equal(t, true, shortcut["is_enterprise_install"])
	w.eventually(func() bool { return len(w.events("message")) == 1 }, "event")
	event := w.events("message")[0]
	require.Equal(t, []any{"T1", "E1"}, []any{event["team_id"], event["enterprise_id"]})
	require.Equal(t, []any{object{
		"enterprise_id": "E1", "team_id": nil, "user_id": "U0DARKROOM", "is_bot": true, "is_enterprise_install": true,
	}}, event["authorizations"])
}

func TestAFormCarriesThePersonsTeamAndTheAppsBesideIt(t *testing.T) {
	w := start(t, grid)
	token := w.addToGrid("T1", "T2")
	require.NoError(t, w.ShareChannel("T1", "shoots", "T2", "ben"))
	ben := w.Workspace("T1").Window("U0BENS")
	require.NoError(t, ben.Command("shoots", "/order"))
	command := w.all("/slack/commands")[0].form
	require.Equal(t, "T2", command.Get("team_id"), "he typed it in his own workspace")
	require.Equal(t, "C0SHOOTSN", command.Get("channel_id"))
	view := `{"type":"modal","title":{"type":"plain_text","text":"T"},"submit":{"type":"plain_text","text":"Send"},"blocks":[]}`
	opened := w.call("views.open", token, "trigger_id", command.Get("trigger_id"), "view", view)
	require.Equal(t, true, opened["ok"], "%v", opened)
	require.NoError(t, ben.Submit(workspace.Once))
	submission := w.all("/slack/interactions")[0].json
	require.Equal(t, "T2", submission["team"].(object)["id"])
	require.Equal(t, "T1", submission["view"].(object)["app_installed_team_id"])
	require.Equal(t, "U0BENS", submission["user"].(object)["id"])

	info := w.call("conversations.info", token, "channel", "C0SHOOTSN")["channel"].(object)
	require.Equal(t, true, info["is_org_shared"])
	require.Error(t, w.ShareChannel("T1", "shoots", "T3", "ben"))
}

func TestAnOrganisationTakesTheAppAwayEverywhere(t *testing.T) {
	w := start(t, grid)
	token := w.addToGrid("T1", "T2")
	alone := w.add("T3")
	require.NoError(t, w.RemoveApp("E1"))
	require.Equal(t, "account_inactive", w.word(token))
	require.False(t, w.Workspace("T1").Installed() || w.Workspace("T2").Installed())
	require.Nil(t, w.word(alone))
	w.eventually(func() bool { return len(w.events("app_uninstalled")) == 1 }, "event")
	require.Equal(t, "E1", w.events("app_uninstalled")[0]["enterprise_id"])
	require.Nil(t, w.events("app_uninstalled")[0]["team_id"])
}

func TestAWorkspacesOwnAppStaysBesideItsOrganisations(t *testing.T) {
	w := start(t, grid)
	own := w.add("T1")
	token := w.addToGrid("T1", "T2")
	require.NoError(t, w.RevokeTeams("E1", "T1"))
	require.True(t, w.Workspace("T1").Installed(), "it added the app itself")
	require.Nil(t, w.word(own))
	require.NoError(t, w.RemoveApp("T1"))
	require.Equal(t, "account_inactive", w.word(own))
	require.Equal(t, true, w.call("auth.test", token)["ok"])
}
