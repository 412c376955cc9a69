package client_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
)

// ways are the ways in which Slack is down, or only seems so.
func ways() map[string]struct {
	handler http.HandlerFunc
	away    bool
} {
	answer := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	type way = struct {
		handler http.HandlerFunc
		away    bool
	}
	return map[string]way{
		"503 with a page":          {answer(503, "<html>upstream connect error</html>"), true},
		"200 with a page":          {answer(200, "<!DOCTYPE html><html>Slack is having trouble</html>"), true},
		"500 in its form":          {answer(500, `{"ok":false,"error":"internal_error"}`), true},
		"service_unavailable":      {answer(200, `{"ok":false,"error":"service_unavailable"}`), true},
		"connections reset":        {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, true},
		"a limit":                  {answer(429, `{"ok":false,"error":"ratelimited"}`), false},
		"a channel's error":        {answer(200, `{"ok":false,"error":"channel_not_found"}`), false},
		"a token that was revoked": {answer(200, `{"ok":false,"error":"token_revoked"}`), false},
	}
}

func TestAnOutageOfSlackIsLoggedOnceWhateverItLooksLike(t *testing.T) {
	t.Parallel()
	for name, way := range ways() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var away atomic.Bool
			away.Store(true)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if away.Load() {
					way.handler(w, r)
					return
				}
				_, _ = io.WriteString(w, `{"ok":true,"ts":"1.2"}`)
			}))
			server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
			t.Cleanup(server.Close)
			loggedOnce(t, client.Config{APIURL: server.URL}, &away, way.away)
		})
	}
	t.Run("nobody answers", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			var away atomic.Bool
			away.Store(true)
			loggedOnce(t, client.Config{Wrap: func(http.RoundTripper) http.RoundTripper {
				return slackOf(func(r *http.Request) (int, string) {
					if away.Load() {
						<-r.Context().Done()
						return 0, ""
					}
					return 200, `{"ok":true,"ts":"1.2"}`
				})
			}}, &away, true)
		})
	})
}

// loggedOnce requires one log line each for the start and end of an outage, and none for a false alarm.
func loggedOnce(t *testing.T, cfg client.Config, away *atomic.Bool, isAway bool) {
	t.Helper()
	var log logged
	cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
	c := client.New(cfg)
	defer c.Close()
	level := slog.LevelWarn
	for range 2 {
		for _, call := range []func() error{
			func() error { return c.Messages.React(t.Context(), "C1", "1.1", "x") },
			func() error { _, err := c.People.Channel(t.Context(), "C1"); return err },
		} {
			level = client.LogLevel(call())
		}
	}
	began, over := strings.Count(log.String(), "slack does not answer"), 0
	away.Store(false)
	for range 2 {
		require.NoError(t, c.Messages.Delete(t.Context(), "C1", "1.1"))
	}
	if isAway {
		over = 1
		require.Equal(t, slog.LevelDebug, level, "what waits need not say it again")
	} else {
		require.Equal(t, slog.LevelWarn, level)
	}
	require.Equal(t, over, began, log.String())
	require.Equal(t, over, strings.Count(log.String(), "slack answers again"), log.String())
}

// slackOf is a Slack without a network, for synctest bubbles.
type slackOf func(*http.Request) (status int, body string)

func (s slackOf) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := s(r)
	if status == 0 {
		return nil, &net.OpError{Op: "dial", Err: io.ErrUnexpectedEOF}
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

func TestAnOutageOfSlackThatLastedIsToldWhenItIsOver(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		lasts time.Duration
		only  string // the one method that fails; "" = all do
		told  int
	}{
		"a blip":                     {5 * time.Second, "", 0},
		"not quite ten seconds":      {9 * time.Second, "", 0},
		"more than ten seconds":      {14 * time.Second, "", 1},
		"an hour":                    {time.Hour, "", 1},
		"one method out of order":    {time.Hour, "reactions.add", 0},
		"until the app stops itself": {0, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				away := func() bool { return row.lasts == 0 || time.Since(began) < row.lasts }
				var asked atomic.Int64
				var told [][2]time.Time
				var log logged
				c := client.New(client.Config{
					Log:      slog.New(slog.NewTextHandler(&log, nil)),
					OnOutage: func(_ context.Context, from, to time.Time) { told = append(told, [2]time.Time{from, to}) },
					Wrap: func(http.RoundTripper) http.RoundTripper {
						return slackOf(func(r *http.Request) (int, string) {
							asked.Add(1)
							if away() && (row.only == "" || strings.HasSuffix(r.URL.Path, row.only)) {
								return 0, ""
							}
							return 200, `{"ok":true}`
						})
					},
				})
				for range 4 { // one job, that comes back every second: nobody else asks for anything
					require.Error(t, c.Messages.React(t.Context(), "C1", "1.1", "x"))
					<-time.After(time.Second)
				}
				if row.lasts == 0 {
					c.Close()
				}
				<-time.After(row.lasts + time.Minute)
				synctest.Wait()
				require.Len(t, told, row.told, log.String())
				if row.only != "" {
					require.NotContains(t, log.String(), "slack does not answer", "it does, but for that")
				}
				if row.told > 0 {
					require.Equal(t, began, told[0][0])
					require.InDelta(t, row.lasts.Seconds(), told[0][1].Sub(began).Seconds(), 4, "it is noticed without anybody else asking")
				}
				require.LessOrEqual(t, int(asked.Load()), 4+int(row.lasts/(3*time.Second))+2, "and asked for seldom")
				c.Close()
			})
		})
	}
}
