package queue

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

func TestATenantsDelayedJobsAreDropped(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Share: 2})
		const each = 300
		for _, tenant := range tenants {
			for n := range each {
				_, err := q.In(tenant).PutAfter(t.Context(), Job{ID: fmt.Sprint(n), Lane: "lane", Kind: "kind"}, time.Hour)
				require.NoError(t, err)
			}
			_, err := q.In(tenant).Put(t.Context(), Job{ID: "now", Lane: "lane", Kind: "kind"})
			require.NoError(t, err)
		}
		dropped, err := q.In("T1").DropDelayed(t.Context())
		require.NoError(t, err)
		require.Equal(t, each, dropped)
		stats, err := q.Inspector().Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, Stats{Jobs: 2, Lanes: 2, Delayed: each}, stats)
		require.Equal(t, int64(1), rdb.Exists(context.Background(), q.space.key("job", "T1/now")).Val(), "what is due is not delayed")
		added, err := q.In("T1").PutAfter(t.Context(), Job{ID: "0", Lane: "lane", Kind: "kind"}, time.Hour)
		require.NoError(t, err)
		require.False(t, added, "its id stays known")
	})
}
