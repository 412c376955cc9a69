package workspace_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func announced(event string) object {
	return object{"event_type": event, "event_payload": object{"id": "7"}}
}

func TestAnUnlistedAppReadsOncePerMinuteAndFewMessages(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	ws := start(t, workspace.Options{Unlisted: true, PostBurst: -1, Now: func() time.Time { return now }})
	var root string
	for i := range 20 {
		ts := say(t, ws, object{"text": "message"})
		if i == 0 {
			root = ts
		}
		say(t, ws, object{"text": "reply", "thread_ts": root})
	}
	reads := map[string]object{
		"conversations.history": {"channel": "C0SHOOTS", "limit": 200},
		"conversations.replies": {"channel": "C0SHOOTS", "ts": root},
	}
	for method, args := range reads {
		out := api(t, ws, method, args)
		require.Len(t, out["messages"], 15, method)
		require.Equal(t, true, out["has_more"], method)
		status, header, _ := post(t, ws.APIURL()+method, token, "application/x-www-form-urlencoded", "channel=C0SHOOTS")
		require.Equal(t, http.StatusTooManyRequests, status, method)
		require.Equal(t, "60", header.Get("Retry-After"), method)
	}
	require.Equal(t, true, api(t, ws, "users.info", object{"user": "U0BEN"})["ok"], "nothing else is held up")
	now = now.Add(time.Minute)
	for method, args := range reads {
		require.Equal(t, true, api(t, ws, method, args)["ok"], method)
	}
}

func TestMetadataThatWasSubscribedToCausesEvents(t *testing.T) {
	events := append(workspace.DefaultEvents(), "message_metadata_posted", "message_metadata_updated", "message_metadata_deleted")
	scopes := append(workspace.DefaultScopes(), "metadata.message:read")
	ws := start(t, workspace.Options{Events: events, Scopes: scopes, Metadata: []string{"order"}})
	a := listen(t, ws, nil)
	ts := say(t, ws, object{"text": "x", "metadata": announced("order")})
	say(t, ws, object{"text": "x", "metadata": announced("weather")})
	say(t, ws, object{"text": "x"})
	newer := announced("order")
	newer["event_payload"] = object{"id": "8"}
	api(t, ws, "chat.update", object{"channel": "C0SHOOTS", "ts": ts, "text": "x", "metadata": newer})
	api(t, ws, "chat.update", object{"channel": "C0SHOOTS", "ts": ts, "text": "y"})
	api(t, ws, "chat.delete", object{"channel": "C0SHOOTS", "ts": ts})
	require.NoError(t, ws.Wait(t.Context(), func() bool { return len(a.events("message_metadata_deleted")) == 1 }))

	posted := a.events("message_metadata_posted")
	require.Len(t, posted, 1)
	want := object{
		"type": "message_metadata_posted", "app_id": "A0DARKROOM", "bot_id": "B0DARKROOM", "user_id": "U0DARKROOM",
		"team_id": "T0SANDBOX", "channel_id": "C0SHOOTS", "metadata": announced("order"), "message_ts": ts, "event_ts": ts,
	}
	require.Equal(t, want, posted[0])
	updated := a.events("message_metadata_updated")
	require.Len(t, updated, 1, "an edit that leaves the metadata is none")
	require.Equal(t, announced("order"), updated[0]["previous_metadata"])
	require.Equal(t, newer, updated[0]["metadata"])
	require.Equal(t, newer, a.events("message_metadata_deleted")[0]["previous_metadata"])
}

func TestWithoutScopeSubscriptionOrMembershipNoMetadataEventComes(t *testing.T) {
	events := append(workspace.DefaultEvents(), "message_metadata_posted")
	scopes := append(workspace.DefaultScopes(), "metadata.message:read")
	tests := map[string]workspace.Options{
		"no scope":       {Events: events, Metadata: []string{"order"}},
		"no event":       {Scopes: scopes, Metadata: []string{"order"}},
		"no such type":   {Events: events, Scopes: scopes},
		"not in channel": {Events: events, Scopes: slices.Concat(scopes, []string{"chat:write.public"}), Metadata: []string{"order"}},
	}
	for name, o := range tests {
		ws := start(t, o)
		a := listen(t, ws, nil)
		channel := "C0SHOOTS"
		if name == "not in channel" {
			channel = "C0WEDDINGS"
		}
		say(t, ws, object{"channel": channel, "text": "x", "metadata": announced("order")})
		say(t, ws, object{"text": "last"})
		require.NoError(t, ws.Wait(t.Context(), func() bool {
			return slices.ContainsFunc(a.events("message"), func(e object) bool { return e["text"] == "last" })
		}))
		require.Empty(t, a.events("message_metadata_posted"), name)
	}
}
