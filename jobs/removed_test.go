package jobs_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/jobs/accounts"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

// Making a contact sheet takes minutes. While such a job runs, forgetting a workspace that left does not end, so that the
// job's last writes are forgotten, too. Jobs of other workspaces do not matter.
func TestALongJobLeavesNothingOfAWorkspaceThatLeft(t *testing.T) {
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		ctx, stop := context.WithCancel(t.Context())
		shard := queue.New(rdb, queue.Options{Keyspace: keyspace.Shard(3), Share: 4, Logger: slog.New(slog.DiscardHandler)})
		left, neighbour := shard.In("T1"), shard.In("T2")
		s := store.New(rdb, left)
		long := map[string]time.Duration{"T1": 4 * time.Minute, "T2": time.Hour}
		ended := make(chan error, 1)
		go func() {
			ended <- shard.Run(ctx, func(ctx context.Context, d *queue.Delivery) error {
				select {
				case <-time.After(long[d.Tenant]):
				case <-ctx.Done():
					return ctx.Err()
				}
				if err := store.New(rdb, shard.In(d.Tenant)).Documents.PutTTL(ctx, "late", "Brighter, please.", 100*24*time.Hour); err != nil {
					return err
				}
				_, err := left.PutAfter(ctx, queue.Job{ID: "more", Lane: "order:1", Kind: "sheet"}, time.Hour)
				return err
			})
		}()
		defer func() { stop(); require.NoError(t, <-ended) }()
		for _, q := range []*queue.Queue{left, neighbour} {
			_, err := q.Put(ctx, queue.Job{ID: "sheet", Lane: "order:1", Kind: "sheet"})
			require.NoError(t, err)
		}
		require.NoError(t, s.Connection.SetLeaving(ctx, tenants.LeavingForgets))
		gone := time.Now()
		<-time.After(time.Second)
		looks := 0
		for became := accounts.RemovedKept; became != accounts.RemovedDone; looks++ {
			require.Less(t, looks, 10, "it ends though the neighbour's job is under way")
			var err error
			became, err = accounts.ForgetRemoved(ctx, s, left, &commandstest.Accounts{}, gone, time.Now(), slog.New(slog.DiscardHandler))
			require.NoError(t, err)
			<-time.After(65 * time.Second)
		}
		<-time.After(long["T1"]) // whatever was under way has ended
		kept, err := rdb.Keys(ctx, left.Keyspace().Key("*")).Result()
		require.NoError(t, err)
		require.Equal(t, []string{left.Keyspace().Key("connection")}, kept, "the mark alone")
		stats, err := left.Inspector().Stats(ctx)
		require.NoError(t, err)
		require.Zero(t, stats.Delayed)
	})
}
