package install_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// asked is one call to the fake Slack.
type asked struct {
	Form  url.Values
	Query string
}

// fakeSlack gives one answer to token requests and records them.
type fakeSlack struct {
	*httptest.Server
	status int
	answer string

	mu   sync.Mutex
	seen []asked
}

func newSlack(t *testing.T, status int, answer string) *fakeSlack {
	t.Helper()
	f := &fakeSlack{status: status, answer: answer}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fakeSlack) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/proxy/api/oauth.v2.access" {
		http.NotFound(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(body))
	f.mu.Lock()
	f.seen = append(f.seen, asked{form, r.URL.RawQuery})
	f.mu.Unlock()
	w.WriteHeader(f.status)
	_, _ = io.WriteString(w, f.answer)
}

func (f *fakeSlack) calls() []asked {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen
}

// hangUp is the URL of a server that closes connections.
func hangUp(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// closedPort is a URL without a listener.
func closedPort(t *testing.T) string {
	t.Helper()
	var config net.ListenConfig
	l, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, l.Close()) }()
	return "http://" + l.Addr().String()
}
