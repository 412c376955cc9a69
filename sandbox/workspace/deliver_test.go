package workspace_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// The vector of docs.slack.dev/authentication/verifying-requests-from-slack.
const slacksExample = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar" +
	"&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J" +
	"%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c"

func TestTheSignatureIsSlacks(t *testing.T) {
	require.Equal(t, "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
		workspace.Sign("8f742231b10e8888abcd99yyyzzz85a5", "1531420618", []byte(slacksExample)))
}

func signatureHolds(h heard, secret string) bool {
	return h.header.Get("X-Slack-Signature") == workspace.Sign(secret, h.header.Get("X-Slack-Request-Timestamp"), h.body)
}

func TestDeliveriesAreSignedUnlessTamperedWith(t *testing.T) {
	ws := start(t, workspace.Options{SigningSecret: "s3cret"})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	command := func() heard {
		require.NoError(t, maria.Command("#shoots", "/order"))
		return a.last()
	}
	require.True(t, signatureHolds(command(), "s3cret"))
	ws.Tamper(workspace.Unsigned, 1)
	require.Empty(t, command().header.Get("X-Slack-Signature"))
	ws.Tamper(workspace.WrongSecret, 1)
	require.False(t, signatureHolds(command(), "s3cret"))
	ws.Tamper(workspace.Stale, 1)
	stale := command()
	require.True(t, signatureHolds(stale, "s3cret"))
	at, _ := strconv.ParseInt(stale.header.Get("X-Slack-Request-Timestamp"), 10, 64)
	require.Greater(t, time.Since(time.Unix(at, 0)), 5*time.Minute)
	ws.Tamper(workspace.LoseAck, 1)
	command()
	require.Contains(t, last(ws.Ephemerals("maria")).Text, "operation_timeout")
	require.True(t, signatureHolds(command(), "s3cret"))
}

func last[T any](all []T) T { return all[len(all)-1] }

func TestAReplayIsByteIdentical(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, func(heard) (int, string) { return 200, `{"text":"hello"}` })
	require.NoError(t, ws.Window("maria").Command("#shoots", "/order"))
	again := ws.Replay(last(ws.Deliveries()))
	require.Equal(t, 200, again.Status)
	heard := a.all()
	require.Equal(t, heard[0].body, heard[1].body)
	require.Equal(t, heard[0].header.Get("X-Slack-Request-Timestamp"), heard[1].header.Get("X-Slack-Request-Timestamp"))
	require.Len(t, ws.Ephemerals("maria"), 1, "nobody sees the answer to a replay")
}

func TestCommandsCarrySlacksFields(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	require.NoError(t, ws.Window("maria").Command("#studio", "/order new https://a/b.jpg"))
	h := a.last()
	require.Equal(t, "/slack/commands", h.path)
	for key, want := range map[string]string{
		"command": "/order", "text": "new https://a/b.jpg", "user_id": "U0MARIA", "user_name": "maria", "team_id": "T0SANDBOX",
		"channel_id": "C0STUDIO", "channel_name": "privategroup", "api_app_id": "A0DARKROOM", "is_enterprise_install": "false",
	} {
		require.Equal(t, want, h.form.Get(key), key)
	}
	require.Contains(t, h.form.Get("response_url"), ws.URL())
	require.ErrorIs(t, ws.Window("tom").Command("#studio", "/order"), workspace.ErrNotMember)
}

func TestAnswersToCommands(t *testing.T) {
	tests := map[string]struct {
		status    int
		answer    string
		want      string
		public    bool
		violation bool
	}{
		"nothing":       {200, "", "", false, false},
		"ephemeral":     {200, `{"text":"only you"}`, "only you", false, false},
		"in channel":    {200, `{"response_type":"in_channel","text":"all"}`, "all", true, false},
		"broken blocks": {200, `{"text":"x","blocks":[{"type":"section"}]}`, "dispatch_failed", false, true},
		"broken JSON":   {200, `{"text":`, "dispatch_failed", false, true},
		"an error":      {500, ``, "http_service_error", false, false},
	}
	for name, row := range tests {
		t.Run(name, func(t *testing.T) {
			ws := start(t, workspace.Options{})
			listen(t, ws, func(heard) (int, string) { return row.status, row.answer })
			require.NoError(t, ws.Window("maria").Command("#shoots", "/order"))
			var said []string
			for _, m := range append(ws.Ephemerals("maria"), ws.Messages("#shoots")...) {
				require.Equal(t, row.public, !m.Ephemeral)
				said = append(said, m.Text)
			}
			require.Contains(t, strings.Join(said, " "), row.want)
			require.Equal(t, row.violation, len(ws.Violations()) == 1)
		})
	}
}

func TestAMissedAcknowledgementIsShownToThePerson(t *testing.T) {
	ws := start(t, workspace.Options{AckLimit: 20 * time.Millisecond})
	release := make(chan struct{})
	listen(t, ws, func(heard) (int, string) { <-release; return 200, "" })
	defer close(release)
	require.NoError(t, ws.Window("maria").Command("#shoots", "/order"))
	require.Contains(t, ws.Ephemerals("maria")[0].Text, "operation_timeout")
	require.ErrorIs(t, last(ws.Deliveries()).Err, workspace.ErrTimeout)
}

func TestEventsAreRetriedThreeTimes(t *testing.T) {
	ws := start(t, workspace.Options{EventRetries: []time.Duration{0, time.Millisecond, time.Millisecond}})
	a := listen(t, ws, func(heard) (int, string) { return 500, "" })
	require.NoError(t, ws.Window("maria").Say("#shoots", "", "hello"))
	eventually(t, func() bool { return len(a.all()) == 4 }, "one delivery and three retries")
	for i, h := range a.all() {
		require.Equal(t, a.all()[0].json["event_id"], h.json["event_id"])
		require.Equal(t, map[bool]string{true: strconv.Itoa(i)}[i > 0], h.header.Get("X-Slack-Retry-Num"))
		require.Equal(t, map[bool]string{true: "http_error"}[i > 0], h.header.Get("X-Slack-Retry-Reason"))
	}
}

func TestALostAcknowledgementIsRetriedAsATimeout(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	ws.Tamper(workspace.LoseAck, 1)
	require.NoError(t, ws.Window("maria").Say("#shoots", "", "hello"))
	eventually(t, func() bool { return len(a.all()) == 2 }, "one retry")
	require.Equal(t, "http_timeout", a.all()[1].header.Get("X-Slack-Retry-Reason"))
}

func TestNoRetryIsHonoured(t *testing.T) {
	ws := start(t, workspace.Options{EventRetries: []time.Duration{0}})
	var heard atomic.Int32
	a := listen(t, ws, nil)
	a.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		heard.Add(1)
		rw.Header().Set("X-Slack-No-Retry", "1")
		rw.WriteHeader(http.StatusInternalServerError)
	})
	maria := ws.Window("maria")
	require.NoError(t, maria.Say("#shoots", "", "one"))
	require.NoError(t, maria.Say("#shoots", "", "two"))
	eventually(t, func() bool { return len(ws.Deliveries()) == 2 }, "two events")
	require.EqualValues(t, 2, heard.Load())
}

func TestWhatTheAppHearsOf(t *testing.T) {
	ws := start(t, workspace.Options{})
	a := listen(t, ws, nil)
	maria := ws.Window("maria")
	require.NoError(t, maria.Say("#weddings", "", "the app is not here"))
	require.NoError(t, maria.Say("#shoots", "", "a < b, @darkroom"))
	eventually(t, func() bool { return len(a.events("app_mention")) == 1 }, "the mention")
	require.Len(t, a.events("message"), 1, "only where the app is a member; the mention comes twice")
	heard := a.events("message")[0]
	require.Equal(t, "a &lt; b, <@U0DARKROOM>", heard["text"])
	require.Equal(t, "channel", heard["channel_type"])

	ts := ws.Messages("#shoots")[0].TS
	require.NoError(t, maria.EditMessage("C0SHOOTS", ts, "other words"))
	ws.Unfurl("#shoots", ts)
	ws.Invite("#weddings", "darkroom")
	maria.OpenHome()
	eventually(t, func() bool { return len(a.events("app_home_opened")) == 1 }, "the home")
	require.Len(t, a.events("member_joined_channel"), 1)
	changed := a.events("message")[1]
	require.Equal(t, "message_changed", changed["subtype"])
	require.Equal(t, "other words", changed["message"].(object)["text"])
	require.Equal(t, "a &lt; b, <@U0DARKROOM>", changed["previous_message"].(object)["text"])
	unfurled := a.events("message")[2]
	require.Equal(t, unfurled["message"].(object)["text"], unfurled["previous_message"].(object)["text"])
}
