package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// requested are the orders that the person asked for.
func requested(t *testing.T, s *store.Store, user string) (ids []string) {
	t.Helper()
	orders, _, err := s.Orders.Requested(t.Context(), "T1", user, nil, 0, 10)
	require.NoError(t, err)
	for _, o := range orders {
		ids = append(ids, o.ID)
	}
	return ids
}

func TestAnOrderThatIsTakenOverIsWhollyTheOthers(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		told(t, s, "1", "100.1")
		now, err := s.Changes.TakeOver(t.Context(), "1", "UMARIA", "UBEN")
		require.NoError(t, err)
		assert.Equal(t, store.Owner{Team: "T1", Channel: "C1", Requester: "UBEN", Generation: 1}, now.Owner)
		assert.Equal(t, "100.1", now.CardTS, "it stays where it is")
		assert.Equal(t, int64(2), now.Version)
		assert.Empty(t, requested(t, s, "UMARIA"))
		assert.Equal(t, []string{"1"}, requested(t, s, "UBEN"))

		_, events, err := s.Announcements.Pending(t.Context(), "1")
		require.NoError(t, err)
		require.Equal(t, []string{"taken:v2"}, ids(events))
		assert.Equal(t, "UBEN", events[0].Actor)
		assert.WithinDuration(t, time.Now(), events[0].At, time.Minute)
		assert.Contains(t, jobs(t, rdb, "C1"), "announce:1:g1:v2")
		active, err := s.Active(t.Context())
		require.NoError(t, err)
		assert.Equal(t, now.Version, active["1"].Version, "the poller reads the version here")

		again, err := s.Changes.TakeOver(t.Context(), "1", "UMARIA", "UBEN")
		require.NoError(t, err, "it is theirs")
		assert.Equal(t, now.Version, again.Version, "nothing is done twice")
	})
}

func TestOfManyWhoTakeAnOrderOverOneGetsIt(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		var (
			all  sync.WaitGroup
			mu   sync.Mutex
			got  []string
			read []string
		)
		for i := range 8 {
			all.Go(func() {
				who := fmt.Sprint("UHEIR", i)
				now, err := newStore(rdb).Changes.TakeOver(t.Context(), "1", "UMARIA", who)
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					got = append(got, who)
				} else if assert.ErrorIs(t, err, store.ErrTaken) {
					read = append(read, now.Owner.Requester)
				}
			})
		}
		all.Wait()
		require.Len(t, got, 1)
		require.Equal(t, slices.Repeat(got, 7), read, "the others read who")
		assert.Equal(t, got, []string{must(s.Orders.Order(t.Context(), "1")).Owner.Requester})
		events, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		require.Equal(t, []string{"placed", "taken:v2"}, ids(events), "once")
	})
}

// must is a value that is there.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A move or a change between another's read and write of the order is not lost.
func TestWhatHappensMeanwhileStaysWhenAnOrderIsTakenOver(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		late := overtaken(t, rdb, func(other *store.Store) {
			_, err := other.Changes.Move(t.Context(), "1", "C2", "UOLGA")
			assert.NoError(t, err)
			record(t, other, "1", anOrder(order.StatusClosed, 0))
		})
		now, err := late.Changes.TakeOver(t.Context(), "1", "UMARIA", "UBEN")
		require.NoError(t, err)
		assert.Equal(t, store.Owner{Team: "T1", Channel: "C2", Requester: "UBEN", Generation: 2}, now.Owner)
		assert.Equal(t, order.StatusClosed, now.Order.Status)
	})
}

func TestAnOrderThatLeftIsTakenOverByNobody(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		_, err := s.Changes.Untrack(t.Context(), "1", "UOLGA")
		require.NoError(t, err)
		_, err = s.Changes.TakeOver(t.Context(), "1", "UMARIA", "UBEN")
		require.True(t, errors.Is(err, store.ErrNotTracked))
	})
}

// What says that the requester is gone is tidied where the order leaves, though it has no other buttons.
func TestAnOfferToTakeOverIsLeftTidyToo(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		told(t, s, "1", "100.1")
		require.NoError(t, s.Announcements.EventPosted(t.Context(), "1", 1, store.Posted{Event: 1, ID: "placed", TS: "100.2", Ownerless: true}))
		_, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		require.Equal(t, []store.Posted{{Event: 1, ID: "placed", TS: "100.2", Ownerless: true}}, leaving(t, rdb, "leave:1:g1").Replies)
	})
}

func TestAnOfferCountsForOneGeneration(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		offer := store.Offer{Generation: 1, People: []string{"UBEN"}}
		require.NoError(t, s.Documents.PutTTL(t.Context(), store.OfferDoc("1"), offer, time.Hour))
		now, err := s.Documents.Offer(t.Context(), must(s.Orders.Order(t.Context(), "1")))
		require.NoError(t, err)
		require.Equal(t, offer, now)
		moved, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		now, err = s.Documents.Offer(t.Context(), moved)
		require.NoError(t, err)
		require.Zero(t, now)
	})
}
