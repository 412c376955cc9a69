package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

func TestOwnPostsAreKnownSinceAMoment(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		for _, ts := range []string{"1700000300.000002", "1700000100.000001", "1700000300.000001", "1700000300.000002"} {
			require.NoError(t, s.OwnPosts.NoteOwnPost(t.Context(), "C1", store.OwnPost{TS: ts, Metadata: []byte(`{"event_type":"x"}`)}))
		}
		since := func(at int64) (all []string) {
			posts, err := s.OwnPosts.Since(t.Context(), "C1", time.Unix(at, 0))
			require.NoError(t, err)
			for _, p := range posts {
				require.JSONEq(t, `{"event_type":"x"}`, string(p.Metadata))
				all = append(all, p.TS)
			}
			return all
		}
		require.Equal(t, []string{"1700000100.000001", "1700000300.000001", "1700000300.000002"}, since(0), "each once")
		require.Equal(t, []string{"1700000300.000001", "1700000300.000002"}, since(1700000101))
		require.NoError(t, s.OwnPosts.DropOwnPost(t.Context(), "C1", "1700000300.000001"))
		require.Equal(t, []string{"1700000300.000002"}, since(1700000101))
		posts, err := s.OwnPosts.Since(t.Context(), "C2", time.Time{})
		require.NoError(t, err)
		require.Empty(t, posts)
		require.Positive(t, rdb.PTTL(t.Context(), "{darkroom}:own-posts:C1").Val(), "they go")
	})
}
