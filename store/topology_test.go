package store_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/queue"
	"darkroom/store/storetest"
	"darkroom/store/storetest/topology"
)

// aTopology is a Redis of this test's own, and a client of it as the app has one.
func aTopology(t *testing.T, o topology.Options, query string) (*topology.Redis, redis.UniversalClient) {
	t.Helper()
	storetest.Need(t)
	o.Server = storetest.Program()
	r, err := topology.Start(t.Context(), t.TempDir(), o)
	require.NoError(t, err)
	t.Cleanup(r.Close)
	rdb, err := conn.Connect(r.URL(0) + query)
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	return r, rdb
}

// In a cluster the examination is about the node that has the keys; others may have other settings.
func TestDurabilityIsThatOfTheNodeWithOurKeys(t *testing.T) {
	t.Parallel()
	cluster, rdb := aTopology(t, topology.Options{Kind: topology.Cluster, Replicas: 1, Fsync: "always", Away: 10 * time.Second}, "")
	says := func() string { return strings.Join(newStore(rdb).Server.Durability(t.Context()), "\n") }
	main, err := cluster.Main(t.Context(), "{darkroom}:q:stream")
	require.NoError(t, err)
	for _, node := range cluster.Nodes {
		if node != main {
			require.NoError(t, ask(t, node).ConfigSet(t.Context(), "appendonly", "no").Err())
		}
	}
	for range 20 { // each could ask another
		require.NotContains(t, says(), "append-only")
	}
	require.Contains(t, says(), "a failover can lose what it confirmed")
	require.NoError(t, ask(t, main).ConfigSet(t.Context(), "appendfsync", "everysec").Err())
	require.Contains(t, says(), "everysec")
	require.NoError(t, newStore(rdb).Server.Ping(t.Context()))
	require.Empty(t, newStore(rdb).Server.TooOld(t.Context()))
}

func ask(t *testing.T, node *topology.Node) *redis.Client {
	t.Helper()
	rdb := node.Client()
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb
}

// A Sentinel that does not know where Redis is does not say that there is nothing in it.
func TestSentinelsThatKnowNoServerAreAnOutage(t *testing.T) {
	t.Parallel()
	behind, rdb := aTopology(t, topology.Options{Kind: topology.Sentinel, Replicas: 1, Away: 10 * time.Second}, "")
	place(t, newStore(rdb), "1")
	require.NoError(t, behind.Forget(t.Context()))
	late, err := conn.Connect(behind.URL(0)) // as of a process that starts
	require.NoError(t, err)
	t.Cleanup(func() { _ = late.Close() })
	_, err = newStore(late).Orders.Order(t.Context(), "1")
	require.True(t, queue.Away(err), err)
	require.NotErrorIs(t, err, store.ErrNotTracked)
	require.NoError(t, behind.Remember(t.Context()))
	require.Eventually(t, func() bool { _, err := newStore(late).Orders.Order(t.Context(), "1"); return err == nil }, 10*time.Second, 10*time.Millisecond)
}

// WAIT counts the copies of the node that was written to, not those of another.
func TestInAClusterTheCopiesOfTheRightNodeCount(t *testing.T) {
	t.Parallel()
	cluster, rdb := aTopology(t, topology.Options{Kind: topology.Cluster, Replicas: 1, Away: 20 * time.Second}, "&wait_replicas=1&wait_timeout=600ms")
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	require.Eventually(t, func() bool { return q.Ready(t.Context()) == nil }, 30*time.Second, 10*time.Millisecond)
	added, err := q.Put(t.Context(), aJob("one"))
	require.NoError(t, err)
	require.True(t, added)
	main, err := cluster.Main(t.Context(), "{darkroom}:q:stream")
	require.NoError(t, err)
	copies, err := cluster.ReplicasOf(t.Context(), main)
	require.NoError(t, err)
	require.Len(t, copies, 1)
	for _, node := range cluster.Nodes {
		if node != main {
			require.NoError(t, ask(t, node).ConfigSet(t.Context(), "appendonly", "no").Err())
		}
	}
	for range 20 { // each could ask another
		require.NotContains(t, strings.Join(store.New(rdb, q).Server.Durability(t.Context()), "\n"), "append-only")
	}
	copies[0].Freeze()
	_, err = q.Put(t.Context(), aJob("two"))
	require.ErrorIs(t, err, queue.ErrUnconfirmed)
	copies[0].Thaw()
	require.Eventually(t, func() bool { _, err := q.Put(t.Context(), aJob("two")); return err == nil }, 30*time.Second, 10*time.Millisecond)
}
