package queue

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"

	"github.com/redis/go-redis/v9"
)

func TestALaneIsBusyAsLongAsItHoldsAJob(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := New(rdb, Options{Name: "busy"})
		busy := func(lane string) bool {
			busy, err := q.Inspector().Busy(t.Context(), lane)
			require.NoError(t, err)
			return busy
		}
		require.False(t, busy("a"))
		put(t, q, "a/1")
		require.True(t, busy("a"))
		require.False(t, busy("b"))
	})
}

func TestWhoStandsBehindTheFirstOfALane(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := New(rdb, Options{Name: "behind"})
		behind := func(most int) (ids []string) {
			jobs, err := q.Inspector().Behind(t.Context(), "a", most)
			require.NoError(t, err)
			for _, j := range jobs {
				require.JSONEq(t, `{"n":1}`, string(j.Body))
				require.Equal(t, "test", j.Kind)
				ids = append(ids, j.ID)
			}
			return ids
		}
		require.Empty(t, behind(9), "an empty lane")
		put(t, q, "a/1", "a/2", "b/1", "a/3")
		require.Equal(t, []string{"a/2", "a/3"}, behind(9))
		require.Equal(t, []string{"a/2"}, behind(1))
		require.NoError(t, rdb.Del(t.Context(), q.space.key("job:a/2")).Err()) // settled while we look
		require.Equal(t, []string{"a/3"}, behind(9))
	})
}
