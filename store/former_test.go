package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// What the release before wrote: misses were counted, without a since, and an order that was
// gone was no longer among the active ones.

func TestAMissThatWasOnlyCountedIsTheFirst(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		former := map[string]any{"misses": 1, "missed_at": midday.UnixMilli(), "missed_by": "x"}
		require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:order:1", former).Err())
		soon := midday.Add(time.Minute)
		assert.Equal(t, store.Missed{Since: soon, Last: soon}, miss(t, s, "1", soon), "it takes time between two misses")
		assert.Equal(t, soon, watched(t, s, "1").Missed.Since)
	})
}

func TestAnOrderThatWasGoneUnderTheReleaseBeforeIsLookedAtAgain(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		former := map[string]any{"misses": 2, "missed_at": midday.UnixMilli(), "gone": 1}
		require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:order:1", former).Err())
		require.NoError(t, rdb.HDel(t.Context(), "{darkroom}:active", "1").Err())
		place(t, s, "2")
		record(t, s, "2", anOrder(order.StatusClosed, 0))
		applyRetention(t, s, store.Retention{Full: time.Hour})
		gone := watched(t, s, "1")
		assert.True(t, gone.Gone)
		assert.True(t, gone.Differs(anOrder(order.StatusEditing, 0)), "any sight of it is news")
		_, events := record(t, s, "1", anOrder(order.StatusEditing, 0))
		assert.Equal(t, []order.EventKind{order.EventBack}, kinds(events))
		active, err := s.Active(t.Context())
		require.NoError(t, err)
		assert.NotContains(t, active, "2", "what is done is not")
	})
}
