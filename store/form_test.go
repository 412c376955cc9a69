package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/queue"
)

// The words of a form that was submitted are forgotten with it; what its job keeps again, when it gives the
// form back, a repeat of the submission leaves alone.
func TestAFormIsPutOnceWithWhatGoesWithIt(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		keep := func(name, words string) {
			t.Helper()
			require.NoError(t, s.Documents.PutTTL(t.Context(), name, words, time.Hour))
		}
		kept := func(name string) (words string) {
			t.Helper()
			require.NoError(t, s.Documents.GetIfThere(t.Context(), name, &words))
			return words
		}
		f := store.Form{
			Job:   queue.Job{ID: "approve:1", Lane: "order:1", Kind: "approve", Body: []byte(`{}`)},
			Words: "typed", Typed: "submitted", Life: time.Hour, Over: "late", Waits: "waits:1",
		}
		keep("typed", "lovely")
		keep("late", "a view")
		added, waits, err := s.Documents.PutForm(t.Context(), f)
		require.NoError(t, err)
		require.True(t, added)
		require.False(t, waits)
		require.Equal(t, "submitted", kept("typed"))
		require.Empty(t, kept("late"))
		require.InDelta(t, time.Hour.Seconds(), rdb.TTL(t.Context(), "{darkroom}:note:typed").Val().Seconds(), 60)

		keep("typed", "given back")
		keep("waits:1", "yes")
		added, waits, err = s.Documents.PutForm(t.Context(), f)
		require.NoError(t, err)
		require.False(t, added)
		require.True(t, waits)
		require.Equal(t, "given back", kept("typed"))
		require.Equal(t, int64(1), rdb.LLen(t.Context(), "{darkroom}:q:lane:order:1").Val())

		f.Job.ID, f.Words, f.Typed, f.Life = "move:1", "", nil, 0
		added, _, err = s.Documents.PutForm(t.Context(), f)
		require.NoError(t, err)
		require.True(t, added, "a form of which no words are kept")
	})
}
