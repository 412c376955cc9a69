package workspace_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func texts(out object) []string {
	var all []string
	for _, m := range out["messages"].([]any) {
		all = append(all, m.(object)["text"].(string))
	}
	return all
}

func TestRepliesStayInTheirThreadUnlessBroadcast(t *testing.T) {
	ws := start(t, workspace.Options{})
	root := say(t, ws, object{"text": "card"})
	reply := say(t, ws, object{"text": "placed", "thread_ts": root})
	say(t, ws, object{"text": "ready", "thread_ts": root, "reply_broadcast": true})

	history := api(t, ws, "conversations.history", object{"channel": "C0SHOOTS"})
	require.Equal(t, []string{"ready", "card"}, texts(history), "newest first, no plain reply")
	replies := api(t, ws, "conversations.replies", object{"channel": "C0SHOOTS", "ts": root})
	require.Equal(t, []string{"card", "placed", "ready"}, texts(replies))
	later := api(t, ws, "conversations.replies", object{"channel": "C0SHOOTS", "ts": root, "oldest": reply})
	require.Equal(t, []string{"card", "ready"}, texts(later), "the root always comes")
	require.Len(t, ws.Thread("#shoots", root), 3)
	require.Equal(t, "thread_not_found", refusedFor(api(t, ws, "conversations.replies", object{"channel": "C0SHOOTS", "ts": "1.1"})))
	require.Equal(t, "cannot_reply_to_message", refusedFor(api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x", "thread_ts": reply})))
}

func TestAReplyToNothingLandsInTheChannelAndIsAViolation(t *testing.T) {
	ws := start(t, workspace.Options{})
	root := say(t, ws, object{"text": "card"})
	say(t, ws, object{"text": "placed", "thread_ts": root})
	ws.DeleteMessage("#shoots", root)
	require.Equal(t, "tombstone", ws.Messages("#shoots")[0].Subtype)
	say(t, ws, object{"text": "astray", "thread_ts": root})
	require.Equal(t, "astray", ws.Messages("#shoots")[1].Text)
	require.Len(t, ws.Violations(), 1)
	require.Equal(t, "message_not_found", refusedFor(api(t, ws, "chat.update", object{"channel": "C0SHOOTS", "ts": root, "text": "x"})))
}

func TestMetadataIsReturnedOnlyWhenAskedFor(t *testing.T) {
	ws := start(t, workspace.Options{})
	say(t, ws, object{"text": "card", "metadata": object{"event_type": "order", "event_payload": object{"id": "7"}}})
	read := func(all bool) any {
		out := api(t, ws, "conversations.history", object{"channel": "C0SHOOTS", "include_all_metadata": all})
		return out["messages"].([]any)[0].(object)["metadata"].(object)["event_payload"]
	}
	require.Nil(t, read(false))
	require.Equal(t, object{"id": "7"}, read(true))
}

func TestHistoryIsPaged(t *testing.T) {
	ws := start(t, workspace.Options{})
	for i := range 5 {
		say(t, ws, object{"text": fmt.Sprint(i)})
	}
	var read []string
	args := object{"channel": "C0SHOOTS", "limit": 2}
	for {
		out := api(t, ws, "conversations.history", args)
		read = append(read, texts(out)...)
		if out["has_more"] != true {
			break
		}
		args["cursor"] = out["response_metadata"].(object)["next_cursor"]
	}
	require.Equal(t, []string{"4", "3", "2", "1", "0"}, read)
	third := ws.Messages("#shoots")[2].TS
	out := api(t, ws, "conversations.history", object{"channel": "C0SHOOTS", "oldest": third, "inclusive": true})
	require.Equal(t, []string{"4", "3", "2"}, texts(out))
	out = api(t, ws, "conversations.history", object{"channel": "C0SHOOTS", "latest": third})
	require.Equal(t, []string{"1", "0"}, texts(out))
}

func TestEditsFollowSlacksRules(t *testing.T) {
	ws := start(t, workspace.Options{})
	metadata := object{"event_type": "order", "event_payload": object{"id": "7"}}
	ts := say(t, ws, object{"text": "card", "blocks": []any{section("one")}, "metadata": metadata})
	edit := func(args object) workspace.Message {
		args["channel"], args["ts"] = "C0SHOOTS", ts
		require.Equal(t, true, api(t, ws, "chat.update", args)["ok"])
		return ws.Messages("#shoots")[0]
	}
	m := edit(object{"blocks": []any{section("two")}})
	require.False(t, m.Edited, "new blocks alone leave no mark")
	require.Equal(t, "card", m.Text)
	require.NotNil(t, m.Metadata, "metadata stays when left out")
	m = edit(object{"text": "plain"})
	require.Empty(t, m.Blocks, "text alone removes the blocks")
	require.True(t, m.Edited)
	m = edit(object{"text": "plain", "metadata": object{}})
	require.Nil(t, m.Metadata, "empty metadata clears it")
	require.Equal(t, "no_text", refusedFor(api(t, ws, "chat.update", object{"channel": "C0SHOOTS", "ts": ts})))
}

func TestOnlyOwnMessagesAreEditedAndDeleted(t *testing.T) {
	ws := start(t, workspace.Options{})
	require.NoError(t, ws.Window("maria").Say("#shoots", "", "mine"))
	theirs := object{"channel": "C0SHOOTS", "ts": ws.Messages("#shoots")[0].TS, "text": "x"}
	require.Equal(t, "cant_update_message", refusedFor(api(t, ws, "chat.update", theirs)))
	require.Equal(t, "cant_delete_message", refusedFor(api(t, ws, "chat.delete", theirs)))
	gone := object{"channel": "C0SHOOTS", "ts": "1.000001", "text": "x"}
	require.Equal(t, "message_not_found", refusedFor(api(t, ws, "chat.update", gone)))
	own := say(t, ws, object{"text": "own"})
	require.Equal(t, true, api(t, ws, "chat.delete", object{"channel": "C0SHOOTS", "ts": own})["ok"])
	require.Len(t, ws.Messages("#shoots"), 1)
	archived := object{"channel": "C0SHOOTS", "ts": say(t, ws, object{"text": "own"}), "text": "x"}
	ws.Archive("#shoots")
	require.Equal(t, "is_inactive", refusedFor(api(t, ws, "chat.update", archived)))
}

func TestReactions(t *testing.T) {
	ws := start(t, workspace.Options{})
	ts := say(t, ws, object{"text": "card"})
	check := object{"channel": "C0SHOOTS", "timestamp": ts, "name": "white_check_mark"}
	require.Equal(t, true, api(t, ws, "reactions.add", check)["ok"])
	require.Equal(t, "already_reacted", refusedFor(api(t, ws, "reactions.add", check)))
	require.Equal(t, "white_check_mark", ws.Messages("#shoots")[0].Reactions[0].Name)
	require.Equal(t, "message_not_found", refusedFor(api(t, ws, "reactions.add", with(check, "timestamp", "1.1"))))
}

func TestThePunctuationBehindALinkIsTheSentences(t *testing.T) {
	ws := start(t, workspace.Options{})
	for typed, wanted := range map[string]string{
		"see https://a.example/x.jpg.":     "see <https://a.example/x.jpg>.",
		"(https://a.example/?a=1&b=2), ok": "(<https://a.example/?a=1&amp;b=2>), ok",
		"https://a.example/":               "<https://a.example/>",
	} {
		require.NoError(t, ws.Window("maria").Say("#shoots", "", typed))
		said := ws.Messages("#shoots")
		require.Equal(t, wanted, said[len(said)-1].Text)
	}
}
