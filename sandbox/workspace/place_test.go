package workspace_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func TestPeopleInviteAndRemoveTheApp(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	members := func() object { return api(t, ws, "conversations.members", object{"channel": "C0STUDIO"}) }
	require.Equal(t, "channel_not_found", refusedFor(members()))
	require.NoError(t, maria.Command("#studio", "/invite @darkroom"))
	require.Contains(t, members()["members"], "U0DARKROOM")
	eventually(t, func() bool { return len(a.events("member_joined_channel")) == 1 }, "the app hears of it")
	line := last(ws.Messages("#studio"))
	require.Equal(t, []string{"U0DARKROOM", "channel_join", "U0MARIA"}, []string{line.User, line.Subtype, line.Inviter})
	require.NoError(t, maria.Command("#studio", "/invite @darkroom"))
	require.Len(t, ws.Messages("#studio"), 1, "who is there already does not come again")
	eventually(t, func() bool { return len(a.events("message")) == 1 }, "the app hears the line")
	require.Empty(t, a.events("app_mention"), "which is no word to it")
	require.NoError(t, maria.Command("#studio", "/remove @darkroom"))
	require.Equal(t, "channel_not_found", refusedFor(members()))
	require.Equal(t, true, api(t, ws, "conversations.members", object{"channel": "C0WEDDINGS"})["ok"], "a public one tells all")
	require.Error(t, maria.Command("#studio", "/invite @nobody"))
	require.NoError(t, maria.Command("#shoots", "/archive"))
	require.Equal(t, "is_archived", refusedFor(api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x"})))
	require.ErrorIs(t, maria.Command("#shoots", "/order"), workspace.ErrNotMember)
	require.NotContains(t, a.paths(), "/slack/commands", "none of these is the app's")
	ws.Unarchive("#shoots")
	require.NoError(t, maria.Command("#shoots", "/order"))
	require.Contains(t, a.paths(), "/slack/commands")
}

func (a *app) paths() []string {
	var all []string
	for _, h := range a.all() {
		all = append(all, h.path)
	}
	return all
}

func TestAPersonsChannelsAsTheAppSeesThem(t *testing.T) {
	ws := start(t, workspace.Options{})
	list := func(user, types string) object {
		return api(t, ws, "users.conversations", object{"user": user, "types": types})
	}
	names := func(out object) []string {
		var all []string
		for _, c := range out["channels"].([]any) {
			all = append(all, c.(object)["name"].(string))
		}
		return all
	}
	both := "public_channel,private_channel"
	require.Equal(t, []string{"shoots", "weddings"}, names(list("U0MARIA", both)), "not the private one without the app")
	ws.Invite("#studio", "darkroom")
	require.Equal(t, []string{"shoots", "weddings", "studio"}, names(list("U0MARIA", both)))
	require.Equal(t, []string{"shoots"}, names(list("U0TOM", both)))
	require.Equal(t, "user_not_found", refusedFor(list("U404", both)))
	require.Equal(t, "invalid_types", refusedFor(list("U0MARIA", "channel")))
	ws.SetScopes(slices.DeleteFunc(workspace.DefaultScopes(), func(s string) bool { return s == "groups:read" })...)
	require.Equal(t, "missing_scope", refusedFor(list("U0MARIA", both)))
	require.Equal(t, "missing_scope", refusedFor(api(t, ws, "conversations.members", object{"channel": "C0STUDIO"})))
	require.Equal(t, true, list("U0MARIA", "public_channel")["ok"])
}

func TestADeletedRootLeavesATombstone(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	require.NoError(t, maria.Say("#shoots", "", "the root"))
	root := ws.Messages("#shoots")[0].TS
	require.NoError(t, maria.Say("#shoots", root, "the reply"))
	reply := last(ws.Thread("C0SHOOTS", root)).TS
	require.NoError(t, maria.DeleteMessage("C0SHOOTS", root))
	require.NoError(t, maria.DeleteMessage("C0SHOOTS", reply))
	eventually(t, func() bool { return len(a.events("message")) == 4 }, "four messages")
	stone, gone := a.events("message")[2], a.events("message")[3]
	require.Equal(t, "message_changed", stone["subtype"])
	require.Equal(t, "tombstone", stone["message"].(object)["subtype"])
	require.Equal(t, "the root", stone["previous_message"].(object)["text"])
	require.Equal(t, "message_deleted", gone["subtype"])
	require.Equal(t, reply, gone["deleted_ts"])
	require.Equal(t, "the reply", gone["previous_message"].(object)["text"])
}
