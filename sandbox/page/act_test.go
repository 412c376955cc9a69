package page_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/page"
)

func decoded(t *testing.T, body []byte) object {
	t.Helper()
	var out object
	require.NoError(t, json.Unmarshal(body, &out), "%s", body)
	return out
}

func TestWhatIsGoneIsSaidToBeGone(t *testing.T) {
	w := start(t, page.Options{})
	ts := w.post(object{"text": "review", "blocks": []any{object{"type": "actions", "block_id": "b", "elements": []any{
		object{"type": "button", "action_id": "approve", "text": plain("Approve")},
	}}}})
	press := object{"target": object{"channel": "C0SHOOTS", "ts": ts, "block": "b", "action": "approve"}}
	w.do("maria", "act", press)
	require.Equal(t, "approve", list((<-w.heard)["actions"])[0]["action_id"])
	w.DeleteMessage("C0SHOOTS", ts)
	for act, body := range map[string]object{
		"act": press, "submit": {}, "cancel": {}, "close": {}, "dismiss": {"ts": ts},
		"say":              {"channel": "C0SHOOTS", "thread": ts, "text": "too late"},
		"message_shortcut": {"channel": "C0SHOOTS", "ts": ts, "callback": "order_photos"},
		"shortcut":         {"callback": "renamed"},
		"suggest":          {"target": object{"view": "V1", "block": "who", "action": "find"}, "typed": "jo"},
		"give":             {"target": object{"view": "V1", "block": "photos", "action": "files"}},
	} {
		status, says := w.refused("maria", act, body)
		require.Equal(t, http.StatusGone, status, act)
		require.Equal(t, "It is not there any more.", says, act)
	}
}

func TestPublicChannelsAreJoinedAndLeft(t *testing.T) {
	w := start(t, page.Options{})
	w.do("maria", "say", object{"channel": "C0WEDDINGS", "text": "old news"})
	require.Nil(t, find(w.now("olga", "")["channels"], "name", "weddings"))
	w.do("olga", "command", object{"channel": "C0SHOOTS", "line": "/join #weddings"})
	require.NotNil(t, find(w.now("olga", "")["channels"], "name", "weddings"))
	w.do("olga", "command", object{"channel": "C0WEDDINGS", "line": "/leave"})
	require.Nil(t, find(w.now("olga", "")["channels"], "name", "weddings"))
	w.do("maria", "command", object{"channel": "C0STUDIO", "line": "/invite @darkroom @ines"})
	require.Equal(t, true, find(w.now("ines", "")["channels"], "name", "studio")["app"])
}

func TestWordsThatAreNoCommandAreNotSentToTheApp(t *testing.T) {
	w := start(t, page.Options{ReadOnly: true})
	_, says := w.refused("maria", "command", object{"channel": "C0SHOOTS", "line": "/odrer new"})
	require.Contains(t, says, "/odrer is not a valid command")
	require.Empty(t, w.Deliveries())
	direct := find(w.now("maria", "")["channels"], "im", "")
	require.Nil(t, direct)
	for _, c := range list(w.now("maria", "")["channels"]) {
		if c["im"] == true {
			_, says = w.refused("maria", "say", object{"channel": c["id"], "text": "hello?"})
		}
	}
	require.Equal(t, "Sending messages to this app has been turned off.", says)
	_, says = w.refused("maria", "say", object{"channel": "C0SHOOTS", "text": "  "})
	require.Equal(t, "There is nothing to send.", says)
}

func TestTheAppsBotAndStrangersHaveNoPlace(t *testing.T) {
	w := start(t, page.Options{})
	for _, name := range []string{"darkroom", "slackbot", "nobody"} {
		status, says := w.refused(name, "submit", object{})
		require.Equal(t, http.StatusNotFound, status)
		require.Equal(t, "There is nobody of that name.", says)
	}
}

func TestAnAppThatIsDownIsSaidWhereThePersonLooks(t *testing.T) {
	w := start(t, page.Options{})
	w.SetAppURL("http://127.0.0.1:1")
	maria := w.open("maria", "channel=C0SHOOTS")
	w.do("maria", "command", object{"channel": "C0SHOOTS", "line": "/order new"})
	s := maria.sees("Slackbot's word", func(s object) bool { return len(list(s["messages"])) == 1 })
	said := list(s["messages"])[0]
	require.Equal(t, []any{true, false, "Slackbot"}, []any{said["ephemeral"], said["shortcuts"], said["name"]})
	w.do("maria", "dismiss", object{"ts": said["ts"]})
	maria.sees("nothing left", func(s object) bool { return len(list(s["messages"])) == 0 })
	w.do("maria", "shortcut", object{"callback": "new"})
	maria.sees("a toast", func(s object) bool { return s["toast"] != "" && s["toasts"] == 1.0 })
	w.do("maria", "shortcut", object{"callback": "new"})
	maria.sees("the same toast again", func(s object) bool { return s["toast"] != "" && s["toasts"] == 2.0 })
}

func TestAShortcutIsRunFromTheConversationInView(t *testing.T) {
	w := start(t, page.Options{})
	maria := w.open("maria", "")
	w.do("maria", "read", object{"channel": "C0WEDDINGS"})
	w.do("maria", "shortcut", object{"callback": "new"})
	form := maria.sees("the form", func(s object) bool { return s["modal"] != nil })["modal"].(object)
	require.Equal(t, "C0WEDDINGS", form["values"].(object)["where"].(object)["place"].(object)["selected_conversation"])
}

func TestAnExternalSelectIsOfferedTheAppsGroups(t *testing.T) {
	w := start(t, page.Options{})
	maria := w.open("maria", "")
	w.do("maria", "shortcut", object{"callback": "new"})
	form := maria.sees("the form", func(s object) bool { return s["modal"] != nil })["modal"].(object)
	offered := w.do("maria", "suggest", object{"target": object{"view": form["id"], "block": "who", "action": "find"}, "typed": "jo"})
	require.Equal(t, "Found", list(offered["groups"])[0]["label"].(object)["text"])
}
