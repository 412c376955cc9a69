package client_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"darkroom/bot/client"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// always answers without a network. In a synctest bubble, real connections would stop the clock.
type always string

func (a always) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(string(a))), Request: r}, nil
}

// carried sets the transport of a client.
func carried(t http.RoundTripper) func(http.RoundTripper) http.RoundTripper {
	return func(http.RoundTripper) http.RoundTripper { return t }
}

func contextWithTimeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithTimeout(t.Context(), d)
}

// people is a Slack where every way to notify a person works.
func people() answers {
	return answers{
		"hook/SECRET":        says(200, "ok"),
		"chat.postEphemeral": says(200, `{"ok":true,"message_ts":"1.2"}`),
		"conversations.open": says(200, `{"ok":true,"channel":{"id":"D1"}}`),
		"chat.postMessage":   says(200, `{"ok":true,"ts":"1.2"}`),
	}
}

func TestAPersonIsToldByTheBestWayThatWorks(t *testing.T) {
	no := func(code string) func(call) (int, string) { return says(200, `{"ok":false,"error":"`+code+`"}`) }
	tests := map[string]struct {
		broken  answers
		channel string
		want    string // the last way that was tried
	}{
		"by response url":            {nil, "C1", "hook/SECRET"},
		"a used response url":        {answers{"hook/SECRET": says(404, `{"ok":false,"error":"used_url"}`)}, "C1", "chat.postEphemeral"},
		"an expired response url":    {answers{"hook/SECRET": says(410, "gone")}, "C1", "chat.postEphemeral"},
		"a response url in doubt":    {answers{"hook/SECRET": says(500, "<html>")}, "C1", "chat.postEphemeral"},
		"not in the channel":         {answers{"hook/SECRET": says(404, ""), "chat.postEphemeral": no("user_not_in_channel")}, "C1", "chat.postMessage"},
		"the app not in the channel": {answers{"hook/SECRET": says(404, ""), "chat.postEphemeral": no("not_in_channel")}, "C1", "chat.postMessage"},
		"nowhere in particular":      {answers{"hook/SECRET": says(404, "")}, "", "chat.postMessage"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := newSlack(t, people())
			maps.Copy(f.answers, tt.broken)
			where := client.Recipient{Channel: tt.channel, User: "U1", ResponseURL: f.URL + "/proxy/api/hook/SECRET", Thread: "1.1"}
			require.NoError(t, f.client(t).Messages.Notify(t.Context(), where, "Done.", slack.NewDividerBlock()))
			last := ""
			for _, way := range []string{"hook/SECRET", "chat.postEphemeral", "chat.postMessage"} {
				if len(f.calls(way)) > 0 {
					last = way
				}
			}
			assert.Equal(t, tt.want, last)
		})
	}
}

func TestTellSaysTheSameByEveryWay(t *testing.T) {
	f := newSlack(t, people())
	c := f.client(t)
	hook := f.URL + "/proxy/api/hook/SECRET"
	for _, where := range []client.Recipient{{User: "U1", ResponseURL: hook, Thread: "1.1"}, {User: "U1", Channel: "C1", Thread: "1.1"}, {User: "U1"}} {
		require.NoError(t, c.Messages.Notify(t.Context(), where, "Done."))
	}
	assert.JSONEq(t, `{"response_type":"ephemeral","text":"Done.","thread_ts":"1.1","replace_original":false}`, f.calls("hook/SECRET")[0].Body)
	assert.Empty(t, f.calls("hook/SECRET")[0].Header.Get("Authorization"))
	shown := f.calls("chat.postEphemeral")[0].Form
	assert.Equal(t, []string{"C1", "U1", "1.1", "Done."}, []string{shown.Get("channel"), shown.Get("user"), shown.Get("thread_ts"), shown.Get("text")})
	assert.Equal(t, "Done.", f.calls("chat.postMessage")[0].Form.Get("text"))
}

func TestWhatNoOtherWayWouldCureEndsAtOnce(t *testing.T) {
	for code, class := range map[string]error{"invalid_blocks": client.ErrPayload, "token_revoked": client.ErrToken} {
		f := newSlack(t, people())
		f.answers["chat.postEphemeral"] = says(200, `{"ok":false,"error":"`+code+`"}`)
		assertClass(t, f.client(t).Messages.Notify(t.Context(), client.Recipient{Channel: "C1", User: "U1"}, "x"), class)
		assert.Empty(t, f.calls("chat.postMessage"))
	}
}

func TestNobodyReachedIsAnError(t *testing.T) {
	f := newSlack(t, answers{"conversations.open": says(200, `{"ok":false,"error":"user_not_found"}`)})
	assertClass(t, f.client(t).Messages.Notify(t.Context(), client.Recipient{User: "U1"}, "x"), client.ErrNoUser)
}

func TestARepliesURLAnswersInManyForms(t *testing.T) {
	tests := map[string]struct {
		status int
		body   string
		want   error
	}{
		"ok":               {200, "ok", nil},
		"json":             {200, `{"ok":true}`, nil},
		"nothing":          {200, "", nil},
		"used":             {404, `{"ok":false,"error":"used_url"}`, client.ErrGone},
		"expired":          {200, "expired_url", client.ErrGone},
		"no longer there":  {404, "Not Found", client.ErrGone},
		"refused":          {400, "invalid_blocks", client.ErrPayload},
		"refused, in json": {200, `{"ok":false,"error":"invalid_blocks"}`, client.ErrPayload},
		"in doubt":         {500, "<html>", client.ErrUnknownOutcome},
		"another page":     {200, "<html>", client.ErrUnknownOutcome},
		"limited":          {429, "", client.ErrTryLater},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := newSlack(t, answers{"hook/SECRET": says(tt.status, tt.body)})
			err := f.client(t).Messages.Respond(t.Context(), f.URL+"/proxy/api/hook/SECRET", "x")
			assert.JSONEq(t, `{"response_type":"ephemeral","text":"x","replace_original":true}`, f.calls("hook/SECRET")[0].Body)
			if tt.want == nil {
				require.NoError(t, err)
				return
			}
			assertClass(t, err, tt.want)
		})
	}
	t.Run("not a url", func(t *testing.T) {
		assertClass(t, newSlack(t, nil).client(t).Messages.Respond(t.Context(), "http://SECRET\x7f", "x"), client.ErrGone)
	})
	t.Run("an unwritable block", func(t *testing.T) {
		err := newSlack(t, nil).client(t).Messages.Respond(t.Context(), "http://x", "x", slack.RawJSONBlock{})
		require.Error(t, err)
		assertNoSecret(t, err)
	})
}

// A forged request can name any response URL, so the message must not leave Slack.
func TestNothingIsSaidToAForeignResponseURL(t *testing.T) {
	foreign := newSlack(t, answers{"hook/SECRET": says(200, "ok")})
	f := newSlack(t, people())
	c := f.client(t)
	for _, to := range []string{
		foreign.URL + "/hook/SECRET", "http://169.254.169.254/latest", "http://hooks.slack.com/commands/x",
		"https://hooks.slack.com.example.com/x", "https://u:p@hooks.slack.com/x", "https://hooks.slack.com:8443/x", "::",
	} {
		assertClass(t, c.Messages.Respond(t.Context(), to, "x"), client.ErrGone)
	}
	assert.Empty(t, foreign.calls("hook/SECRET"))
	require.NoError(t, c.Messages.Notify(t.Context(), client.Recipient{Channel: "C1", User: "U1", ResponseURL: foreign.URL + "/hook/SECRET"}, "x"))
	assert.Len(t, f.calls("chat.postEphemeral"), 1, "they are told another way")
}
