package queue

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
	"darkroom/store/storetest/topology"
)

// A server from which another took over, and which takes over again, has forgotten what it did in
// between, though its process is still the same.
func TestAServerThatIsMainAgainMayHaveForgotten(t *testing.T) {
	main, other := storetest.Start(t), storetest.Start(t)
	other.Follow(main)
	q := New(main.Client(), Options{Logger: slog.New(slog.DiscardHandler)})
	put(t, q, "a/1")
	require.Eventually(t, func() bool {
		return other.Client().DBSize(t.Context()).Val() == main.Client().DBSize(t.Context()).Val()
	}, 10*time.Second, 10*time.Millisecond)
	require.NoError(t, other.Client().ReplicaOf(t.Context(), "NO", "ONE").Err()) // it takes over
	tokens := read(t, q, "first")                                                // and this is not copied
	d, err := q.claims().claimLane(t.Context(), "first", tokens[0], "first/1")
	require.NoError(t, err)
	require.True(t, d.First)

	main.Follow(other)
	require.NoError(t, main.Client().ReplicaOf(t.Context(), "NO", "ONE").Err()) // and back
	tokens = read(t, q, "second")
	require.Len(t, tokens, 1, "the delivery is forgotten")
	d, err = q.claims().claimLane(t.Context(), "second", tokens[0], "second/1")
	require.NoError(t, err)
	require.Equal(t, 1, d.Deliveries)
	require.False(t, d.SameRun)
	require.False(t, d.First)
}

// aCluster is a cluster of this test's own.
func aCluster(t *testing.T, o topology.Options) (*topology.Redis, redis.UniversalClient) {
	t.Helper()
	needServer(t)
	o.Kind, o.Server = topology.Cluster, storetest.Program()
	r, err := topology.Start(t.Context(), t.TempDir(), o)
	require.NoError(t, err)
	t.Cleanup(r.Close)
	options, err := redis.ParseClusterURL(r.URL(0))
	require.NoError(t, err)
	options.ContextTimeoutEnabled, options.DialerRetries, options.ClusterStateReloadInterval = true, 1, time.Second
	rdb := redis.NewClusterClient(options)
	t.Cleanup(func() { _ = rdb.Close() })
	return r, rdb
}

// While the slot of our keys moves to another node, each node has some of the keys. A worker that saw
// only half of them would lose or double a job. So no worker runs until all have moved.
func TestAWholeSlotMovesUnderWork(t *testing.T) {
	t.Parallel()
	cluster, rdb := aCluster(t, topology.Options{Away: 10 * time.Second})
	q := newQueue(t, rdb, Options{Lease: time.Second, Workers: 8})
	var mu sync.Mutex
	done := map[string]int{}
	running(t, q, func(_ context.Context, d *Delivery) error {
		mu.Lock()
		defer mu.Unlock()
		if d.First {
			done[d.ID]++ // a possible second worker verifies first
		}
		return nil
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ids, acknowledged := make([]string, 60), map[string]int{}
	putAll := func(some []string) {
		for _, id := range some {
			short, end := context.WithTimeout(ctx, 300*time.Millisecond)
			added, err := q.Put(short, job(id))
			end()
			if err == nil && added {
				acknowledged[id]++
			}
		}
	}
	for n := range ids {
		ids[n] = fmt.Sprintf("lane%d/%d", n%12, n)
	}
	putAll(ids[:20])
	steps := 0
	require.NoError(t, cluster.Reshard(ctx, q.space.key("stream"), func(int) error {
		if steps++; steps%4 == 2 && steps < 40 { // from when the stream has moved
			putAll([]string{ids[steps/4], ids[20+steps/4]}) // one that is known, and a new one
		}
		wait(ctx, 10*time.Millisecond)
		return nil
	}))
	require.Greater(t, steps, 5)
	require.Eventually(t, func() bool {
		added, err := q.Put(ctx, job("after/1"))
		return err == nil && added
	}, 20*time.Second, 10*time.Millisecond)
	putAll(ids)
	settled(t, q)
	mu.Lock()
	defer mu.Unlock()
	for _, id := range ids {
		require.LessOrEqual(t, acknowledged[id], 1, "%s was taken twice", id)
		require.LessOrEqual(t, done[id], 1, "%s was done twice", id)
	}
}
