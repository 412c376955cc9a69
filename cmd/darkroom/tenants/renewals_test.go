package tenants

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot/install"
	"darkroom/store/tenants"
)

// TestWhatSlackRefusedSurelyIsNotBegun: it is not asked for again and again.
func TestWhatSlackRefusedSurelyIsNotBegun(t *testing.T) {
	t.Parallel()
	for answer, surely := range map[string]bool{
		`{"ok":false,"error":"invalid_refresh_token"}`: true, `{"ok":false,"error":"bad_client_secret"}`: true,
		`{"ok":false,"error":"internal_error"}`: false, `<html>502</html>`: false,
	} {
		slack := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, answer) }))
		t.Cleanup(slack.Close)
		m := &Tokens{oauth: install.NewOAuth(install.OAuthConfig{ClientID: "1.2", ClientSecret: "a client secret", APIURL: slack.URL})}
		_, _, _, err := m.refresh(t.Context(), "xoxe-1-FIRST")
		require.Error(t, err)
		require.Equal(t, surely, errors.Is(err, tenants.ErrRefused), answer)
	}
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	t.Cleanup(busy.Close)
	m := &Tokens{oauth: install.NewOAuth(install.OAuthConfig{ClientID: "1.2", ClientSecret: "a client secret", APIURL: busy.URL})}
	_, _, _, err := m.refresh(t.Context(), "xoxe-1-FIRST")
	require.ErrorIs(t, err, tenants.ErrRefused, "Slack did not look at it")
}
