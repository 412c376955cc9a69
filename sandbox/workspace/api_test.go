package workspace_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

func TestTheTokenIsChecked(t *testing.T) {
	ws := start(t, workspace.Options{})
	for bearer, want := range map[string]string{token: `"ok":true`, "xoxb-other": "invalid_auth", "": "not_authed"} {
		_, _, body := post(t, ws.APIURL()+"auth.test", bearer, "application/json", "{}")
		require.Contains(t, string(body), want)
	}
	ws.RevokeToken()
	require.Equal(t, "token_revoked", refusedFor(api(t, ws, "auth.test", nil)))
	for _, r := range ws.Requests() {
		require.NotContains(t, jsonOf(t, r), "xoxb", "no token is kept")
	}
}

func TestFormsAndJSONSayTheSame(t *testing.T) {
	ws := start(t, workspace.Options{})
	form := url.Values{"token": {token}, "channel": {"C0SHOOTS"}, "text": {"by form"}, "blocks": {jsonOf(t, []any{section("in a *block*")})}}
	_, _, body := post(t, ws.APIURL()+"chat.postMessage", "", "application/x-www-form-urlencoded", form.Encode())
	require.Contains(t, string(body), `"ok":true`)
	say(t, ws, object{"text": "by json", "blocks": []any{section("in a *block*")}})
	posted := ws.Messages("#shoots")
	require.Equal(t, "by form", posted[0].Text)
	require.Equal(t, posted[0].Blocks[0]["text"], posted[1].Blocks[0]["text"])
	require.NotContains(t, jsonOf(t, ws.Requests()), "xoxb")
	require.Equal(t, []string{"chat.postMessage: the token travels outside the Authorization header"}, ws.Violations())

	_, _, body = post(t, ws.APIURL()+"chat.postMessage", token, "application/json", `{"channel":`)
	require.Contains(t, string(body), "invalid_form_data")
	_, _, body = post(t, ws.APIURL()+"chat.postMessage", token, "application/x-www-form-urlencoded", "channel=C0SHOOTS&text=x&blocks=[")
	require.Contains(t, string(body), "invalid_blocks_format")
}

func TestUnknownMethodsAndPathsAreErrorsAndRemembered(t *testing.T) {
	ws := start(t, workspace.Options{})
	require.Equal(t, "unknown_method", refusedFor(api(t, ws, "chat.scheduleMessage", nil)))
	status, _, _ := post(t, ws.URL()+"/oauth", "", "text/plain", "")
	require.Equal(t, http.StatusNotFound, status)
	require.Equal(t, []string{"chat.scheduleMessage", "POST /oauth"}, ws.Unknown())
}

func TestScopesAreNeeded(t *testing.T) {
	ws := start(t, workspace.Options{Scopes: []string{"chat:write"}})
	say(t, ws, object{"text": "x"})
	for method, needed := range map[string]string{
		"conversations.history": "channels:history", "conversations.replies": "channels:history", "users.info": "users:read",
		"conversations.join": "channels:join", "reactions.add": "reactions:write", "files.info": "files:read",
		"files.getUploadURLExternal": "files:write",
	} {
		out := api(t, ws, method, object{"channel": "C0SHOOTS"})
		require.Equal(t, "missing_scope", out["error"], method)
		require.Equal(t, needed, out["needed"])
		require.Equal(t, "chat:write", out["provided"])
	}
	ws.SetScopes("channels:history")
	require.Equal(t, true, api(t, ws, "conversations.history", object{"channel": "C0SHOOTS"})["ok"])
	require.Equal(t, "missing_scope", refusedFor(api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x"})))
}

func TestAChannelTakesOnePostASecond(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	ws := start(t, workspace.Options{PostBurst: 3, Now: func() time.Time { return now }})
	for range 3 {
		say(t, ws, object{"text": "x"})
	}
	address, body := ws.APIURL()+"chat.postMessage", `{"channel":"C0SHOOTS","text":"x"}`
	status, header, answer := post(t, address, token, "application/json", body)
	require.Equal(t, http.StatusTooManyRequests, status)
	require.Equal(t, "1", header.Get("Retry-After"))
	require.Contains(t, string(answer), "ratelimited")
	say(t, ws, object{"text": "another channel", "channel": "U0MARIA"})
	now = now.Add(time.Second)
	say(t, ws, object{"text": "x"})
	status, _, _ = post(t, address, token, "application/json", body)
	require.Equal(t, http.StatusTooManyRequests, status, "one second, one post")
	require.Empty(t, ws.Violations())
}

func TestMembershipDecidesWhereTheAppMayPost(t *testing.T) {
	tests := map[string]string{
		"C0SHOOTS": "", "#shoots": "", "U0MARIA": "", "C0WEDDINGS": "not_in_channel", "C0STUDIO": "channel_not_found", "C0NOWHERE": "channel_not_found",
	}
	ws := start(t, workspace.Options{})
	for channel, want := range tests {
		require.Equal(t, want, refusedFor(api(t, ws, "chat.postMessage", object{"channel": channel, "text": "x"})), channel)
	}
	require.Equal(t, "not_in_channel", refusedFor(api(t, ws, "conversations.history", object{"channel": "C0WEDDINGS"})))
	require.Equal(t, "channel_not_found", refusedFor(api(t, ws, "conversations.history", object{"channel": "C0STUDIO"})))
	require.Equal(t, "channel_not_found", refusedFor(api(t, ws, "conversations.info", object{"channel": "C0STUDIO"})))
	require.Equal(t, "channel_not_found", refusedFor(api(t, ws, "conversations.join", object{"channel": "C0STUDIO"})))

	require.Equal(t, true, api(t, ws, "conversations.join", object{"channel": "C0WEDDINGS"})["ok"])
	say(t, ws, object{"channel": "C0WEDDINGS", "text": "joined"})
	ws.Invite("#studio", "darkroom")
	say(t, ws, object{"channel": "C0STUDIO", "text": "invited"})
	ws.Kick("#studio", "darkroom")
	require.Equal(t, "channel_not_found", refusedFor(api(t, ws, "chat.postMessage", object{"channel": "C0STUDIO", "text": "x"})))
	ws.Archive("#shoots")
	require.Equal(t, "is_archived", refusedFor(api(t, ws, "chat.postMessage", object{"channel": "C0SHOOTS", "text": "x"})))
	ws.Unarchive("#shoots")
	say(t, ws, object{"text": "open again"})
}

func TestEphemeralsGoToMembersOnly(t *testing.T) {
	ws := start(t, workspace.Options{})
	require.Equal(t, true, api(t, ws, "chat.postEphemeral", object{"channel": "C0SHOOTS", "user": "U0MARIA", "text": "psst"})["ok"])
	require.Equal(t, "psst", ws.Ephemerals("maria")[0].Text)
	require.Empty(t, ws.Ephemerals("ben"))
	require.Empty(t, ws.Messages("#shoots"))
	ws.Kick("#shoots", "ben")
	require.Equal(t, "user_not_in_channel", refusedFor(api(t, ws, "chat.postEphemeral", object{"channel": "C0SHOOTS", "user": "U0BEN", "text": "x"})))
}

func TestChannelsPeopleAndConversationsAreListed(t *testing.T) {
	ws := start(t, workspace.Options{})
	list := api(t, ws, "users.conversations", object{"user": "U0MARIA", "types": "public_channel,private_channel"})
	require.Len(t, list["channels"], 2, "a private channel without the app is hidden")
	first := api(t, ws, "users.conversations", object{"user": "U0MARIA", "limit": 1})
	cursor := first["response_metadata"].(object)["next_cursor"]
	second := api(t, ws, "users.conversations", object{"user": "U0MARIA", "limit": 1, "cursor": cursor})
	require.Equal(t, "C0WEDDINGS", second["channels"].([]any)[0].(object)["id"])
	require.Len(t, api(t, ws, "users.conversations", nil)["channels"], 1)
	require.Len(t, api(t, ws, "conversations.members", object{"channel": "C0WEDDINGS"})["members"], 2)
	info := api(t, ws, "conversations.info", object{"channel": "C0SHOOTS"})["channel"].(object)
	require.Equal(t, true, info["is_member"])
	require.Equal(t, true, info["is_ext_shared"], "Tom is of another organisation")

	ines := api(t, ws, "users.info", object{"user": "U0INES"})["user"].(object)
	require.Equal(t, true, ines["is_restricted"])
	tom := api(t, ws, "users.info", object{"user": "U0TOM"})["user"].(object)
	require.Equal(t, false, tom["is_stranger"], "he shares a channel with the app")
	require.Equal(t, "T0ELSEWHERE", tom["team_id"])
	require.Equal(t, "user_not_found", refusedFor(api(t, ws, "users.info", object{"user": "U0NOBODY"})))

	one := api(t, ws, "conversations.open", object{"users": "U0MARIA"})["channel"].(object)["id"]
	two := api(t, ws, "conversations.open", object{"users": "U0MARIA"})["channel"].(object)["id"]
	require.Equal(t, one, two)
	require.Equal(t, "user_not_found", refusedFor(api(t, ws, "conversations.open", object{"users": "U0NOBODY"})))
}

// call is api for calls whose connection may break.
func call(ctx context.Context, t *testing.T, ws *workspace.Workspace, method, body string) (int, string, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, ws.APIURL()+method, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = answer.Body.Close() }()
	body2 := make([]byte, 512)
	n, _ := answer.Body.Read(body2)
	return answer.StatusCode, string(body2[:n]), nil
}

func TestFaults(t *testing.T) {
	tests := map[string]struct {
		fault  workspace.Fault
		status int // 0: the connection breaks
		body   string
		stored bool
	}{
		"reset before": {workspace.ResetBefore, 0, "", false},
		"reset after":  {workspace.ResetAfter, 0, "", true},
		"500":          {workspace.Error500, 500, "error", false},
		"500 after":    {workspace.Error500After, 500, "error", true},
		"html":         {workspace.HTML, 200, "<html>", false},
		"429":          {workspace.TooMany(7 * time.Second), 429, "ratelimited", false},
		"slow":         {workspace.Slow(time.Millisecond), 200, `"ok":true`, true},
		"fails":        {workspace.Fails("fatal_error"), 200, "fatal_error", false},
		"fails after":  {workspace.FailsAfter("internal_error"), 200, "internal_error", true},
	}
	for name, row := range tests {
		t.Run(name, func(t *testing.T) {
			ws := start(t, workspace.Options{})
			ws.Misbehave("chat.postMessage", row.fault, 1)
			status, body, err := call(t.Context(), t, ws, "chat.postMessage", `{"channel":"C0SHOOTS","text":"x"}`)
			require.Equal(t, row.status == 0, err != nil)
			require.Equal(t, row.status, status)
			require.Contains(t, body, row.body)
			require.Equal(t, row.stored, len(ws.Messages("#shoots")) == 1)
			say(t, ws, object{"text": "well again"})
		})
	}
}

func TestDownResetsEverythingUntilUp(t *testing.T) {
	ws := start(t, workspace.Options{})
	ws.Down()
	_, _, err := call(t.Context(), t, ws, "auth.test", "{}")
	require.Error(t, err)
	ws.Up()
	require.Equal(t, true, api(t, ws, "auth.test", nil)["ok"])
}

func TestAHeldCallIsCarriedOutAfterItsCallerLeft(t *testing.T) {
	ws := start(t, workspace.Options{})
	release := ws.Hold("chat.postMessage")
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, _, err := call(ctx, t, ws, "chat.postMessage", `{"channel":"C0SHOOTS","text":"late"}`)
		left <- err
	}()
	eventually(t, func() bool { return len(ws.Requests()) == 1 }, "the call arrives")
	leave()
	require.Error(t, <-left)
	require.Empty(t, ws.Messages("#shoots"))
	release()
	eventually(t, func() bool { return len(ws.Messages("#shoots")) == 1 }, "the call is carried out")
}
