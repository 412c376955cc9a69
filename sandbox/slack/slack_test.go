package slack_test

import (
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/slack"
	"darkroom/sandbox/workspace"
)

func TestACallReachesTheWorkspaceOfItsTokenThoughAllIDsAreEqual(t *testing.T) {
	w := start(t)
	one, two := w.add("T1"), w.add("T2")
	require.NotEqual(t, one, two)
	require.Equal(t, "T1", w.call("auth.test", one)["team_id"])
	require.Equal(t, "T2", w.call("auth.test", two)["team_id"])

	said := w.call("chat.postMessage", one, "channel", "C0SHOOTS", "text", "for the studio")
	require.Equal(t, true, said["ok"], "%v", said)
	require.Len(t, w.Workspace("T1").Messages("C0SHOOTS"), 1)
	require.Empty(t, w.Workspace("T2").Messages("C0SHOOTS"))
	ts := said["ts"].(string)
	require.Equal(t, "message_not_found", w.call("chat.update", two, "channel", "C0SHOOTS", "ts", ts, "text", "x")["error"])
	require.Equal(t, "T1", w.call("auth.test", "", "token", one)["team_id"], "also from the body")
	require.Len(t, w.Workspace("T1").Violations(), 1, "which is frowned upon")
	require.Len(t, w.Workspace("T2").Requests(), 2, "auth.test, and the edit")
}

func TestATokenThatIsWorthNothingIsAnsweredAsSlackDoes(t *testing.T) {
	w := start(t, func(o *slack.Options) { o.App.Rotation = true })
	gone, live := w.add("T1"), w.add("T2")
	require.Equal(t, "not_authed", w.word(""))
	require.Equal(t, "invalid_auth", w.word("xoxb-guess"))
	require.Equal(t, "unknown_method", w.call("oauth.v3.access", live)["error"])
	require.NoError(t, w.RemoveApp("T1"))
	require.Equal(t, "account_inactive", w.word(gone))
	require.Nil(t, w.word(live))
	require.Equal(t, true, w.call("auth.revoke", live)["revoked"])
	require.Equal(t, "token_revoked", w.word(live))
	require.True(t, w.Workspace("T2").Installed(), "with rotation one token is not all there is")
}

func TestWhatIsHeardSaysWhoseItIsAndIsSigned(t *testing.T) {
	w := start(t)
	w.add("T1")
	w.add("T2")
	for _, team := range []string{"T1", "T2"} {
		maria := w.Workspace(team).Window("maria")
		require.NoError(t, maria.Command("shoots", "/order new"))
		require.NoError(t, maria.Say("shoots", "", "hello from "+team))
		maria.Shortcut("new", workspace.Once)
	}
	commands := w.all("/slack/commands")
	require.Len(t, commands, 2)
	require.Equal(t, []string{"T1", "T2"}, []string{commands[0].form.Get("team_id"), commands[1].form.Get("team_id")})
	require.Equal(t, commands[0].form.Get("channel_id"), commands[1].form.Get("channel_id"), "all else is equal")
	require.NotEqual(t, commands[0].form.Get("trigger_id"), commands[1].form.Get("trigger_id"))
	require.NotEqual(t, commands[0].form.Get("response_url"), commands[1].form.Get("response_url"))
	interactions := w.all("/slack/interactions")
	require.Equal(t, "T1", interactions[0].json["team"].(object)["id"])
	require.Equal(t, "T2", interactions[1].json["team"].(object)["id"])

	w.eventually(func() bool { return len(w.events("message")) == 2 }, "events")
	ids := map[any]bool{}
	for _, event := range w.events("message") {
		team := event["team_id"]
		require.Equal(t, "hello from "+team.(string), event["event"].(object)["text"])
		require.Equal(t, "A0DARKROOM", event["api_app_id"])
		require.Equal(t, []any{object{
			"enterprise_id": nil, "team_id": team, "user_id": "U0DARKROOM", "is_bot": true, "is_enterprise_install": false,
		}}, event["authorizations"])
		ids[event["event_id"]] = true
	}
	require.Len(t, ids, 2, "event ids are unique everywhere")
	for _, path := range []string{"/slack/commands", "/slack/interactions", "/slack/events"} {
		for _, h := range w.all(path) {
			at := h.header.Get("X-Slack-Request-Timestamp")
			require.Equal(t, workspace.Sign("8f742231b10e8888abcd99yyyzzz85a5", at, h.body), h.header.Get("X-Slack-Signature"))
		}
	}
}

func TestResponseURLsAndFilesBelongToOneWorkspace(t *testing.T) {
	w := start(t)
	one, two := w.add("T1"), w.add("T2")
	for _, team := range []string{"T1", "T2"} {
		require.NoError(t, w.Workspace(team).Window("maria").Command("shoots", "/order"))
		require.NoError(t, w.Workspace(team).Window("maria").Say("shoots", "", "", workspace.Upload{Name: "a.txt", Content: []byte("of " + team)}))
	}
	second := w.all("/slack/commands")[1].form.Get("response_url")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, second, body(`{"text":"just for you"}`))
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Empty(t, w.Workspace("T1").Ephemerals("maria"))
	require.Len(t, w.Workspace("T2").Ephemerals("maria"), 1)

	messages := w.call("conversations.history", two, "channel", "C0SHOOTS")["messages"].([]any)
	address := messages[0].(object)["files"].([]any)[0].(object)["url_private"].(string)
	require.Equal(t, "of T2", w.download(address, two))
	require.Contains(t, w.download(address, one), "Sign in to Slack")
}

func TestUploadsGoToTheWorkspaceThatAsked(t *testing.T) {
	w := start(t)
	one, two := w.add("T1"), w.add("T2")
	for _, token := range []string{one, two} {
		out := w.call("files.getUploadURLExternal", token, "filename", "a.txt", "length", "3")
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, out["upload_url"].(string), body("abc"))
		require.NoError(t, err)
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusOK, answer.StatusCode)
		id := out["file_id"].(string)
		done := w.call("files.completeUploadExternal", token, "files", `[{"id":"`+id+`"}]`, "channel_id", "C0SHOOTS")
		require.Equal(t, true, done["ok"], "%v", done)
	}
	for _, team := range []string{"T1", "T2"} {
		require.Len(t, w.Workspace(team).Messages("C0SHOOTS"), 1)
	}
}

func TestWithoutTheAppItsCommandsDoNotExist(t *testing.T) {
	w := start(t)
	maria := w.Workspace("T1").Window("maria")
	require.NoError(t, maria.Command("shoots", "/order new"))
	require.Empty(t, w.all("/slack/commands"))
	said := w.Workspace("T1").Ephemerals("maria")
	require.Len(t, said, 1)
	require.Contains(t, said[0].Text, "/order is not a valid command")
	maria.OpenHome()
	maria.Shortcut("new", workspace.Once)
	require.Empty(t, w.all("/slack/interactions"))
	require.Empty(t, w.Workspace("T1").DirectMessage("maria").ID)
}

func TestTheAppIsTakenAwayAndToldInAnyOrder(t *testing.T) {
	tests := map[string][]string{
		"in one order": {"app_uninstalled", "tokens_revoked"},
		"in the other": {"tokens_revoked", "app_uninstalled"},
		"twice":        {"app_uninstalled", "tokens_revoked", "app_uninstalled", "tokens_revoked"},
		"half":         {"tokens_revoked"},
	}
	for name, told := range tests {
		t.Run(name, func(t *testing.T) {
			w := start(t)
			token := w.add("T1")
			w.add("T2")
			require.NoError(t, w.RemoveApp("T1", told...))
			require.NoError(t, w.Workspace("T1").Window("maria").Say("shoots", "", "nobody hears this"))
			goodbyes := func() (kinds []string) {
				for _, h := range w.all("/slack/events") {
					if kind := h.json["event"].(object)["type"].(string); kind != "member_joined_channel" {
						kinds = append(kinds, kind)
					}
				}
				return kinds
			}
			w.eventually(func() bool { return len(goodbyes()) == len(told) }, "events")
			require.Equal(t, told, goodbyes())
			for _, event := range slices.Concat(w.events("tokens_revoked"), w.events("app_uninstalled")) {
				require.Equal(t, "T1", event["team_id"])
				require.Nil(t, event["authorizations"], "nobody is authorised any more")
			}
			if revoked := w.events("tokens_revoked"); len(revoked) > 0 {
				require.Equal(t, object{"oauth": []any{}, "bot": []any{"U0DARKROOM"}}, revoked[0]["event"].(object)["tokens"])
			}
			require.Equal(t, "account_inactive", w.word(token))
			require.True(t, w.Workspace("T1").User("darkroom").Deleted)
			require.False(t, w.Workspace("T1").Channel("shoots").Has("U0DARKROOM"))
			require.True(t, w.Workspace("T2").Channel("shoots").Has("U0DARKROOM"), "elsewhere it stays")
			require.Error(t, w.RemoveApp("T1"))
		})
	}
}

func TestTheAppComesBackWithAnotherTokenAndPerhapsAnotherBot(t *testing.T) {
	for _, other := range []bool{false, true} {
		t.Run(strconv.FormatBool(other), func(t *testing.T) {
			w := start(t, func(o *slack.Options) { o.App.OtherBotUser = other })
			first := w.install("Olga at Studio", "scope", "commands,chat:write")
			dm := w.Workspace("T1").DirectMessage("maria").ID
			require.NoError(t, w.RemoveApp("T1"))
			second := w.install("Olga at Studio", "scope", "commands")
			require.NotEqual(t, tokenOf(first), tokenOf(second))
			require.Equal(t, "commands", second["scope"], "scopes begin anew")
			require.Equal(t, "account_inactive", w.word(tokenOf(first)))
			require.Nil(t, w.word(tokenOf(second)))
			require.Equal(t, other, first["bot_user_id"] != second["bot_user_id"])
			require.Equal(t, second["bot_user_id"], w.Workspace("T1").User("darkroom").ID)
			require.False(t, w.Workspace("T1").User("darkroom").Deleted)
			require.Equal(t, other, dm != w.Workspace("T1").DirectMessage("maria").ID)
		})
	}
}

func TestTheAppTakesItselfAway(t *testing.T) {
	w := start(t)
	token := w.add("T1")
	require.Equal(t, "bad_client_secret", w.call("apps.uninstall", token, "client_id", clientID, "client_secret", "x")["error"])
	require.Equal(t, "invalid_auth", w.call("apps.uninstall", "xoxb-guess", "client_id", clientID, "client_secret", secret)["error"])
	require.Equal(t, true, w.call("apps.uninstall", token, "client_id", clientID, "client_secret", secret)["ok"])
	require.False(t, w.Workspace("T1").Installed())
	w.eventually(func() bool { return len(w.events("app_uninstalled")) == 1 && len(w.events("tokens_revoked")) == 1 }, "events")

	again := w.add("T1")
	require.Equal(t, false, w.call("auth.revoke", again, "test", "true")["revoked"])
	require.True(t, w.Workspace("T1").Installed())
	require.Equal(t, true, w.call("auth.revoke", again)["revoked"])
	require.False(t, w.Workspace("T1").Installed(), "its last token was all it had")
}

func TestOAuthMisbehavesOnDemand(t *testing.T) {
	w := start(t, func(o *slack.Options) { o.App.Rotation = true })
	refresh := w.install("Olga at Studio")["refresh_token"].(string)
	w.Desk().Misbehave("oauth.v2.access", workspace.FailsAfter("internal_error"), 1)
	require.Equal(t, "internal_error", w.exchange("grant_type", "refresh_token", "refresh_token", refresh)["error"])
	require.Equal(t, true, w.exchange("grant_type", "refresh_token", "refresh_token", refresh)["ok"], "it was done, and may be done again")
	require.True(t, slices.ContainsFunc(w.Desk().Requests(), func(r workspace.Request) bool { return r.Method == "oauth.v2.access" }))
}

func TestReadingIsSlowForAnAppOutsideTheMarketplaceInEachWorkspace(t *testing.T) {
	for _, listed := range []bool{false, true} {
		w := start(t, func(o *slack.Options) { o.App.Listed = listed })
		one, two := w.add("T1"), w.add("T2")
		reads := func(token string) any { return w.call("conversations.history", token, "channel", "C0SHOOTS")["error"] }
		require.Nil(t, reads(one))
		if listed {
			require.Nil(t, reads(one))
			continue
		}
		require.Equal(t, "ratelimited", reads(one))
		require.Nil(t, reads(two), "the limit is each workspace's")
		w.pass(time.Minute)
		require.Nil(t, reads(one))
	}
}
