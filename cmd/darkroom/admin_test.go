package main

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
)

// administered is an app whose operators reach it at the address, and its log.
func administered(t *testing.T, addr string) (*app, *bytes.Buffer, *miniredis.Miniredis) {
	t.Helper()
	redis, log := miniredis.RunT(t), &bytes.Buffer{}
	cfg, err := config.Read(append(working(), "REDIS_URL=redis://"+redis.Addr(), "ADMIN_ADDR="+addr))
	require.NoError(t, err)
	a, err := newApp(cfg, slog.New(slog.NewTextHandler(log, nil)), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.close()) })
	return a, log, redis
}

// asked is what the operators' address answers.
func asked(t *testing.T, a *app, path string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+a.admin.listener.Addr().String()+path, http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(raw)
}

// Operators see the metrics and take profiles at an address of their own.
func TestOperatorsHaveAnAddressOfTheirOwn(t *testing.T) {
	t.Parallel()
	a, log, redis := administered(t, "127.0.0.1:0")
	require.NoError(t, a.admin.listen(t.Context()))
	defer a.admin.serve()()
	require.Contains(t, log.String(), "admin_addr="+a.admin.listener.Addr().String())
	require.NotContains(t, log.String(), "level=WARN")
	for path, says := range map[string]string{
		"/debug/pprof/":                          "goroutine",
		"/debug/pprof/goroutine?debug=1":         "goroutine profile",
		"/debug/pprof/cmdline":                   "",
		"/debug/pprof/profile?seconds=1":         "",
		"/debug/pprof/trace?seconds=0.1":         "",
		"/debug/pprof/symbol?0x400000":           "num_symbols",
		"/debug/pprof/heap?gc=1&debug=1&seconds": "heap profile",
	} {
		status, body := asked(t, a, path)
		require.Equal(t, http.StatusOK, status, path)
		require.Contains(t, body, says, path)
	}
	for _, path := range []string{"/slack/events", "/readyz", "/"} {
		status, _ := asked(t, a, path)
		require.Equal(t, http.StatusNotFound, status, path)
	}
	_, body := asked(t, a, "/metrics")
	for _, line := range []string{
		"darkroom_queue_lanes 0", "darkroom_queue_jobs 0", "darkroom_queue_dead 0", "darkroom_ready 1",
		`darkroom_unsettled_writes{kind="place"} 0`, "darkroom_poll_expected_timestamp_seconds ", `darkroom_build_info{`,
	} {
		require.Contains(t, body, "\n"+line)
	}
	require.NotContains(t, body, "darkroom_credits", "nobody has read them, and there is no limit")

	redis.SetError("LOADING Redis is loading the dataset in memory")
	a.ready.redisUsable.at = time.Time{} // a second later
	status, body := asked(t, a, "/metrics")
	require.Equal(t, http.StatusOK, status, "what does not stand in Redis is shown all the same")
	require.Contains(t, body, "\ndarkroom_ready 0\n")
	require.NotContains(t, body, "darkroom_queue_jobs")
	_, body = asked(t, a, "/metrics") // the first look's own errors may come after they were shown
	require.Regexp(t, `(?m)^darkroom_redis_errors_total\{reason="(refused|timeout)"\} [1-9]`, body)
}

func TestAnOperatorsAddressThatIsTakenNamesTheVariableAndTheWayOut(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, listener.Close()) }()
	a, _, _ := administered(t, listener.Addr().String())
	err = a.admin.listen(t.Context())
	require.ErrorContains(t, err, "ADMIN_ADDR: "+listener.Addr().String()+" is taken")
	require.ErrorContains(t, err, "127.0.0.1:9091")
	require.ErrorContains(t, err, `"off"`)
}

func TestAnAppMayHaveNoOperatorsAddress(t *testing.T) {
	a, log, _ := administered(t, "off")
	require.NoError(t, a.admin.listen(t.Context()))
	require.Nil(t, a.admin.listener)
	require.Empty(t, log.String())
	a.admin.serve()()
}

func TestWhoeverLetsOthersReachTheOperatorsAddressIsWarned(t *testing.T) {
	a, log, _ := administered(t, "0.0.0.0:0")
	require.NoError(t, a.admin.listen(t.Context()))
	require.Equal(t, 1, strings.Count(log.String(), "level=WARN"))
	require.NoError(t, a.admin.listener.Close())
}

func TestAnEmptyOperatorsAddressIsTheUsualOne(t *testing.T) {
	cfg, err := config.Read(append(working(), "ADMIN_ADDR="))
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:9090", cfg.AdminAddr)
}

// Anybody may ask whether the app is ready, as often as they like, also while it is not.
func TestAsManyProbesAsComeAreOneLineOfTheLog(t *testing.T) {
	a, log, redis := administered(t, "off")
	redis.SetError("LOADING Redis is loading the dataset in memory")
	for range 10 {
		require.False(t, a.ready.isReady(t.Context()))
		w := &discarded{header: http.Header{}}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", http.NoBody)
		require.NoError(t, err)
		a.mux().ServeHTTP(w, r)
		require.Equal(t, http.StatusServiceUnavailable, w.status)
	}
	require.LessOrEqual(t, strings.Count(log.String(), "not ready"), 2, "ten probes take two seconds")
}

// discarded is an answer that nobody reads.
type discarded struct {
	header http.Header
	status int
}

func (d *discarded) Header() http.Header         { return d.header }
func (d *discarded) WriteHeader(status int)      { d.status = status }
func (d *discarded) Write(p []byte) (int, error) { return len(p), nil }
