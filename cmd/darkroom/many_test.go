package main

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/metrics"
	"darkroom/sandbox/crowd"
	"darkroom/store/keyspace"
	"darkroom/store/ratelimit"
	"darkroom/store/seal"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// What is one for all workspaces is large enough for them, and not one for each.
func TestWorkspacesShareConnections(t *testing.T) {
	t.Parallel()
	var opened atomic.Int64
	service := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"errors":[],"data":{"credits":3}}`))
	}))
	service.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	service.Start()
	t.Cleanup(service.Close)
	world, err := crowd.Start(crowd.Options{})
	require.NoError(t, err)
	t.Cleanup(world.Close)
	a := forMany(t, world, storetest.Start(t).URL())
	require.GreaterOrEqual(t, a.rdb.(*redis.Client).Options().PoolSize, 2*keyspace.Shards+config.PerServer)
	dial := a.many.dial(metrics.Poller, nil, func(r *ratelimit.Account) upstream.Limiter { return r.Background() })
	for _, key := range []string{"key-one", "key-two"} {
		c, err := dial(tenants.ServiceAccount{URL: service.URL, Key: key, Secret: "a secret"})
		require.NoError(t, err)
		_, err = c.Balance(t.Context())
		require.NoError(t, err)
	}
	require.EqualValues(t, 1, opened.Load())
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

// Rooms are kept of as many workspaces as were used a moment ago; all others weigh nothing here. This test is alone while
// it runs.
func TestRoomsInUseAreBoundedAndWeighLittle(t *testing.T) { //nolint:paralleltest // others would be weighed, too
	const some = 200
	server := storetest.Start(t)
	world, err := crowd.Start(crowd.Options{Workspaces: some})
	require.NoError(t, err)
	t.Cleanup(world.Close)
	keys, err := seal.NewKeys(sealing)
	require.NoError(t, err)
	require.NoError(t, world.Fill(t.Context(), server.Client(), keys))
	a := forMany(t, world, server.URL())
	before := heapInUse()
	for n := range some {
		_, err := a.many.roomsOf(t.Context(), world.Workspace(n))
		require.NoError(t, err)
	}
	each := (heapInUse() - before) / some
	t.Logf("%.0f bytes a workspace", each)
	require.Less(t, each, 64e3)
	require.Greater(t, each, 1e3, "they are kept")
	a.many.warm.DeleteAll()
	require.Less(t, (heapInUse()-before)/some, 20e3, "nothing else is")
}

func heapInUse() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
