package bot_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/bot"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const verificationBody = `{"type":"url_verification","challenge":"3eZbrw1a"}`

func TestWhoeverWatchesIsToldThatSlackVerifiedTheURL(t *testing.T) {
	var told []bool
	server := bot.NewServer(secret, bot.NewRouter(nil), nil)
	server.ObserveVerification(func(verified bool) { told = append(told, verified) })
	serve(server, signed(t, bot.PathEvents, "application/json", verificationBody))
	assert.Equal(t, []bool{true}, told)

	body, header := bot.URLVerification(secret, bot.Probe+"1", time.Now())
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, bot.PathEvents, bytes.NewReader(body))
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := serve(server, r)
	assert.Equal(t, http.StatusOK, w.Code)
	assert.Equal(t, bot.Probe+"1", w.Body.String())
	assert.Equal(t, []bool{true}, told, "our own question is not Slack's")
}

// Slack verifies an app made from a manifest before the app has its secret. A flood of such requests is
// one log line a minute.
func TestAVerificationSignedWithAnotherSecretIsSaidOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines logged
		told := 0
		server := bot.NewServer(secret+"?", bot.NewRouter(nil), slog.New(slog.NewTextHandler(&lines, nil)))
		server.ObserveVerification(func(verified bool) { told++; require.False(t, verified) })
		refused := func(body, without string) {
			t.Helper()
			r := signed(t, bot.PathEvents, "application/json", body)
			r.Header.Del(without)
			require.Equal(t, http.StatusUnauthorized, serve(server, r).Code)
		}
		refused(verificationBody, "X-Slack-Signature")
		refused(eventBody, "")
		refused(`{"type":"url_verification","challenge":"`+bot.Probe+`1"}`, "")
		refused(`{"type":"url_verification","challenge":"`+strings.Repeat("x", 5000)+`"}`, "")
		require.Zero(t, told, "no signature at all, no verification, our own, or far too long: that is not Slack")
		for range 1000 {
			refused(verificationBody, "")
		}
		require.Equal(t, 1, told)
		require.Equal(t, 1, strings.Count(lines.String(), "press Retry"))
		require.NotContains(t, lines.String(), secret)
		<-time.After(time.Minute + time.Second)
		refused(verificationBody, "")
		require.Equal(t, 2, told)
		<-time.After(2 * time.Minute) // the refusals' own count ends
	})
}
