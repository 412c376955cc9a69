package store_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

type page struct {
	Words []string `json:"words"`
}

func TestADocumentIsKeptForItsLife(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		var got page
		require.ErrorIs(t, s.Documents.Get(t.Context(), "n", &got), store.ErrAbsent)
		require.NoError(t, s.Documents.PutTTL(t.Context(), "n", page{Words: []string{"the sky"}}, time.Hour))
		require.NoError(t, s.Documents.PutTTL(t.Context(), "n", page{Words: []string{"the sea", "<&>"}}, time.Hour))
		require.NoError(t, s.Documents.Get(t.Context(), "n", &got))
		assert.Equal(t, []string{"the sea", "<&>"}, got.Words, "the later note counts")
		assert.InDelta(t, time.Hour.Seconds(), rdb.PTTL(t.Context(), "{darkroom}:note:n").Val().Seconds(), 60)

		require.NoError(t, s.Documents.Delete(t.Context(), "n"))
		require.NoError(t, s.Documents.Delete(t.Context(), "n"), "dropping it again is fine")
		require.ErrorIs(t, s.Documents.Get(t.Context(), "n", &got), store.ErrAbsent)
	})
}

func TestADocumentWithoutALifeOrAFormIsRefused(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		require.ErrorContains(t, s.Documents.PutTTL(t.Context(), "n", page{}, 0), "document n")
		_, err := s.Documents.PutIfAbsent(t.Context(), "n", make(chan int), time.Hour)
		require.ErrorContains(t, err, "document n")
		assert.Empty(t, dump(t, rdb))
		require.NoError(t, rdb.Set(t.Context(), "{darkroom}:note:n", "{", 0).Err())
		require.ErrorContains(t, s.Documents.Get(t.Context(), "n", &page{}), "document n")
	})
}

func TestOfManyWhoNoteOnceOneIsFirst(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		var first atomic.Int32
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				ok, err := s.Documents.PutIfAbsent(t.Context(), "n", "the same words", time.Hour)
				assert.NoError(t, err)
				if ok {
					first.Add(1)
				}
			})
		}
		wg.Wait()
		assert.Equal(t, int32(1), first.Load())
		assert.Positive(t, rdb.PTTL(t.Context(), "{darkroom}:note:n").Val())
		require.NoError(t, s.Documents.Delete(t.Context(), "n"))
		ok, err := s.Documents.PutIfAbsent(t.Context(), "n", "again", time.Hour)
		require.NoError(t, err)
		assert.True(t, ok, "a dropped name is new")
	})
}
