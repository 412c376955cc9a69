package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/store/storetest"
)

// asSlack signs a body as Slack does, at that time and with that secret.
func asSlack(t *testing.T, path, contentType, body, secret string, at time.Time) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	stamp := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("v0:" + stamp + ":" + body))
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("X-Slack-Request-Timestamp", stamp)
	r.Header.Set("X-Slack-Signature", "v0="+hex.EncodeToString(mac.Sum(nil)))
	return r
}

// What is not Slack's, or not understood, does nothing: its status tells Slack whether to
// try again, no job comes of it, and no secret gets into the log.
func TestForeignRequestsPutNothingAndLogNoSecret(t *testing.T) {
	const (
		form, secret = "application/x-www-form-urlencoded", "s3cret-signing"
		hook         = "https://hooks.slack.com/commands/s3cret-hook"
	)
	command := url.Values{
		"command": {"/order"}, "text": {"message 84521 s3cret-words"}, "team_id": {"T1"}, "user_id": {"U1"}, "channel_id": {"C1"},
		"trigger_id": {"7.s3cret-trigger"}, "response_url": {hook}, "token": {"s3cret-token"},
	}.Encode()
	payload := func(json string) string { return url.Values{"payload": {json}}.Encode() }
	now := time.Now()
	tests := map[string]struct {
		path, contentType, body string
		change                  func(r *http.Request)
		status, jobs            int
	}{
		"a command":           {"/slack/commands", form, command, nil, 200, 1},
		"unsigned":            {"/slack/commands", form, command, func(r *http.Request) { r.Header.Del("X-Slack-Signature") }, 401, 0},
		"undated":             {"/slack/commands", form, command, func(r *http.Request) { r.Header.Del("X-Slack-Request-Timestamp") }, 401, 0},
		"stale":               {"/slack/commands", form, command, resigned(t, command, secret, now.Add(-6*time.Minute)), 401, 0},
		"of the future":       {"/slack/commands", form, command, resigned(t, command, secret, now.Add(6*time.Minute)), 401, 0},
		"of another secret":   {"/slack/commands", form, command, resigned(t, command, "other", now), 401, 0},
		"of an empty secret":  {"/slack/commands", form, command, resigned(t, command, "", now), 401, 0},
		"of another body":     {"/slack/commands", form, command, resigned(t, command+"&x=1", secret, now), 401, 0},
		"oversized":           {"/slack/interactions", form, payload(strings.Repeat("a", 2<<20)), nil, 413, 0},
		"malformed":           {"/slack/interactions", form, payload(`{"response_url":"` + hook + `",`), nil, 400, 0},
		"nested without end":  {"/slack/events", "application/json", strings.Repeat("[", 10_000), nil, 400, 0},
		"nothing":             {"/slack/events", form, "", nil, 400, 0},
		"half a command":      {"/slack/commands", form, "command=%2Forder&token=s3cret-token", nil, 400, 0},
		"of an unknown type":  {"/slack/interactions", form, payload(`{"type":"from_the_future","user":{"id":"U1"},"token":"s3cret-token"}`), nil, 200, 0},
		"an unknown event":    {"/slack/events", "application/json", `{"type":"event_callback","event_id":"E1","token":"s3cret-token","event":{"type":"from_the_future"}}`, nil, 200, 0},
		"an unknown button":   {"/slack/interactions", form, payload(`{"type":"block_actions","user":{"id":"U1"},"response_url":"` + hook + `","actions":[{"action_id":"from_the_future"}]}`), nil, 200, 0},
		"of another kind":     {"/slack/commands", "text/xml", command, nil, 415, 0},
		"at another path":     {"/slack/other", form, command, nil, 404, 0},
		"by another method":   {"/slack/commands", form, command, func(r *http.Request) { r.Method = http.MethodPut }, 405, 0},
		"a check of the TLS":  {"/slack/commands", form, "ssl_check=1&token=s3cret-token", nil, 200, 0},
		"an address to prove": {"/slack/events", "application/json", `{"type":"url_verification","challenge":"c","token":"s3cret-token"}`, nil, 200, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			cfg, err := config.Read(append(working(), "REDIS_URL=redis://"+storetest.Embed(t).Addr(), "LOG_LEVEL=debug"))
			require.NoError(t, err)
			a, err := newApp(cfg, slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), nil)
			require.NoError(t, err)
			mux := a.mux()
			for range 3 { // Slack's retries, and whoever replays what they caught
				r := asSlack(t, test.path, test.contentType, test.body, secret, now)
				if test.change != nil {
					test.change(r)
				}
				w := httptest.NewRecorder()
				mux.ServeHTTP(w, r)
				require.Equal(t, test.status, w.Code, w.Body.String())
				require.NotContains(t, w.Body.String(), "s3cret")
			}
			stats, err := a.own.Queue.Inspector().Stats(t.Context())
			require.NoError(t, err)
			require.Equal(t, test.jobs, stats.Jobs)
			require.NotContains(t, log.String(), "s3cret")
			require.NoError(t, a.own.Router.Wait(t.Context()))
			require.NoError(t, a.close())
		})
	}
}

// resigned signs the request anew, for that body.
func resigned(t *testing.T, body, secret string, at time.Time) func(*http.Request) {
	t.Helper()
	return func(r *http.Request) {
		for _, name := range []string{"X-Slack-Request-Timestamp", "X-Slack-Signature"} {
			r.Header.Set(name, asSlack(t, "/", "", body, secret, at).Header.Get(name))
		}
	}
}
