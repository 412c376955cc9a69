package store_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

func TestReplicasKnowHowManyTheyAre(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		here := func(p *store.Presence) (place, of int) {
			t.Helper()
			place, of, err := p.Here(t.Context())
			require.NoError(t, err)
			return place, of
		}
		a, b, c := s.Presence(time.Minute), s.Presence(time.Minute), s.Presence(time.Minute)
		place, of := here(a)
		assert.Equal(t, [2]int{0, 1}, [2]int{place, of}, "alone")
		here(b)
		here(c)
		var places []int
		for _, p := range []*store.Presence{a, b, c} {
			place, of := here(p)
			assert.Equal(t, 3, of)
			places = append(places, place)
		}
		assert.ElementsMatch(t, []int{0, 1, 2}, places)
		require.NoError(t, b.Leave(t.Context()))
		_, of = here(a)
		assert.Equal(t, 2, of)
	})
}

func TestAReplicaThatIsNotHeardOfIsGone(t *testing.T) {
	t.Parallel()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		a, dead := newStore(rdb).Presence(3*time.Second), newStore(rdb).Presence(3*time.Second)
		_, _, err := dead.Here(t.Context())
		require.NoError(t, err)
		for elapsed, want := range []int{2, 2, 2, 1, 1} {
			_, of, err := a.Here(t.Context())
			require.NoError(t, err)
			assert.Equal(t, want, of, "after %d s", elapsed)
			<-time.After(time.Second)
		}
		<-time.After(5 * time.Second)
		assert.Zero(t, rdb.Exists(t.Context(), "{darkroom}:replicas").Val(), "nothing stays behind")
	})
}

func TestAWorkspaceIsBusyWhileAPollHasSomethingToDo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		spaces := []keyspace.Keyspace{keyspace.New("darkroom:00"), keyspace.New("darkroom:01"), keyspace.New("darkroom:02"), keyspace.New("darkroom:03"), keyspace.New("darkroom:04"), keyspace.New("darkroom:05")}
		require.NoError(t, rdb.HSet(t.Context(), spaces[0].Key("active"), "o1", "{}").Err())
		require.NoError(t, rdb.SAdd(t.Context(), spaces[2].Key("lagging"), "o1").Err())
		require.NoError(t, rdb.SAdd(t.Context(), spaces[3].Key("reminding"), "T1:C1").Err())
		require.NoError(t, rdb.ZAdd(t.Context(), spaces[4].Key("finished"), redis.Z{Member: "o1"}).Err())
		inLast := queue.New(rdb, queue.Options{Keyspace: spaces[5], Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, store.New(rdb, inLast).PutTTL(t.Context(), store.PlacingWaits, time.Now(), time.Minute))
		busy, err := store.Busy(t.Context(), rdb, spaces)
		require.NoError(t, err)
		assert.Equal(t, []bool{true, false, true, true, false, true}, busy)
		require.NoError(t, rdb.HDel(t.Context(), spaces[0].Key("active"), "o1").Err())
		busy, err = store.Busy(t.Context(), rdb, spaces[:1])
		require.NoError(t, err)
		assert.Equal(t, []bool{false}, busy, "the last order is done")
		busy, err = store.Busy(t.Context(), rdb, nil)
		require.NoError(t, err)
		assert.Empty(t, busy)
	})
}
