package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// listener is a server that believes what Slack signed, and notes what it heard.
type listener struct {
	*httptest.Server
	mu       sync.Mutex
	triggers map[string]int
	unsigned int
}

func listen(t *testing.T, answer http.HandlerFunc) *listener {
	t.Helper()
	l := &listener{triggers: map[string]int{}}
	l.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		stamp := r.Header.Get("X-Slack-Request-Timestamp")
		signed := err == nil && r.Header.Get("X-Slack-Signature") == workspace.Sign(signingSecret, stamp, body)
		form, _ := url.ParseQuery(string(body))
		l.mu.Lock()
		l.triggers[form.Get("trigger_id")]++
		if !signed {
			l.unsigned++
		}
		l.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(l.Close)
	return l
}

func (l *listener) target() target {
	return target{addr: strings.TrimPrefix(l.URL, "http://"), template: commandTemplate(url.Values{"text": {"help"}, "command": {"/order"}})}
}

func TestEveryRequestIsSignedAndNoTwoAreTheSame(t *testing.T) {
	l := listen(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here is help") })
	to := l.target()
	to.from, to.to, to.wants = 7, 107, []byte("help")
	o := closedLoop(t.Context(), to, 20*time.Second)
	assert.Equal(t, 100, o.answered)
	assert.Zero(t, o.wrong, "%v", o.why)
	assert.Zero(t, l.unsigned)
	assert.Len(t, l.triggers, 100)
	assert.Contains(t, l.triggers, "1234567890123.000000000106.bench")
	assert.Len(t, o.acked, 100)
}

func TestAnAnswerThatIsNotTheRightOneIsWrong(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"another status": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "help", http.StatusServiceUnavailable) },
		"another body":   func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "sorry") },
		"none":           func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			to := listen(t, answer).target()
			to.to, to.wants = 5, []byte("help")
			o := closedLoop(t.Context(), to, 20*time.Second)
			assert.Zero(t, o.answered)
			assert.Equal(t, 5, o.wrong)
			assert.Error(t, o.why)
		})
	}
}

func TestAnOpenLoopSendsAtItsRateWhateverTheServerDoes(t *testing.T) {
	l := listen(t, func(http.ResponseWriter, *http.Request) {})
	o := openLoop(t.Context(), l.target(), 200, time.Second)
	assert.LessOrEqual(t, o.answered, 200)
	assert.Greater(t, o.answered, 100, "on a machine that is busy, too")
	assert.Zero(t, o.wrong, "%v", o.why)
}

func TestAnswersAreReadAsServersWriteThem(t *testing.T) {
	long := strings.Repeat("a long answer, ", 1000)
	l := listen(t, func(w http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); bytes.Contains(body, nil) {
			_, _ = io.WriteString(w, long[:5000]) // in chunks
			w.(http.Flusher).Flush()
			_, _ = io.WriteString(w, long[5000:])
		}
	})
	to := l.target()
	to.to, to.wants = 40, []byte(long)
	o := closedLoop(t.Context(), to, 20*time.Second)
	assert.Equal(t, 40, o.answered, "%v", o.why)
}

func FuzzReadAnswer(f *testing.F) {
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"))
	f.Add([]byte("HTTP/1.1 503 No\r\nContent-Length: -1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		status, body, err := readAnswer(bufio.NewReader(bytes.NewReader(raw)), nil)
		if err != nil {
			return
		}
		assert.LessOrEqual(t, len(body), len(raw), "no more than was sent")
		theirs, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw)), nil)
		if err == nil {
			defer func() { _ = theirs.Body.Close() }()
		}
		if err == nil && theirs.StatusCode >= 200 && strings.HasPrefix(string(raw), "HTTP/1.1 ") && theirs.StatusCode != http.StatusNoContent {
			require.Equal(t, theirs.StatusCode, status)
		}
	})
}
