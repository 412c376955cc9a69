package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

// A card that somebody deleted is posted anew: a person who writes in the old thread is still
// understood, and its key does not stay for ever.
func TestTheThreadOfAFormerCardExpires(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		life := func(ts string) time.Duration { return rdb.PTTL(t.Context(), "{darkroom}:thread:T1:C1:"+ts).Val() }
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "1.1", 1))
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "1.1", 2), "edited")
		require.Negative(t, life("1.1"), "it stays with its order")
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "2.2", 2))
		require.Greater(t, life("1.1"), 30*24*time.Hour)
		require.Negative(t, life("2.2"))
		for _, ts := range []string{"1.1", "2.2"} {
			found, err := s.Orders.ByThread(t.Context(), "T1", "C1", ts)
			require.NoError(t, err)
			require.Equal(t, "1", found.ID)
		}
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "1.1", 2), "the former one is the card after all")
		require.Negative(t, life("1.1"))
		require.Positive(t, life("2.2"))
	})
}

// Of two cards that are recorded at once, the thread of the one that gives way expires.
func TestTheThreadOfACardPostedMeanwhileExpires(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "1.1", 1))
		late := overtaken(t, rdb, func(other *store.Store) {
			require.NoError(t, other.Announcements.CardPosted(t.Context(), "1", 1, "2.2", 1))
		})
		require.NoError(t, late.Announcements.CardPosted(t.Context(), "1", 1, "3.3", 1))
		for ts, former := range map[string]bool{"1.1": true, "2.2": true, "3.3": false} {
			require.Equal(t, former, rdb.PTTL(t.Context(), "{darkroom}:thread:T1:C1:"+ts).Val() > 0, ts)
		}
	})
}
