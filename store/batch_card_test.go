package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/retention"
)

// placeBatch places a batch of n orders in C1.
func placeBatch(t *testing.T, s *store.Store, n int) {
	t.Helper()
	b := store.OrderBatch{ID: "b1", Team: "T1", User: "UMARIA", Channel: "C1", Name: "spring.csv", Run: "run1", Rows: make([]order.BatchRow, n)}
	require.NoError(t, s.BatchCards.Begin(t.Context(), b))
	b.Run = "run2"
	require.NoError(t, s.BatchCards.Begin(t.Context(), b), "twice is once")
	for i := range n {
		_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
			ID: fmt.Sprint("o", i), Owner: owner, Batch: "b1", Order: order.Order{Status: order.StatusEditing, OrderedAt: time.Unix(int64(1000+i), 0)},
		})
		require.NoError(t, err)
	}
}

// inBatch returns the ids of the batch's orders in its channel.
func inBatch(t *testing.T, s *store.Store) (ids []string) {
	t.Helper()
	orders, err := s.BatchCards.Orders(t.Context(), store.BatchCard{ID: "b1"})
	require.NoError(t, err)
	for _, o := range orders {
		ids = append(ids, o.ID)
	}
	return ids
}

func TestABatchHasTheOrdersThatAreInItsChannel(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		_, err := s.BatchCards.Card(t.Context(), "b1")
		require.ErrorIs(t, err, store.ErrNoBatchCard)
		placeBatch(t, s, 3)
		require.Equal(t, []string{"o2", "o1", "o0"}, inBatch(t, s), "newest first")
		require.Negative(t, rdb.PTTL(t.Context(), "{darkroom}:batch:b1").Val(), "it stays with its orders")
		require.NoError(t, s.Announcements.InThread(t.Context(), "o0", 1, "50.1"))
		told(t, s, "o0", "100.1")

		_, err = s.Changes.Move(t.Context(), "o0", "C2", "UBEN")
		require.NoError(t, err)
		moved, err := s.Orders.Order(t.Context(), "o0")
		require.NoError(t, err)
		require.Empty(t, moved.Batch+moved.Root, "it begins a thread of its own")
		left := leaving(t, rdb, "leave:o0:g1")
		require.Equal(t, []string{"b1", "50.1"}, []string{left.Batch, left.Root})
		_, err = s.Changes.Untrack(t.Context(), "o1", "UBEN")
		require.NoError(t, err)
		_, err = s.Changes.Untrack(t.Context(), "o1", "UBEN")
		require.NoError(t, err)
		gone, err := s.Orders.Order(t.Context(), "o1")
		require.NoError(t, err)
		require.Equal(t, "b1", gone.Batch, "its last event belongs in the thread")
		card, err := s.BatchCards.Card(t.Context(), "b1")
		require.NoError(t, err)
		require.Equal(t, 2, card.Left)
		require.Equal(t, []string{"o2"}, inBatch(t, s))
		_, err = s.Changes.Move(t.Context(), "o2", "C2", "UBEN")
		require.NoError(t, err)
		require.Positive(t, rdb.PTTL(t.Context(), "{darkroom}:batch:b1").Val(), "without orders it is let go")
	})
}

func TestABatchIsLetGoWithItsLastOrder(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		placeBatch(t, s, 1)
		record(t, s, "o0", anOrder(order.StatusClosed, 0))
		announced(t, s, "o0")
		applyRetention(t, s, atOnce)
		shrunk, err := s.Orders.Order(t.Context(), "o0")
		require.NoError(t, err)
		require.True(t, shrunk.Shrunk)
		require.Equal(t, "b1", shrunk.Batch)
		require.Equal(t, []string{"o0"}, inBatch(t, s), "its card still counts it")
		untilDeleted(t, s, "o0")
		require.Empty(t, inBatch(t, s))
		require.Positive(t, rdb.PTTL(t.Context(), "{darkroom}:batch:b1").Val())
	})
}

func TestADraftThatNamesAnotherChannelLeavesItsBatch(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		placeBatch(t, s, 1)
		for channel, batch := range map[string]string{"C1": "b1", "C2": ""} {
			id, err := s.BatchCards.Of(t.Context(), store.Draft{Batch: "b1", Team: "T1", Channel: channel})
			require.NoError(t, err)
			require.Equal(t, batch, id, channel)
		}
		id, err := s.BatchCards.Of(t.Context(), store.Draft{Batch: "b2", Team: "T1", Channel: "C1"})
		require.NoError(t, err)
		require.Empty(t, id, "a single order has no batch's card")
	})
}

// nothingWaits removes all jobs and drafts, so that a person can be forgotten.
func nothingWaits(t *testing.T, rdb redis.UniversalClient) {
	t.Helper()
	for _, key := range []string{"q:*", "draft:*"} {
		for _, found := range rdb.Keys(t.Context(), "{darkroom}:"+key).Val() {
			require.NoError(t, rdb.Del(t.Context(), found).Err())
		}
	}
}

func TestWhatABatchSavesIsReadBack(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		require.NoError(t, s.BatchCards.CardPosted(t.Context(), "b1", "1.1", "x", time.Now()), "nothing is written of an unknown one")
		placeBatch(t, s, 2)
		require.NoError(t, s.BatchCards.Progressed(t.Context(), "b1", 1, 2))
		require.NoError(t, s.BatchCards.Posting(t.Context(), "b1", time.UnixMilli(5000)))
		card, err := s.BatchCards.Card(t.Context(), "b1")
		require.NoError(t, err)
		require.Equal(t, int64(5000), card.Posting.UnixMilli())
		told := store.Deliveries{Last: 1, Messages: []store.DeliveryMessage{{Number: 1, TS: "2.2", Asks: []string{"UMARIA"}, Orders: []store.Delivery{{Order: "o0", Event: "ready:r0"}}}}}
		require.NoError(t, s.BatchCards.SaveDeliveries(t.Context(), "b1", told))
		require.NoError(t, s.BatchCards.CardPosted(t.Context(), "b1", "1.1", "x", time.UnixMilli(6000)))
		require.NoError(t, s.BatchCards.Compared(t.Context(), "b1", "run9"))
		card, err = s.BatchCards.Card(t.Context(), "b1")
		require.NoError(t, err)
		card.Begun = time.Time{}
		require.Equal(t, store.BatchCard{
			ID: "b1", Team: "T1", Channel: "C1", Requester: "UMARIA", Name: "spring.csv", Total: 2, Held: 1, Failed: 2, TS: "1.1", Shown: "x",
			ShownAt: time.UnixMilli(6000).UTC(), Compared: "run9", Deliveries: told,
		}, card)
		require.True(t, told.Has(store.Delivery{Order: "o0", Event: "ready:r0"}))
		require.False(t, told.Has(store.Delivery{Order: "o0", Event: "ready:r1", Round: 1}))

		nothingWaits(t, rdb)
		_, err = retention.NewPeople(s).Forget(t.Context(), "UMARIA", false)
		require.NoError(t, err)
		card, err = s.BatchCards.Card(t.Context(), "b1")
		require.NoError(t, err)
		require.Equal(t, order.FormerPerson, card.Requester)
		require.NotContains(t, rdb.HGet(t.Context(), "{darkroom}:batch:b1", "deliveries").Val(), "UMARIA")
	})
}

// A delivery that is told between the look at a card and its rewriting stays told.
func TestForgettingAPersonLosesNoDeliveryOfABatch(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		placeBatch(t, s, 2)
		nothingWaits(t, rdb)
		told := store.Deliveries{Last: 1, Messages: []store.DeliveryMessage{{Number: 1, TS: "2.2", Asks: []string{"UMARIA"}, Orders: []store.Delivery{{Order: "o0", Event: "ready:r0"}}}}}
		late := overtaken(t, rdb, func(other *store.Store) { require.NoError(t, other.BatchCards.SaveDeliveries(t.Context(), "b1", told)) })
		counts, err := retention.NewPeople(late).Forget(t.Context(), "UMARIA", false)
		require.NoError(t, err)
		require.Equal(t, 1, counts.Documents)
		card, err := s.BatchCards.Card(t.Context(), "b1")
		require.NoError(t, err)
		require.Equal(t, order.FormerPerson, card.Requester)
		require.True(t, card.Deliveries.Has(store.Delivery{Order: "o0", Event: "ready:r0"}))
		require.Equal(t, []string{order.FormerPerson}, card.Deliveries.Messages[0].Asks)
	})
}

func TestUpdatesOfABatchWithinSecondsAreOneJob(t *testing.T) {
	at := time.Unix(3000, 0)
	first, after := store.BatchUpdate("T1", "C1", "b1", at)
	second, _ := store.BatchUpdate("T1", "C1", "b1", at.Add(2*time.Second))
	later, _ := store.BatchUpdate("T1", "C1", "b1", at.Add(4*time.Second))
	require.Equal(t, first.ID, second.ID)
	require.NotEqual(t, first.ID, later.ID)
	require.Equal(t, 3*time.Second, after, "no update is due before what it shows")
}
