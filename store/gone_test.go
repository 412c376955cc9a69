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

var midday = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func miss(t *testing.T, s *store.Store, id string, at time.Time) store.Missed {
	t.Helper()
	m, err := s.Changes.Missed(t.Context(), id, at)
	require.NoError(t, err)
	return m
}

func watched(t *testing.T, s *store.Store, id string) store.Active {
	t.Helper()
	active, err := s.Active(t.Context())
	require.NoError(t, err)
	require.Contains(t, active, id)
	return active[id]
}

func happened(t *testing.T, s *store.Store, id string) []order.EventKind {
	t.Helper()
	events, err := s.Orders.Events(t.Context(), id)
	require.NoError(t, err)
	return kinds(events)
}

func TestAMissIsRememberedUntilTheOrderIsSeen(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		before := place(t, s, "1")
		assert.Equal(t, store.Missed{Since: midday, Last: midday}, miss(t, s, "1", midday))
		later := store.Missed{Since: midday, Last: midday.Add(time.Hour)}
		for range 2 { // its answer may be lost, and it is sent again
			assert.Equal(t, later, miss(t, s, "1", midday.Add(time.Hour)))
		}
		assert.Equal(t, later, watched(t, s, "1").Missed)
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, before.Version, now.Version, "nobody is told of a miss")

		assert.True(t, watched(t, s, "1").Differs(anOrder(order.StatusEditing, 0)), "any sight of it is news")
		record(t, s, "1", order.Order{})
		assert.False(t, watched(t, s, "1").Differs(anOrder(order.StatusEditing, 0)))
		assert.Zero(t, watched(t, s, "1").Missed)
		assert.Equal(t, midday.Add(2*time.Hour), miss(t, s, "1", midday.Add(2*time.Hour)).Since, "what was before it was seen does not count")
		_, err = s.Changes.Missed(t.Context(), "2", midday)
		require.ErrorIs(t, err, store.ErrNotTracked)
	})
}

func TestAnOldMissDoesNotCount(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		miss(t, s, "1", midday)
		day := midday.Add(25 * time.Hour)
		assert.Equal(t, midday, miss(t, s, "1", day).Since, "somebody looked all the time")
		late := day.Add(25*time.Hour + time.Millisecond)
		assert.Equal(t, late, miss(t, s, "1", late).Since, "nobody looked for longer than a day")
	})
}

func TestAnOrderIsGoneOnlyWhenItWasMissedSinceThen(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Changes.MarkGone(t.Context(), "1", midday))
		since := miss(t, s, "1", midday).Since
		record(t, s, "1", anOrder(order.StatusEditing, 0))
		require.NoError(t, s.Changes.MarkGone(t.Context(), "1", since))
		miss(t, s, "1", midday.Add(time.Minute))
		require.NoError(t, s.Changes.MarkGone(t.Context(), "1", since))
		assert.Equal(t, []order.EventKind{order.EventPlaced}, happened(t, s, "1"), "it was seen in between")
		require.ErrorIs(t, s.Changes.MarkGone(t.Context(), "2", midday), store.ErrNotTracked)
	})
}

func TestWhatIsGoneIsLookedAtStillAndComesBackAsOftenAsItGoes(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		want := []order.EventKind{order.EventPlaced}
		for range 2 {
			since := miss(t, s, "1", midday).Since
			for range 2 { // whoever marks it, and however often
				require.NoError(t, s.Changes.MarkGone(t.Context(), "1", since))
			}
			want = append(want, order.EventGone)
			require.Equal(t, want, happened(t, s, "1"))
			gone := watched(t, s, "1")
			assert.True(t, gone.Gone)
			assert.Equal(t, midday, gone.Missed.Since, "kept, to know when to look again")
			miss(t, s, "1", midday.Add(time.Hour))
			assert.Equal(t, midday.Add(time.Hour), watched(t, s, "1").Missed.Last)

			now, events := record(t, s, "1", anOrder(order.StatusEditing, 0))
			assert.False(t, now.Gone)
			require.Len(t, events, 1)
			want = append(want, order.EventBack)
			require.Equal(t, want, happened(t, s, "1"))
			assert.Zero(t, watched(t, s, "1").Missed)
			assert.False(t, watched(t, s, "1").Gone)
		}
		assert.Len(t, jobs(t, rdb, "C1"), 5, "the channel is told each time")
	})
}

func TestWhatHappenedMeanwhileIsToldAfterItIsBack(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Changes.MarkGone(t.Context(), "1", miss(t, s, "1", midday).Since))
		_, events := record(t, s, "1", delivered(0, "a"))
		require.Len(t, events, 2)
		assert.Equal(t, []order.EventKind{order.EventBack, order.EventReady}, kinds(events))
	})
}

func TestWhatIsGoneStaysSoWhereverItIsMoved(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Changes.MarkGone(t.Context(), "1", miss(t, s, "1", midday).Since))
		_, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		assert.True(t, watched(t, s, "1").Gone)
		assert.Equal(t, midday, watched(t, s, "1").Missed.Since)
		untrack(t, s, "1")
		active, err := s.Active(t.Context())
		require.NoError(t, err)
		assert.Empty(t, active, "nobody looks for what nobody follows")
	})
}

// An order that is gone waits as it is for somebody to see it again, and leaves with all that
// leads to it when nobody did for as long as a finished one is kept.
func TestAnOrderThatIsGoneLeavesInItsTime(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Changes.MarkGone(t.Context(), "1", miss(t, s, "1", midday).Since))
		announced(t, s, "1")
		since, err := rdb.ZScore(t.Context(), "{darkroom}:finished", "1").Result()
		require.NoError(t, err)
		miss(t, s, "1", midday.Add(time.Hour)) // a look in vain keeps nothing
		applyRetention(t, s, atOnce)
		miss(t, s, "1", midday.Add(2*time.Hour))
		kept, err := rdb.ZScore(t.Context(), "{darkroom}:shrunk", "1").Result()
		require.NoError(t, err)
		require.InDelta(t, since, kept, 0)
		require.True(t, watched(t, s, "1").Gone, "it is looked at until then")
		untilDeleted(t, s, "1")
		active, err := s.Active(t.Context())
		require.NoError(t, err)
		require.Empty(t, active)

		place(t, s, "2")
		require.NoError(t, s.Changes.MarkGone(t.Context(), "2", miss(t, s, "2", midday).Since))
		record(t, s, "2", anOrder(order.StatusEditing, 0))
		announced(t, s, "2")
		applyRetention(t, s, atOnce)
		applyRetention(t, s, soon)
		require.False(t, watched(t, s, "2").Gone, "what came back stays")
	})
}
