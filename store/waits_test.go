package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/storetest"
)

func TestWhatWaitsIsKeptAndAnnouncedWhenItChanges(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		before, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		jobs := func() int {
			return len(storetest.Main(t.Context(), rdb).Keys(t.Context(), "*job:announce:1:*:waits:*").Val())
		}
		waits := []store.Wait{{Verb: order.VerbCancel, Actor: "UMARIA"}}
		until := time.Now().Add(time.Minute)
		for range 2 {
			require.NoError(t, s.Changes.NoteWaits(t.Context(), "1", waits, until))
			assert.Equal(t, 1, jobs(), "the same is announced once")
		}
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, before.Version, now.Version, "it is no change of the order")
		assert.Equal(t, waits, now.Waiting(time.Now()))
		assert.True(t, now.ChangeWaits(time.Now()))
		assert.Empty(t, now.Waiting(until), "it counts only so long")

		require.NoError(t, s.Changes.NoteWaits(t.Context(), "1", nil, time.Now()))
		require.NoError(t, s.Changes.NoteWaits(t.Context(), "1", nil, time.Now()))
		assert.Equal(t, 2, jobs())
		now, err = s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Empty(t, now.Waits)

		_, err = s.Changes.Untrack(t.Context(), "1", "UBEN")
		require.NoError(t, err)
		require.ErrorIs(t, s.Changes.NoteWaits(t.Context(), "1", waits, until), store.ErrNotTracked)
		require.ErrorIs(t, s.Changes.NoteWaits(t.Context(), "none", waits, until), store.ErrNotTracked)
	})
}

// What was noted has run out before it is noted again: the channel was told meanwhile that nothing waits.
func TestWhatWaitsIsAnnouncedAgainWhenItRanOutBetween(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		waits := []store.Wait{{Verb: order.VerbApprove, Actor: "UMARIA"}}
		for announced, until := range []time.Time{time.Now().Add(-time.Second), time.Now().Add(time.Minute), time.Now().Add(2 * time.Minute)} {
			require.NoError(t, s.Changes.NoteWaits(t.Context(), "1", waits, until))
			assert.Len(t, storetest.Main(t.Context(), rdb).Keys(t.Context(), "*job:announce:1:*:waits:*").Val(), min(announced+1, 2))
		}
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, waits, now.Waiting(time.Now()))
	})
}

// While one change waits no other is offered; a message keeps nobody from anything.
func TestWhatIsOfferedWhileSomethingWaits(t *testing.T) {
	now := time.Now()
	o := store.Tracked{Known: order.Known{Order: order.Order{Status: order.StatusReviewing, OrderedAt: now}}, WaitsUntil: now.Add(time.Minute)}
	for waits, want := range map[string]bool{order.VerbApprove: false, order.VerbRevise: false, order.VerbCancel: false, order.VerbMessage: true, order.VerbReference: true} {
		o.Waits = []store.Wait{{Verb: waits}}
		for _, verb := range []string{order.VerbApprove, order.VerbRevise, order.VerbCancel} {
			assert.Equal(t, want, o.Offers(verb, now), "%s while %s waits", verb, waits)
			assert.True(t, o.Can(verb), "by name it may be asked for")
		}
		assert.True(t, o.Offers(order.VerbMessage, now))
	}
}
