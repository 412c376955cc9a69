package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/storetest"
)

// All active orders are found, however many, and no single answer of a real Redis holds them all. The embedded
// Redis answers with all of them.
func TestEveryActiveOrderIsFoundAPartAtATime(t *testing.T) {
	t.Parallel()
	rdb := storetest.Start(t).Client()
	s := newStore(rdb)
	const many = 12_345
	entries := map[string]any{}
	for i := range many {
		entries[fmt.Sprint("o", i)] = fmt.Sprintf(`{"status":"editing","revision":0,"version":%d}`, i+1)
	}
	require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:active", entries).Err())
	found, err := s.Active(t.Context())
	require.NoError(t, err)
	require.Len(t, found, many)
	for id, a := range found {
		require.Equal(t, id, fmt.Sprint("o", a.Version-1))
	}
	heard := 0
	require.NoError(t, s.Orders.EachActive(t.Context(), func(string, store.Active) {
		if heard++; heard == 1 {
			require.NoError(t, rdb.Del(t.Context(), "{darkroom}:active").Err())
		}
	}))
	assert.Less(t, heard, many/2)
}

func TestDocumentsAreReadTogether(t *testing.T) {
	t.Parallel()
	rdb := storetest.Start(t).Client()
	s := newStore(rdb)
	require.NoError(t, s.Documents.PutTTL(t.Context(), "a", 1, time.Hour))
	require.NoError(t, s.Documents.PutTTL(t.Context(), "b", "two", time.Hour))
	n, text, none := 0, "", 7
	before := storetest.Spending(t, rdb)
	there, err := s.Documents.GetMany(t.Context(), map[string]any{"a": &n, "b": &text, "c": &none})
	require.NoError(t, err)
	assert.Equal(t, 1, storetest.Spending(t, rdb).Less(before).Commands)
	assert.Equal(t, map[string]bool{"a": true, "b": true}, there)
	assert.Equal(t, []any{1, "two", 7}, []any{n, text, none})
	require.NoError(t, s.Documents.PutTTL(t.Context(), "c", "no number", time.Hour))
	_, err = s.Documents.GetMany(t.Context(), map[string]any{"c": &none})
	require.ErrorContains(t, err, "document c")
}
