package slack_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/slack"
)

// wired is the app's connection: it acknowledges all it hears.
type wired struct{ frames chan object }

func (w *world) connect() wired {
	w.t.Helper()
	opened := w.call("apps.connections.open", "xapp-sandbox-token")
	require.Equal(w.t, true, opened["ok"], "%v", opened)
	ctx, stop := context.WithCancel(context.Background())
	w.t.Cleanup(stop)
	conn, answer, err := websocket.Dial(ctx, opened["url"].(string), nil)
	require.NoError(w.t, err)
	if answer.Body != nil {
		_ = answer.Body.Close()
	}
	heard := wired{frames: make(chan object, 100)}
	go func() {
		defer close(heard.frames)
		for {
			_, frame, err := conn.Read(ctx)
			if err != nil {
				return
			}
			var f object
			_ = json.Unmarshal(frame, &f)
			if f["envelope_id"] != nil {
				ack, _ := json.Marshal(object{"envelope_id": f["envelope_id"]})
				_ = conn.Write(ctx, websocket.MessageText, ack)
			}
			heard.frames <- f
		}
	}()
	return heard
}

// next is the next frame of the type.
func (h wired) next(t *testing.T, kind string) object {
	t.Helper()
	for f := range h.frames {
		if f["type"] == kind {
			payload, _ := f["payload"].(object)
			return payload
		}
	}
	require.FailNow(t, "the connection ended")
	return nil
}

func TestAllWorkspacesShareTheAppsConnections(t *testing.T) {
	w := start(t, func(o *slack.Options) { o.SocketMode = true }, grid)
	w.addToGrid("T1")
	w.add("T3")
	require.NoError(t, w.Workspace("T1").Window("ben").Say("shoots", "", "before anybody listened"))
	app := w.connect()
	app.next(t, "hello")
	for {
		if event := app.next(t, "events_api"); event["event"].(object)["text"] == "before anybody listened" {
			require.Equal(t, "T1", event["team_id"])
			break
		}
	}
	require.NoError(t, w.Workspace("T1").Window("maria").Command("shoots", "/order"))
	require.NoError(t, w.Workspace("T3").Window("maria").Command("shoots", "/order"))
	one, three := app.next(t, "slash_commands"), app.next(t, "slash_commands")
	require.Equal(t, []any{"T1", "T3"}, []any{one["team_id"], three["team_id"]})
	require.Equal(t, []any{"true", "false"}, []any{one["is_enterprise_install"], three["is_enterprise_install"]}, "as text")
	require.Empty(t, w.all("/slack/commands"), "nothing over HTTP")
	require.NotEmpty(t, w.Workspace("T3").Deliveries())
}
