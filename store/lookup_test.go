package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

func TestAnOrderIsFoundByIDAndByReference(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		for _, name := range []string{"1", "REF1", "ref1", " [REF1] "} {
			found, err := s.Orders.Find(t.Context(), name)
			require.NoError(t, err, name)
			assert.Equal(t, "1", found.ID)
		}
		for _, name := range []string{"", "2", "REF2", "[]"} {
			_, err := s.Orders.Find(t.Context(), name)
			require.ErrorIs(t, err, store.ErrNotTracked, name)
		}
	})
}

func TestAChannelsOrdersComeNewestFirst(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		for n := range 5 {
			_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
				ID: fmt.Sprint(n), Owner: owner,
				Order: order.Order{Status: order.StatusEditing, OrderedAt: time.Unix(int64(1000+n), 0)},
			})
			require.NoError(t, err)
		}
		page := func(channel string, offset, limit int) ([]string, int) {
			t.Helper()
			orders, total, err := s.Orders.InChannels(t.Context(), "T1", []string{channel}, nil, offset, limit)
			require.NoError(t, err)
			var ids []string
			for _, o := range orders {
				ids = append(ids, o.ID)
			}
			return ids, total
		}
		got, total := page("C1", 1, 2)
		assert.Equal(t, []string{"3", "2"}, got)
		assert.Equal(t, 5, total)
		got, _ = page("C1", 0, 0)
		assert.Equal(t, []string{"4", "3", "2", "1", "0"}, got)
		got, total = page("C2", 0, 10)
		assert.Empty(t, got)
		assert.Zero(t, total)
	})
}

func TestAReferenceIsOneDraftsThenOneOrders(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		reserve := func(draft string) bool {
			t.Helper()
			ok, err := s.Drafts.ReserveReference(t.Context(), "REF1", draft)
			require.NoError(t, err)
			return ok
		}
		assert.True(t, reserve("a"))
		assert.True(t, reserve("a"), "asking again is safe")
		assert.False(t, reserve("b"))
		_, err := s.Orders.Find(t.Context(), "REF1")
		require.ErrorIs(t, err, store.ErrNotTracked, "only reserved")
		place(t, s, "1")
		assert.False(t, reserve("a"))
		assert.Equal(t, time.Duration(-1), rdb.TTL(t.Context(), "{darkroom}:reference:REF1").Val(), "an order's reference stays")
		_, err = s.Changes.AddOrder(t.Context(), store.NewOrder{ID: "2", Reference: "REF1", Owner: owner})
		require.NoError(t, err)
		found, err := s.Orders.Find(t.Context(), "REF1")
		require.NoError(t, err)
		assert.Equal(t, "1", found.ID)
	})
}

// A page of an order costs one round trip.
func TestAnOrderIsReadWithItsEvents(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		record(t, s, "1", delivered(0, "a"))
		var trips [][]string
		rdb.AddHook(hooked{pipeline: func(cmds []redis.Cmder) {
			var names []string
			for _, cmd := range cmds {
				names = append(names, cmd.Name())
			}
			if names[0] == "hgetall" { // and not of a new connection
				trips = append(trips, names)
			}
		}})
		got, events, err := s.Orders.WithEvents(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, [][]string{{"hgetall", "lrange"}}, trips)
		want, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, want, got)
		all, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, all, events)
		assert.Len(t, events[len(events)-1].Order.EditedImages, 1, "with the pictures of the snapshot")
		_, _, err = s.Orders.WithEvents(t.Context(), "2")
		require.ErrorIs(t, err, store.ErrNotTracked)
		require.NoError(t, rdb.RPush(t.Context(), "{darkroom}:events:1", "{").Err())
		_, _, err = s.Orders.WithEvents(t.Context(), "1")
		require.ErrorContains(t, err, "event 3")
	})
}

func TestBrokenDataIsAnErrorNotAnEmptyOrder(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:order:1", "version", "x", "order", "{").Err())
		_, err := s.Orders.Order(t.Context(), "1")
		require.ErrorContains(t, err, "field version:")
		require.ErrorContains(t, err, "field order:")
		_, _, err = s.Orders.InChannels(t.Context(), "T1", []string{"C1"}, nil, 0, 10)
		require.Error(t, err)
		require.NoError(t, rdb.HSet(t.Context(), "{darkroom}:active", "1", "{").Err())
		_, err = s.Active(t.Context())
		require.Error(t, err)
		require.NoError(t, rdb.RPush(t.Context(), "{darkroom}:events:1", "{").Err())
		_, err = s.Orders.Events(t.Context(), "1")
		require.ErrorContains(t, err, "event 2")
	})
}
