package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/storetest"
)

// finding is what an examination says about one side.
func finding(t *testing.T, s *store.Store, about string) store.Finding {
	t.Helper()
	found, err := s.Examine(t.Context())
	require.NoError(t, err)
	for _, f := range found {
		if f.About == about {
			return f
		}
	}
	t.Fatalf("nothing about %s: %+v", about, found)
	return store.Finding{}
}

func TestAGoodRedisIsGoodFromAllSides(t *testing.T) {
	t.Parallel()
	rdb := storetest.Start(t).Client()
	require.NoError(t, rdb.ConfigSet(t.Context(), "appendfsync", "always").Err())
	found, err := newStore(rdb).Examine(t.Context())
	require.NoError(t, err)
	for _, f := range found {
		assert.Equal(t, store.Good, f.Level, "%+v", f)
		assert.NotEmpty(t, f.Says)
		assert.Empty(t, f.Do)
	}
	assert.Len(t, found, 8)
}

func TestEachSideOfRedisIsJudged(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		setting, value, about string
		level                 store.Level
		says                  string
	}{
		"no file":           {"appendonly", "no", "persistence", store.Bad, "no append-only file"},
		"a file now & then": {"appendfsync", "everysec", "persistence", store.Caution, "last second"},
		"eviction":          {"maxmemory-policy", "allkeys-lru", "eviction", store.Bad, "silently disappear"},
		"little memory":     {"maxmemory", "60mb", "memory", store.Caution, "more open orders"},
		"no memory":         {"maxmemory", "1", "writes", store.Bad, "OOM"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rdb := storetest.Start(t).Client()
			require.NoError(t, rdb.ConfigSet(t.Context(), row.setting, row.value).Err())
			f := finding(t, newStore(rdb), row.about)
			assert.Equal(t, row.level, f.Level, "%+v", f)
			assert.Contains(t, f.Says, row.says)
			assert.NotEmpty(t, f.Do)
		})
	}
}

func TestAReplicaTakesNoWrites(t *testing.T) {
	t.Parallel()
	main, replica := storetest.Start(t), storetest.Start(t)
	host, port, _ := strings.Cut(strings.TrimPrefix(main.URL(), "redis://"), ":")
	require.NoError(t, replica.Client().ReplicaOf(t.Context(), host, port).Err())
	f := finding(t, newStore(replica.Client()), "writes")
	assert.Equal(t, store.Bad, f.Level)
	assert.Contains(t, f.Says, "READONLY")
	require.Eventually(t, func() bool {
		return finding(t, newStore(main.Client()), "replication").Level == store.Caution
	}, 30*time.Second, 10*time.Millisecond)
	two, err := store.Connect(main.URL() + "?wait_replicas=2&wait_timeout=50ms")
	require.NoError(t, err)
	t.Cleanup(func() { _ = two.Close() })
	assert.Equal(t, store.Bad, finding(t, newStore(two), "replication").Level)
}

func TestARedisThatDoesNotAnswerIsOneFinding(t *testing.T) {
	t.Parallel()
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	defer func() { _ = rdb.Close() }()
	found, err := newStore(rdb).Examine(t.Context())
	require.Error(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, store.Bad, found[0].Level)
	assert.Contains(t, found[0].Do, "REDIS_URL")

	own := storetest.Start(t)
	require.NoError(t, own.Client().ConfigSet(t.Context(), "requirepass", "s3cret").Err())
	found, err = newStore(own.Client()).Examine(t.Context())
	require.Error(t, err)
	assert.Contains(t, found[0].Says, "password")
}

func TestWhenSomethingWasHeardLast(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		heard, err := s.LastHeard(t.Context())
		require.NoError(t, err)
		assert.Empty(t, heard)
		at := time.UnixMilli(1700000000123)
		require.NoError(t, s.NoteHeard(t.Context(), store.HeardEvent, at))
		require.NoError(t, s.NoteHeard(t.Context(), store.HeardEvent, at.Add(time.Second)))
		heard, err = s.LastHeard(t.Context())
		require.NoError(t, err)
		assert.Equal(t, map[store.Heard]time.Time{store.HeardEvent: at.Add(time.Second)}, heard)
	})
	away := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1})
	defer func() { _ = away.Close() }()
	require.Error(t, newStore(away).NoteHeard(context.Background(), store.HeardEvent, time.Now()))
}
