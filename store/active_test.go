package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

// However many there are, none is left out, and no answer of Redis holds them all.
func TestEveryActiveOrderIsFoundAPartAtATime(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		const many = 12_345
		entries := map[string]any{}
		for i := range many {
			entries[fmt.Sprint("o", i)] = fmt.Sprintf(`{"status":"editing","revision":0,"version":%d}`, i+1)
		}
		require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:active", entries).Err())
		versions := map[int64]bool{}
		require.NoError(t, s.EachActive(t.Context(), func(_ string, a store.Active) { versions[a.Version] = true }))
		assert.Len(t, versions, many)
	})
}

func TestDocumentsAreReadTogether(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		require.NoError(t, s.PutTTL(t.Context(), "a", 1, time.Hour))
		require.NoError(t, s.PutTTL(t.Context(), "b", "two", time.Hour))
		n, text, none := 0, "", 7
		there, err := s.GetMany(t.Context(), map[string]any{"a": &n, "b": &text, "c": &none})
		require.NoError(t, err)
		assert.Equal(t, map[string]bool{"a": true, "b": true}, there)
		assert.Equal(t, []any{1, "two", 7}, []any{n, text, none})
		require.NoError(t, s.PutTTL(t.Context(), "c", "no number", time.Hour))
		_, err = s.GetMany(t.Context(), map[string]any{"c": &none})
		require.ErrorContains(t, err, "document c")
	})
}
