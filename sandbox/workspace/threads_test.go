package workspace_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func TestAnEphemeralIsInAThreadOnlyWhenTheThreadExists(t *testing.T) {
	ws := start(t, workspace.Options{})
	root := say(t, ws, object{"text": "card"})
	whisper := func(thread string) string {
		args := object{"channel": "C0SHOOTS", "user": "U0MARIA", "text": "psst", "thread_ts": thread}
		require.Equal(t, true, api(t, ws, "chat.postEphemeral", args)["ok"])
		return last(ws.Ephemerals("maria")).ThreadTS
	}
	require.Equal(t, root, whisper(root))
	require.Empty(t, whisper("1.000001"))
}

func TestADeletedReplyIsGoneAndADeletedRootLeavesItsReplies(t *testing.T) {
	ws := start(t, workspace.Options{})
	root := say(t, ws, object{"text": "card"})
	reply := say(t, ws, object{"text": "placed", "thread_ts": root})
	say(t, ws, object{"text": "ready", "thread_ts": root})
	require.Equal(t, true, api(t, ws, "chat.delete", object{"channel": "C0SHOOTS", "ts": reply})["ok"])
	ws.DeleteMessage("#shoots", root)
	out := api(t, ws, "conversations.replies", object{"channel": "C0SHOOTS", "ts": root})
	require.Equal(t, []string{"This message was deleted.", "ready"}, texts(out))
}

func TestTheAppsOwnPostsComeBackAsEventsOfItsBot(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	ts := say(t, ws, object{"text": "card for <@U0DARKROOM>"})
	require.Equal(t, true, api(t, ws, "chat.update", object{"channel": "C0SHOOTS", "ts": ts, "text": "edited"})["ok"])
	eventually(t, func() bool { return len(a.events("message")) == 2 }, "the post and the edit")
	require.Equal(t, "B0DARKROOM", a.events("message")[0]["bot_id"])
	require.Equal(t, "message_changed", a.events("message")[1]["subtype"])
	require.Empty(t, a.events("app_mention"), "the app does not mention itself")
}

func TestOptionsOfAnExternalSelectAreChecked(t *testing.T) {
	answer := jsonOf(t, object{"options": options(100)})
	pick := object{"type": "external_select", "action_id": "pick"}
	ws, _, maria := opened(t, modal(with(input("i", "Client"), "element", pick)), func(h heard) (int, string) {
		if h.json["type"] == "block_suggestion" {
			return 200, answer
		}
		return 200, ""
	})
	v, _ := maria.Modal()
	target := workspace.Target{View: v.ID, Block: "i", Action: "pick"}
	found, err := maria.Suggest(target, "opt")
	require.NoError(t, err)
	require.Len(t, found, 100)
	answer = jsonOf(t, object{"option_groups": []any{object{"label": text("Recent"), "options": options(2)}}})
	found, err = maria.Suggest(target, "opt")
	require.NoError(t, err)
	require.Len(t, found, 2)
	answer = jsonOf(t, object{"options": options(101)})
	_, err = maria.Suggest(target, "opt")
	require.ErrorContains(t, err, "no more than 100")
	require.Len(t, ws.Violations(), 1)
}

func TestPeopleAndChannelsComeAndGo(t *testing.T) {
	ws := start(t, workspace.Options{})
	ws.AddUser(workspace.User{ID: "U0NINA", Name: "nina", RealName: "Nina"})
	ws.AddChannel(workspace.Channel{ID: "C0NEW", Name: "new", Members: []string{"nina", "darkroom", "nobody"}})
	require.Equal(t, []string{"U0NINA", "U0DARKROOM"}, ws.Channel("#new").Members)
	require.NoError(t, ws.Window("nina").Say("#new", "", "hello"))
	ts := ws.Messages("#new")[0].TS
	require.NoError(t, ws.Window("nina").DeleteMessage("C0NEW", ts))
	require.Empty(t, ws.Messages("#new"))
	require.Empty(t, ws.Messages("#nowhere"))
	require.Empty(t, ws.DMs("nina"))
	say(t, ws, object{"channel": "U0NINA", "text": "only you"})
	require.Equal(t, "only you", ws.DMs("nina")[0].Text)
	require.Equal(t, "Nina", last(ws.Users()).RealName)
}
