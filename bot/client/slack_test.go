package client_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"darkroom/bot/client"

	"github.com/stretchr/testify/require"
)

const token = "xoxb-1-SECRETTOKEN"

// call is one call to the fake Slack.
type call struct {
	Method string
	Form   url.Values
	Body   string
	Query  string
	Header http.Header
}

// answers returns a method's answer: status and body.
type answers map[string]func(c call) (int, string)

func says(status int, body string) func(call) (int, string) {
	return func(call) (int, string) { return status, body }
}

// fakeSlack is a Web API under a path prefix that records its calls.
type fakeSlack struct {
	*httptest.Server
	answers answers
	header  http.Header // sent with every answer
	files   http.HandlerFunc

	mu   sync.Mutex
	seen []call
}

func newSlack(t *testing.T, a answers) *fakeSlack {
	t.Helper()
	f := &fakeSlack{answers: a, header: http.Header{}}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

func (f *fakeSlack) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.files != nil && strings.HasPrefix(r.URL.Path, "/files/") {
		f.files(w, r)
		return
	}
	body, _ := io.ReadAll(r.Body)
	values, _ := url.ParseQuery(string(body))
	c := call{Method: strings.TrimPrefix(r.URL.Path, "/proxy/api/"), Form: values, Body: string(body), Query: r.URL.RawQuery, Header: r.Header}
	f.mu.Lock()
	f.seen = append(f.seen, c)
	answer := f.answers[c.Method]
	f.mu.Unlock()
	if answer == nil {
		answer = says(200, `{"ok":false,"error":"unknown_method"}`)
	}
	status, text := answer(c)
	maps.Copy(w.Header(), f.header)
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}

func (f *fakeSlack) calls(method string) []call {
	f.mu.Lock()
	defer f.mu.Unlock()
	var calls []call
	for _, c := range f.seen {
		if c.Method == method {
			calls = append(calls, c)
		}
	}
	return calls
}

func (f *fakeSlack) client(t *testing.T) *client.Client {
	t.Helper()
	c := client.New(client.Config{Token: token, APIURL: f.URL + "/proxy/api", Rate: 1000, Timeout: 5 * time.Second})
	t.Cleanup(c.Close)
	return c
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}
