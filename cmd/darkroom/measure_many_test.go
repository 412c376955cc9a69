package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/sandbox/crowd"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// Operators of an app for many workspaces are told of the jobs of all: one shard's dead letter is enough for an alert.
func TestTheMetricsAreThoseOfAllWorkspaces(t *testing.T) {
	t.Parallel()
	world, err := crowd.Start(crowd.Options{})
	require.NoError(t, err)
	t.Cleanup(world.Close)
	server := storetest.Start(t)
	a := forMany(t, world, server.URL())
	kind := "place"
	for n, id := range []string{"T1", "T2", "T3"} {
		q := a.many.Queues[keyspace.ShardOf(id)].In(id)
		_, err := q.Put(t.Context(), queue.Job{ID: "one", Lane: "one", Kind: kind})
		require.NoError(t, err)
		_, err = q.PutAfter(t.Context(), queue.Job{ID: "later", Lane: "one", Kind: kind}, time.Hour)
		require.NoError(t, err)
		if n == 0 {
			dies(t, server.Client(), id)
		}
	}
	is := metricsOf(t, a)
	for _, line := range []string{
		"darkroom_queue_dead 1", "darkroom_queue_jobs 2", "darkroom_queue_lanes 2", "darkroom_queue_delayed_jobs 3",
		`darkroom_queue_oldest_job_age_seconds{kind="place"} `, `darkroom_unsettled_writes{kind="place"} 0`,
	} {
		require.Contains(t, is, "\n"+line)
	}
	require.NotContains(t, is, `darkroom_queue_oldest_job_age_seconds{kind="place"} 0`+"\n")
	require.NotContains(t, is, "\ndarkroom_orders_active", "they would cost a walk over all workspaces")

	mine := a.many.Queues[keyspace.ShardOf("T2")].Keyspace().Key("")
	away := &awayKeys{is: func(key string) bool { return strings.HasPrefix(key, mine) }}
	a.rdb.AddHook(away)
	is = metricsOf(t, a)
	require.Contains(t, is, "\ndarkroom_queue_dead 1\n", "a master that is away hides nothing of the others")
	require.Contains(t, is, "\ndarkroom_queue_jobs 1\n")
}

const sealing = "the key that seals for a test of many"

// forMany is an app for the workspaces of a crowd.
func forMany(t *testing.T, world *crowd.Crowd, redisURL string) *app {
	t.Helper()
	cfg, err := config.Read(append(world.Environ(), "REDIS_URL="+redisURL, "PUBLIC_URL=http://127.0.0.1", "FILE_SIGNING_KEY=the key that signs files of a test", "ENCRYPTION_KEY="+sealing))
	require.NoError(t, err)
	a, err := newApp(cfg, slog.New(slog.DiscardHandler), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.close()) })
	return a
}

// dies has the jobs of a workspace die.
func dies(t *testing.T, rdb redis.UniversalClient, id string) {
	t.Helper()
	q := queue.New(rdb, queue.Options{
		Keyspace: keyspace.Shard(keyspace.ShardOf(id)), Share: 16, Logger: slog.New(slog.DiscardHandler),
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- q.Run(ctx, func(context.Context, *queue.Delivery) error { return queue.Dead(errors.New("as this test wants")) })
	}()
	require.Eventually(t, func() bool {
		s, err := q.Inspector().Stats(t.Context())
		return err == nil && s.Dead == 1 && s.Jobs == 0
	}, time.Minute, 10*time.Millisecond)
	stop()
	require.NoError(t, <-ended)
}

// metricsOf are those of the queues, of orders and of polls.
func metricsOf(t *testing.T, a *app) string {
	t.Helper()
	w := httptest.NewRecorder()
	a.metrics.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", http.NoBody))
	return "\n" + strings.Join(regexp.MustCompile(`(?m)^darkroom_(queue|orders|unsettled|poller)_.*\n`).FindAllString(w.Body.String(), -1), "")
}

// A load balancer keeps a replica that serves most workspaces, whichever master of Redis is away, and hears so at once.
func TestAReplicaIsReadyWhileAnyShardTakesWrites(t *testing.T) {
	t.Parallel()
	world, err := crowd.Start(crowd.Options{})
	require.NoError(t, err)
	t.Cleanup(world.Close)
	a := forMany(t, world, storetest.Start(t).URL())
	away := &awayKeys{}
	a.rdb.AddHook(away)
	mux := a.mux()
	says := func() int {
		a.ready.redisUsable.at = time.Time{} // a second later
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/readyz", http.NoBody))
		return w.Code
	}
	last := keyspace.Shard(keyspace.Shards - 1).Key("")
	began := time.Now()
	require.Equal(t, http.StatusOK, says(), "all are there")
	soon := time.Second + 3*time.Since(began) // on a machine that is as busy
	for name, test := range map[string]struct {
		away  func(key string) bool
		hangs bool
		want  int
	}{
		"that of no workspace is away":       {func(key string) bool { return strings.HasPrefix(key, "{darkroom}") }, false, http.StatusOK},
		"one is away":                        {func(key string) bool { return strings.HasPrefix(key, last) }, false, http.StatusOK},
		"one hangs":                          {func(key string) bool { return strings.HasPrefix(key, keyspace.Shard(0).Key("")) }, true, http.StatusOK},
		"all hang but one":                   {func(key string) bool { return !strings.HasPrefix(key, last) }, true, http.StatusOK},
		"all are away":                       {func(string) bool { return true }, false, http.StatusServiceUnavailable},
		"only that of no workspace is there": {func(key string) bool { return !strings.HasPrefix(key, "{darkroom}") }, false, http.StatusServiceUnavailable},
	} {
		away.set(test.away, test.hangs)
		began = time.Now()
		require.Equal(t, test.want, says(), name)
		require.Less(t, time.Since(began), soon, name)
	}
}

// awayKeys is a Redis some of whose masters are away: those that have these keys.
type awayKeys struct {
	mu    sync.Mutex
	is    func(key string) bool
	hangs bool // it does not answer, rather than refuse
}

func (a *awayKeys) set(is func(key string) bool, hangs bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.is, a.hangs = is, hangs
}

// err is what becomes of a command.
func (a *awayKeys) err(ctx context.Context, cmds ...redis.Cmder) error {
	a.mu.Lock()
	is, hangs := a.is, a.hangs
	a.mu.Unlock()
	for _, cmd := range cmds {
		for _, arg := range cmd.Args() {
			if key, ok := arg.(string); !ok || is == nil || !strings.HasPrefix(key, "{darkroom") || !is(key) {
				continue
			}
			if hangs {
				<-ctx.Done()
			}
			return &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
		}
	}
	return nil
}

// DialHook implements [redis.Hook].
func (a *awayKeys) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements [redis.Hook].
func (a *awayKeys) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if err := a.err(ctx, cmd); err != nil {
			cmd.SetErr(err)
			return err
		}
		return next(ctx, cmd)
	}
}

// ProcessPipelineHook implements [redis.Hook].
func (a *awayKeys) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if err := a.err(ctx, cmds...); err != nil {
			for _, cmd := range cmds {
				cmd.SetErr(err)
			}
			return err
		}
		return next(ctx, cmds)
	}
}
