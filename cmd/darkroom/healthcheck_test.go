package main

import (
	"bytes"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// healthcheckOf plays "darkroom healthcheck" beside an app that answers so.
func healthcheckOf(t *testing.T, listen string, status int) (code int, says string) {
	t.Helper()
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/readyz" {
			status = http.StatusNotFound
		}
		answer(w, status, "what it says")
	}))
	defer app.Close()
	_, port, err := net.SplitHostPort(app.Listener.Addr().String())
	require.NoError(t, err)
	var out bytes.Buffer
	addr := strings.ReplaceAll(listen, "PORT", port)
	code = run(t.Context(), []string{"healthcheck"}, []string{"LISTEN_ADDR=" + addr, "HTTP_PROXY=http://127.0.0.1:1"}, nil, &out, &out)
	return code, out.String()
}

func TestHealthcheckAsksTheAppBesideIt(t *testing.T) {
	t.Parallel()
	for _, listen := range []string{"127.0.0.1:PORT", ":PORT", "0.0.0.0:PORT", "[::]:PORT"} {
		t.Run(listen, func(t *testing.T) {
			t.Parallel()
			code, says := healthcheckOf(t, listen, http.StatusOK)
			require.Zero(t, code, says)
			require.Contains(t, says, "what it says")
		})
	}
}

func TestHealthcheckFailsWhileTheAppIsNotReady(t *testing.T) {
	t.Parallel()
	code, says := healthcheckOf(t, "127.0.0.1:PORT", http.StatusServiceUnavailable)
	require.Equal(t, 1, code)
	require.Contains(t, says, "not ready (503)")
	require.Contains(t, says, "what it says")
}

func TestHealthcheckFailsWhereNothingListens(t *testing.T) {
	t.Parallel()
	code, says := healthcheckOf(t, "127.0.0.1:1", http.StatusOK)
	require.Equal(t, 1, code)
	require.Contains(t, says, "does not answer")
}
