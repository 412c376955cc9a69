package client_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"darkroom/bot/client"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhetherATokenOpensSockets(t *testing.T) {
	for answer, want := range map[string]error{
		`{"ok":true,"url":"ws://127.0.0.1:1/link"}`:                             nil,
		`{"ok":false,"error":"invalid_auth"}`:                                   client.ErrToken,
		`{"ok":false,"error":"missing_scope","needed":"connections:write"}`:     client.ErrMissingScope,
		`{"ok":true,"url":"http://not-a-socket.example.com"}`:                   client.ErrTryLater,
		`{"ok":false,"error":"not_allowed_token_type"}`:                         client.ErrToken,
		`{"ok":false,"error":"something_that_nobody_has_ever_heard_of_before"}`: nil,
	} {
		slack := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, "Bearer xapp-1", r.Header.Get("Authorization"))
			assert.Equal(t, "/api/apps.connections.open", r.URL.Path, "and nothing is dialled")
			_, _ = io.WriteString(w, answer)
		}))
		err := client.OpensSockets(t.Context(), "xapp-1", slack.URL+"/api/", time.Second)
		slack.Close()
		switch {
		case strings.Contains(answer, "nobody"):
			require.Error(t, err)
		case want == nil:
			require.NoError(t, err)
		default:
			require.ErrorIs(t, err, want, answer)
		}
	}
}
