package store_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

func TestPlacingTwiceStealsNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		first := place(t, s, "1")
		assert.Equal(t, int64(1), first.Version)
		assert.Equal(t, int64(1), first.LastEvent)
		assert.Equal(t, 1, first.Owner.Generation)
		before := dump(t, rdb)
		second, err := s.Changes.AddOrder(t.Context(), store.NewOrder{ID: "1", Reference: "OTHER", Owner: store.Owner{Team: "T1", Channel: "C2", Requester: "UBEN"}})
		require.NoError(t, err)
		assert.Equal(t, first, second)
		assert.Equal(t, before, dump(t, rdb))
	})
}

// An order that Redis forgot has a card, and its channel may show more than that.
func TestAnOrderThatIsAddedAgainHasTheCardThatWasFound(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		run, err := s.Server.Run(t.Context())
		require.NoError(t, err)
		fresh := place(t, s, "1")
		require.Empty(t, fresh.CardTS)
		require.WithinDuration(t, run.Since, fresh.Compared, 0, "its channel shows nothing of it")
		again, err := s.Changes.AddOrder(t.Context(), store.NewOrder{ID: "2", Owner: owner, Card: "1.1", Shown: true})
		require.NoError(t, err)
		require.Equal(t, "1.1", again.CardTS)
		require.Zero(t, again.CardVersion)
		require.Zero(t, again.Compared)
	})
}

func TestAReferenceThatCouldNotBeGivenIsNotSaidToBe(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		late := store.NewOrder{ID: "1", Owner: owner, Adopted: true}
		_, err := s.Changes.AddOrder(t.Context(), late)
		require.NoError(t, err)
		late.Reference = "K7Q2XM"
		read, write := &refusing{command: "hgetall"}, &refusing{command: "evalsha"}
		rdb.AddHook(read)
		rdb.AddHook(write)
		read.next.Store(1)
		_, err = s.Changes.AddOrder(t.Context(), late)
		require.ErrorIs(t, err, errRefused)
		rdb.AddHook(before(func(cmd redis.Cmder) {
			if cmd.Name() == "hgetall" { // the next script writes
				write.next.Store(1)
			}
		}))
		_, err = s.Changes.AddOrder(t.Context(), late)
		require.ErrorIs(t, err, errRefused)
	})
}

func TestAChangeAndItsJobAreOneStep(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		now, events := record(t, s, "1", delivered(0, "a"))
		require.Equal(t, []string{"ready:r0"}, ids(events))
		assert.Equal(t, int64(2), events[0].Seq)
		assert.Equal(t, int64(2), now.Version)
		kept, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, kept, now, "what Record returns is what is kept")
		jobs, err := rdb.LRange(t.Context(), "{darkroom}:q:lane:channel:T1:C1", 0, -1).Result()
		require.NoError(t, err)
		assert.Equal(t, []string{"announce:1:g1:v1", "announce:1:g1:v2"}, jobs)
		body := rdb.HGet(t.Context(), "{darkroom}:q:job:announce:1:g1:v2", "body").Val()
		assert.JSONEq(t, `{"order":"1","generation":1}`, body)
	})
}

func TestAQuietLookWritesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		record(t, s, "1", delivered(0, "a", "b"))
		before := dump(t, rdb)
		now, events := record(t, s, "1", delivered(0, "a", "b"))
		assert.Empty(t, events)
		assert.Equal(t, int64(2), now.Version)
		assert.Equal(t, before, dump(t, rdb))
	})
}

func TestALateAnswerNeverOverwritesANewerTruth(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		old := place(t, s, "1")
		record(t, s, "1", anOrder(order.StatusClosed, 0))
		_, _, err := s.Changes.Record(t.Context(), "1", old.Version, delivered(0, "a"))
		require.ErrorIs(t, err, store.ErrStale)
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, order.StatusClosed, now.Order.Status)
		_, _, err = s.Changes.Record(t.Context(), "2", 1, delivered(0, "a"))
		require.ErrorIs(t, err, store.ErrNotTracked)
	})
}

func TestWhoeverRecordsFirstTellsWhoseItIs(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		record(t, s, "1", delivered(0, "a"))
		require.NoError(t, s.Changes.Intend(t.Context(), "1", order.Intent{Verb: order.VerbApprove, Actor: "UMARIA", Words: []string{"lovely"}, Job: "j"}))
		before, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, int64(2), before.Version, "an intent is no change")

		now, events, err := s.Changes.Record(t.Context(), "1", before.Version, anOrder(order.StatusClosed, 0)) // the poller
		require.NoError(t, err)
		require.Equal(t, []string{"approved"}, ids(events))
		assert.Equal(t, "UMARIA", events[0].Actor)
		assert.Nil(t, now.Intent)

		_, _, err = s.Changes.Record(t.Context(), "1", before.Version, anOrder(order.StatusClosed, 0)) // the command
		require.ErrorIs(t, err, store.ErrStale)
		_, events = record(t, s, "1", anOrder(order.StatusClosed, 0))
		assert.Empty(t, events)
	})
}

func TestARefusalTakesBackOnlyItsOwnIntent(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Changes.Intend(t.Context(), "1", order.Intent{Verb: order.VerbCancel, Actor: "U1", Job: "one"}))
		require.NoError(t, s.Changes.ClearIntent(t.Context(), "1", "two"))
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.NotNil(t, now.Intent)
		require.NoError(t, s.Changes.ClearIntent(t.Context(), "1", "one"))
		_, events := record(t, s, "1", anOrder(order.StatusCanceled, 0))
		assert.Empty(t, events[0].Actor, "the cancel that happened is not the one refused")
		require.ErrorIs(t, s.Changes.Intend(t.Context(), "2", order.Intent{}), store.ErrNotTracked)
		require.ErrorIs(t, s.Changes.ClearIntent(t.Context(), "2", "one"), store.ErrNotTracked)
	})
}

func TestManyRecordersMakeOneCourse(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		var wg sync.WaitGroup
		var mu sync.Mutex
		told := map[string]int{}
		for range 16 {
			wg.Go(func() {
				for _, seen := range []order.Order{delivered(0, "a"), anOrder(order.StatusRevising, 1), delivered(1, "b"), anOrder(order.StatusClosed, 1)} {
					now, err := s.Orders.Order(t.Context(), "1")
					assert.NoError(t, err)
					_, events, err := s.Changes.Record(t.Context(), "1", now.Version, seen)
					if err != nil {
						assert.ErrorIs(t, err, store.ErrStale)
					}
					mu.Lock()
					for _, id := range ids(events) {
						told[id]++
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		all, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, int64(len(all)), now.LastEvent)
		for i, e := range all {
			assert.Equal(t, int64(i+1), e.Seq)
			if e.Kind != order.EventPlaced {
				assert.Equal(t, 1, told[e.ID], fmt.Sprintf("%s was returned to exactly one", e.ID))
			}
		}
	})
}
