package tenants

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
	"darkroom/cmd/darkroom/workspace"
	"darkroom/files"
	"darkroom/files/inspect"
	"darkroom/notifier/announce"
	"darkroom/notifier/poll"
	"darkroom/sandbox/crowd"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
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
	require.GreaterOrEqual(t, a.shared.Redis.(*redis.Client).Options().PoolSize, 2*keyspace.Shards+config.PerServer)
	dial := a.Services.Dial(metrics.Poller, nil, func(r *ratelimit.Account) upstream.Limiter { return r.Background() })
	for _, key := range []string{"key-one", "key-two"} {
		c, err := dial(tenants.ServiceAccount{URL: service.URL, Key: key, Secret: "a secret"})
		require.NoError(t, err)
		_, err = c.Balance(t.Context())
		require.NoError(t, err)
	}
	require.EqualValues(t, 1, opened.Load())
}

const sealing = "the key that seals for a test of many"

// forMany is what an app has for the workspaces of a crowd.
func forMany(t *testing.T, world *crowd.Crowd, redisURL string) *Tenants {
	t.Helper()
	cfg, err := config.Read(append(world.Environ(), "REDIS_URL="+redisURL, "PUBLIC_URL=http://127.0.0.1", "FILE_SIGNING_KEY=the key that signs files of a test", "ENCRYPTION_KEY="+sealing))
	require.NoError(t, err)
	rdb, err := conn.ConnectFor(redisURL, cfg.CommandsAtOnce())
	require.NoError(t, err)
	log := slog.New(slog.DiscardHandler)
	m, err := New(&workspace.Shared{
		Config: cfg, Log: log, Redis: rdb, Metrics: metrics.New(metrics.Build{}), Sheets: files.NewSheets(true, nil, log), Inspector: inspect.New(true),
		Previews: announce.NewPreviewLimits(), Wakes: make(chan *store.Store), Polled: func(poll.Cost) {},
	}, queue.Options{Logger: log})
	require.NoError(t, err)
	t.Cleanup(func() { m.Close(); require.NoError(t, rdb.Close()) })
	return m
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
		_, err := a.Apps.Of(t.Context(), world.Workspace(n))
		require.NoError(t, err)
	}
	each := (heapInUse() - before) / some
	t.Logf("%.0f bytes a workspace", each)
	require.Less(t, each, 64e3)
	require.Greater(t, each, 1e3, "they are kept")
	a.Apps.warm.DeleteAll()
	require.Less(t, (heapInUse()-before)/some, 20e3, "nothing else is")
}

func heapInUse() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
