package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
)

// The health check says whether a click would be taken.
func TestTheAppSaysHowItIs(t *testing.T) {
	redis := miniredis.RunT(t)
	cfg, err := config.Read(append(working(), "REDIS_URL=redis://"+redis.Addr()))
	require.NoError(t, err)
	a, err := newApp(cfg, slog.New(slog.DiscardHandler), nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, a.close()) }()
	mux := a.mux()
	says := func(path string, status int, words string) {
		t.Helper()
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
		require.Equal(t, status, w.Code, w.Body.String())
		require.Contains(t, w.Body.String(), words)
	}
	says("/healthz", http.StatusOK, `"ok"`)
	says("/readyz", http.StatusOK, `"ready"`)
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/heap", "/debug/vars", "/"} {
		says(path, http.StatusNotFound, "404")
	}
	a.ready.redisUsable.at = time.Time{} // a second later
	redis.SetError("OOM command not allowed when used memory > 'maxmemory'.")
	says("/readyz", http.StatusServiceUnavailable, "the memory of Redis is full")
	a.ready.redisUsable.at = time.Time{}
	redis.SetError("LOADING Redis is loading the dataset in memory")
	says("/readyz", http.StatusServiceUnavailable, "Redis does not answer")
	redis.SetError("")
	a.ready.stopping.Store(true)
	says("/readyz", http.StatusServiceUnavailable, "stopping")
	says("/healthz", http.StatusOK, `"ok"`)
}

// What a request says before its body is held for each connection, whoever sends it.
func TestHeadersWeighLittle(t *testing.T) {
	cfg, err := config.Read(append(working(), "REDIS_URL=redis://"+miniredis.RunT(t).Addr()))
	require.NoError(t, err)
	a, err := newApp(cfg, slog.New(slog.DiscardHandler), nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, a.close()) }()
	server := httptest.NewUnstartedServer(nil)
	server.Config = httpServer(a.mux(), a.log)
	server.Start()
	defer server.Close()
	for weight, status := range map[int]int{12 << 10: http.StatusOK, 32 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/healthz", http.NoBody)
		require.NoError(t, err)
		r.Header.Set("X-Filler", strings.Repeat("x", weight))
		resp, err := server.Client().Do(r)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, status, resp.StatusCode, "headers of %d kB", weight>>10)
	}
}

// Anybody may ask whether the app is ready: for as many as ask within a second, Redis is asked once.
func TestAnAnswerOfRedisCountsForASecond(t *testing.T) {
	var l recent
	looks, away := 0, errors.New("away")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	look := func(ctx context.Context) error {
		looks++
		return errors.Join(away, ctx.Err())
	}
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			err := l.ask(gone, look)
			assert.ErrorIs(t, err, away)
			assert.NotErrorIs(t, err, context.Canceled, "it is not for this one alone")
		})
	}
	all.Wait()
	require.Equal(t, 1, looks)
	l.at = l.at.Add(-readyFor)
	require.ErrorIs(t, l.ask(gone, look), away)
	require.Equal(t, 2, looks)
}
