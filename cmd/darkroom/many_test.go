package main

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/metrics"
	"darkroom/sandbox/crowd"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/storetest"
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
	cfg, err := readConfig(append(world.Environ(), "REDIS_URL="+storetest.Start(t).URL(), "PUBLIC_URL=http://127.0.0.1", "FILE_SIGNING_KEY=the key that signs files of this test", "ENCRYPTION_KEY=the key that seals for this test"))
	require.NoError(t, err)
	a, err := newApp(cfg, slog.New(slog.DiscardHandler), nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, a.close()) })
	require.GreaterOrEqual(t, a.rdb.(*redis.Client).Options().PoolSize, keyspace.Shards+perServer)
	dial := a.many.dial(metrics.Poller, func(r *store.AccountRate) upstream.Limiter { return r.Background() })
	for _, key := range []string{"key-one", "key-two"} {
		c, err := dial(store.ServiceAccount{URL: service.URL, Key: key, Secret: "a secret"})
		require.NoError(t, err)
		_, err = c.Balance(t.Context())
		require.NoError(t, err)
	}
	require.EqualValues(t, 1, opened.Load())
}
