package queue

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/keyspace"
)

// TestEveryKeyKeepsItsName: a key of another name is a job that nobody finds any more.
func TestEveryKeyKeepsItsName(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		seen := map[string]bool{}
		looked := make(chan string, 10)
		note := func(ctx context.Context) {
			keys, err := keysOf(ctx, rdb, "{T7}:names:*")
			require.NoError(t, err)
			for _, key := range keys {
				seen[strings.TrimPrefix(key, "{T7}:names:")] = true
			}
		}
		look := func(ctx context.Context, where string) {
			note(ctx)
			looked <- where
		}
		q := newQueue(t, rdb, Options{
			Keyspace: keyspace.New("T7"), Name: "names", Workers: 1,
			OnDead: func(ctx context.Context, _ DeadLetter) error {
				look(ctx, "told")
				return nil
			},
		})
		require.NoError(t, q.Ready(t.Context()))
		_, err := q.PutAfter(t.Context(), Job{ID: "c", Lane: "lc", Kind: "k"}, time.Hour)
		require.NoError(t, err)
		for _, id := range []string{"wait", "dead"} {
			_, err := q.Put(t.Context(), Job{ID: id, Lane: "l" + id, Kind: "k"})
			require.NoError(t, err)
		}
		running(t, q, func(ctx context.Context, d *Delivery) error {
			look(ctx, d.ID)
			if d.ID == "wait" {
				return Wait(time.Hour)
			}
			return Dead(ErrNotDead)
		})
		for range 3 {
			receive(t, looked)
		}
		for !seen["sweep"] { // which another goroutine writes when it comes to it
			wait(t.Context(), 10*time.Millisecond)
			note(t.Context())
		}
		require.Equal(t, []string{
			"claim:ldead", "claim:lwait", "dead", "job:c", "job:dead", "job:wait", "lane:ldead", "lane:lwait",
			"later", "ready", "seen:c", "seen:dead", "seen:wait", "stream", "sweep", "tokens", "untold", "waiting",
		}, slices.Sorted(maps.Keys(seen)))
	})
	require.Equal(t, "{darkroom}:q:job:1", New(nil, Options{}).space.key("job", "1"))
}
