package workspace_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func respond(t *testing.T, address string, message object) (int, string) {
	t.Helper()
	status, _, body := post(t, address, "", "application/json", jsonOf(t, message))
	return status, string(body)
}

func TestAResponseURLWorksFiveTimes(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	require.NoError(t, ws.Window("maria").Command("#weddings", "/order"))
	address := a.last().form.Get("response_url")
	for range 5 {
		status, body := respond(t, address, object{"text": "hi"})
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "ok", body)
	}
	status, body := respond(t, address, object{"text": "hi"})
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, "used_url", body)
	require.Len(t, ws.Ephemerals("maria"), 5, "it works where the app is no member")
	status, _ = respond(t, address+"x", object{"text": "hi"})
	require.Equal(t, http.StatusNotFound, status)
}

func TestAResponseURLWorksThirtyMinutes(t *testing.T) {
	var mu sync.Mutex
	now := time.Unix(1_700_000_000, 0)
	ws := start(t, workspace.Options{Now: func() time.Time { mu.Lock(); defer mu.Unlock(); return now }})
	a := listen(t, ws, nil)
	require.NoError(t, ws.Window("maria").Command("#shoots", "/order"))
	mu.Lock()
	now = now.Add(30*time.Minute + time.Second)
	mu.Unlock()
	_, body := respond(t, a.last().form.Get("response_url"), object{"text": "hi"})
	require.Equal(t, "expired_url", body)
}

func TestAResponseReplacesAndDeletesTheOriginal(t *testing.T) {
	ws := start(t, workspace.Options{Events: []string{}})
	a := listen(t, ws, func(h heard) (int, string) {
		if h.path == "/slack/commands" {
			return 200, `{"text":"first"}`
		}
		return 200, ""
	})
	maria := ws.Window("maria")
	require.NoError(t, maria.Command("#shoots", "/order"))
	address := a.last().form.Get("response_url")
	respond(t, address, object{"text": "second", "replace_original": true})
	require.Equal(t, "second", ws.Ephemerals("maria")[0].Text)
	respond(t, address, object{"delete_original": true})
	require.Empty(t, ws.Ephemerals("maria"))

	ts := say(t, ws, object{"text": "card", "blocks": []any{with(actions(button("Go")), "block_id", "b")}})
	require.NoError(t, maria.Act(workspace.Target{Channel: "C0SHOOTS", TS: ts, Block: "b", Action: "do:Go"}, nil, workspace.Once))
	click := a.last().json
	require.Equal(t, ts, click["container"].(object)["message_ts"])
	require.Equal(t, "v", click["actions"].([]any)[0].(object)["value"])
	address = click["response_url"].(string)
	respond(t, address, object{"text": "private", "replace_original": false})
	require.Equal(t, "private", ws.Ephemerals("maria")[0].Text)
	respond(t, address, object{"text": "gone on", "replace_original": true})
	require.Equal(t, "gone on", ws.Messages("#shoots")[0].Text)
	require.Empty(t, ws.Messages("#shoots")[0].Blocks)
	status, body := respond(t, address, object{"text": "x", "blocks": []any{object{"type": "section"}}})
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "invalid_blocks", body)
	require.Len(t, ws.Violations(), 1)
}

func TestShortcutsCarryWhatSlackSends(t *testing.T) {
	ws := start(t, workspace.Options{Events: []string{}})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	maria.Shortcut("new", workspace.Once)
	global := a.last().json
	require.Equal(t, "shortcut", global["type"])
	require.Equal(t, "new", global["callback_id"])
	require.NotContains(t, global, "response_url")
	require.NotContains(t, global, "channel")

	require.NoError(t, maria.Say("#shoots", "", "photos", workspace.Upload{Name: "beach.png", Content: picture(t)}))
	require.NoError(t, maria.MessageShortcut("C0SHOOTS", ws.Messages("#shoots")[0].TS, "order_photos", workspace.Once))
	message := a.last().json
	require.Equal(t, "message_action", message["type"])
	require.Equal(t, "C0SHOOTS", message["channel"].(object)["id"])
	file := message["message"].(object)["files"].([]any)[0].(object)
	_, header, _ := get(t, file["url_private"].(string), token)
	require.Equal(t, "image/png", header.Get("Content-Type"))
	require.ErrorIs(t, maria.MessageShortcut("C0SHOOTS", "1.1", "order_photos", workspace.Once), workspace.ErrGone)
}
