package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cmd/darkroom/config"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// running is an app beside the given Slack, and what its run ended with.
func running(t *testing.T, slack http.Handler, environ ...string) (a *app, addr string, stop context.CancelFunc, ended <-chan error) {
	t.Helper()
	return runningOver(t, slog.New(slog.DiscardHandler), "redis://"+storetest.Embed(t).Addr(), slack, environ...)
}

// runningOver is running over that Redis.
func runningOver(t *testing.T, log *slog.Logger, redisURL string, slack http.Handler, environ ...string) (a *app, addr string, stop context.CancelFunc, ended <-chan error) {
	t.Helper()
	server := httptest.NewServer(slack)
	t.Cleanup(server.CloseClientConnections) // before Close, which waits for them
	t.Cleanup(server.Close)
	environ = append(environ, "REDIS_URL="+redisURL, "SLACK_API_URL="+server.URL+"/api/")
	cfg, err := config.Read(append(working(), environ...))
	require.NoError(t, err)
	a, err = newApp(cfg, log, nil)
	require.NoError(t, err)
	var lc net.ListenConfig
	listener, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	t.Cleanup(stop)
	end := make(chan error, 1)
	go func() { end <- a.run(ctx, listener) }()
	return a, listener.Addr().String(), stop, end
}

// TestStoppingTakesLessThanDockerWaits: neither a client that never finishes its request
// nor a job that Slack never answers holds the app up.
func TestStoppingTakesLessThanDockerWaits(t *testing.T) {
	t.Parallel()
	asked := make(chan struct{}, 100)
	a, addr, stop, ended := running(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	mark, err := json.Marshal(store.Mark{Team: "T1", Channel: "C1", TS: "1.1", Emoji: "x"})
	require.NoError(t, err)
	_, err = a.own.Queue.Put(t.Context(), queue.Job{ID: "mark", Lane: "channel:T1:C1", Kind: store.MarkKind, Body: mark})
	require.NoError(t, err)
	<-asked

	var dialer net.Dialer
	stalled, err := dialer.DialContext(t.Context(), "tcp", addr)
	require.NoError(t, err)
	defer func() { _ = stalled.Close() }()
	_, err = fmt.Fprint(stalled, "POST /slack/commands HTTP/1.1\r\nHo")
	require.NoError(t, err)

	stop()
	select {
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(10 * time.Second):
		t.Fatal("Docker has killed it")
	}
}

func TestAnAppTokenThatMayNotConnectIsNamed(t *testing.T) {
	for code, says := range map[string]string{"missing_scope": "connections:write", "invalid_auth": "SLACK_APP_TOKEN: Slack does not know it"} {
		t.Run(code, func(t *testing.T) {
			var environ []string
			for _, line := range working() {
				if name, _, _ := strings.Cut(line, "="); name == "SLACK_SIGNING_SECRET" {
					environ = append(environ, name+"=") // Socket Mode alone
				}
			}
			_, _, _, ended := running(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				_, _ = fmt.Fprintf(w, `{"ok":false,"error":%q}`, code)
			}), append(environ, "SLACK_APP_TOKEN=xapp-s3cret")...)
			err := <-ended
			require.ErrorContains(t, err, "SLACK_APP_TOKEN")
			require.ErrorContains(t, err, says)
			require.NotContains(t, err.Error(), "s3cret")
		})
	}
}

// TestStoppingWaitsForWhatIsLookedAt: a look is no job that another process would take over, so
// whoever asked before the app was told to stop is answered.
func TestStoppingWaitsForWhatIsLookedAt(t *testing.T) {
	t.Parallel()
	answered := make(chan struct{}, 1)
	asked := make(chan struct{}, 100)
	a, _, stop, ended := running(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/respond" {
			answered <- struct{}{}
			return
		}
		asked <- struct{}{}
		<-time.After(1500 * time.Millisecond)
		_, _ = io.WriteString(w, `{"ok":false,"error":"channel_not_found"}`)
	}))
	reply := a.own.Router.Handle(t.Context(), bot.Request{
		Kind: bot.KindCommand, ID: "T1.1", Name: "/order", Verb: "settings", Text: "settings", TriggerID: "T1.1", Team: "T1", User: "U1", Channel: "C1",
		ResponseURL: strings.TrimSuffix(a.cfg.SlackAPIURL, "/api/") + "/respond", At: time.Now(),
	})
	require.Equal(t, bot.Ack(), reply)
	<-asked
	stop()
	require.NoError(t, <-ended)
	require.Len(t, answered, 1)
}

// logged is what an app says, for tests that read its log.
type logged struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines.String()
}

// TestStoppingWhileRedisIsAwayIsNoFailure: whatever is the matter with Redis, with a job in hand, the app
// ends in time and with success, because nothing is lost, and logs what it leaves to the next replica.
func TestStoppingWhileRedisIsAwayIsNoFailure(t *testing.T) {
	t.Parallel()
	answers := func(says string) func(*miniredis.Miniredis) {
		return func(m *miniredis.Miniredis) { m.SetError(says) }
	}
	for name, leaves := range map[string]func(*miniredis.Miniredis){
		"gone":         (*miniredis.Miniredis).Close,
		"loading":      answers("LOADING Redis is loading the dataset in memory"),
		"cluster down": answers("CLUSTERDOWN The cluster is down"),
		"read-only":    answers("READONLY You can't write against a read only replica."),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := miniredis.RunT(t)
			stopsInTime(t, "redis://"+m.Addr(), func() { leaves(m) })
		})
	}
	t.Run("frozen", func(t *testing.T) {
		t.Parallel()
		s := storetest.Start(t)
		stopsInTime(t, s.URL(), s.Freeze)
		s.Thaw()
	})
}

// stopsInTime stops an app whose Redis has left while Slack kept one of its jobs waiting.
func stopsInTime(t *testing.T, redisURL string, leave func()) {
	t.Helper()
	var log logged
	asked := make(chan struct{}, 100)
	a, _, stop, ended := runningOver(t, slog.New(slog.NewTextHandler(&log, nil)), redisURL, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	mark, err := json.Marshal(store.Mark{Team: "T1", Channel: "C1", TS: "1.1", Emoji: "x"})
	require.NoError(t, err)
	_, err = a.own.Queue.Put(t.Context(), queue.Job{ID: "mark", Lane: "channel:T1:C1", Kind: store.MarkKind, Body: mark})
	require.NoError(t, err)
	<-asked
	leave()
	<-time.After(time.Second) // so that everything notices
	began := time.Now()
	stop()
	select {
	case err := <-ended:
		require.NoError(t, err)
		require.Contains(t, log.String(), "what is left")
		t.Log(time.Since(began))
	case <-time.After(10 * time.Second):
		t.Fatal("Docker has killed it")
	}
}
