package topology_test

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/storetest/topology"
)

// Somebody else takes over from a node that was killed, and what was written before is there; the dead node
// comes back as a copy.
func TestAnotherNodeTakesOver(t *testing.T) {
	for _, kind := range []topology.Kind{topology.Sentinel, topology.Cluster} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := started(t, topology.Options{Kind: kind, Replicas: 1})
			rdb := connected(t, r)
			const key = "{darkroom}:a"
			require.NoError(t, rdb.Set(t.Context(), key, "b", 0).Err())
			first, err := r.Main(t.Context(), key)
			require.NoError(t, err)
			copies, err := r.ReplicasOf(t.Context(), first)
			require.NoError(t, err)
			require.Len(t, copies, 1)
			copied := copies[0].Client()
			defer func() { _ = copied.Close() }()
			require.Eventually(t, func() bool { return copied.DBSize(t.Context()).Val() == 1 }, 10*time.Second, 10*time.Millisecond)
			first.Kill()
			require.Eventually(t, func() bool {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				return rdb.Get(ctx, key).Val() == "b" && rdb.Set(ctx, key+"2", "c", 0).Err() == nil
			}, 30*time.Second, 20*time.Millisecond)
			second, err := r.Main(t.Context(), key)
			require.NoError(t, err)
			require.NotSame(t, first, second)
			require.NoError(t, first.Restart(t.Context()))
			require.Eventually(t, func() bool {
				copies, err := r.ReplicasOf(t.Context(), second)
				return err == nil && len(copies) == 1
			}, 30*time.Second, 20*time.Millisecond)
		})
	}
}

func started(t *testing.T, o topology.Options) *topology.Redis {
	t.Helper()
	o.Server = os.Getenv("DARKROOM_TEST_REDIS_SERVER")
	if _, err := exec.LookPath("redis-server"); err != nil && o.Server == "" {
		require.Empty(t, os.Getenv("DARKROOM_TEST_REQUIRE_REDIS"), err)
		t.Skip("no redis-server on PATH")
	}
	began := time.Now()
	r, err := topology.Start(t.Context(), t.TempDir(), o)
	require.NoError(t, err)
	t.Cleanup(func() {
		r.Close()
		if t.Failed() {
			for _, node := range append(r.Nodes, r.Sentinels...) {
				log, _ := os.ReadFile(node.Dir + "/redis.log")
				t.Logf("%s:\n%s", node.Addr, log)
			}
		}
	})
	t.Logf("%s, ready after %s", r.URL(0), time.Since(began).Round(time.Millisecond))
	return r
}

func connected(t *testing.T, r *topology.Redis) redis.UniversalClient {
	t.Helper()
	rdb, err := store.Connect(r.URL(0))
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}
