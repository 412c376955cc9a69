package store_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// told says everything that is recorded in the order's channel: its card, and each event
// in its thread, the ready ones with buttons.
func told(t *testing.T, s *store.Store, id, card string) {
	t.Helper()
	now, events, err := s.Announcements.Pending(t.Context(), id)
	require.NoError(t, err)
	require.NoError(t, s.Announcements.CardPosted(t.Context(), id, now.Owner.Generation, card, now.Version))
	for _, e := range events {
		posted := store.Posted{Event: e.Seq, ID: e.ID, TS: card + "." + e.ID, Buttons: e.Kind == order.EventReady}
		require.NoError(t, s.Announcements.EventPosted(t.Context(), id, now.Owner.Generation, posted))
	}
}

// channels are a team's channels with the ids of their orders.
func channels(t *testing.T, s *store.Store) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	names, err := s.Orders.Channels(t.Context(), "T1")
	require.NoError(t, err)
	for _, name := range names {
		orders, total, err := s.Orders.InChannels(t.Context(), "T1", []string{name}, nil, 0, 0)
		require.NoError(t, err)
		assert.Len(t, orders, total)
		for _, o := range orders {
			all[name] = append(all[name], o.ID)
		}
	}
	return all
}

// jobs are the ids in a channel's lane.
func jobs(t *testing.T, rdb redis.UniversalClient, channel string) []string {
	t.Helper()
	list, err := rdb.LRange(t.Context(), "{darkroom}:q:lane:channel:T1:"+channel, 0, -1).Result()
	require.NoError(t, err)
	return list
}

// leaving is the body of a leave job.
func leaving(t *testing.T, rdb redis.UniversalClient, id string) store.LeaveJob {
	t.Helper()
	h := rdb.HGetAll(t.Context(), "{darkroom}:q:job:"+id).Val()
	require.Equal(t, store.LeaveKind, h["kind"])
	var job store.LeaveJob
	require.NoError(t, json.Unmarshal([]byte(h["body"]), &job))
	return job
}

func TestAMovedOrderStartsAnewWithWhatWasNotToldYet(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "0")
		place(t, s, "1")
		record(t, s, "1", delivered(0, "a"))
		told(t, s, "1", "100.1")
		record(t, s, "1", anOrder(order.StatusRevising, 1))
		require.NoError(t, s.Announcements.BeginPost(t.Context(), "1", 1, 3))

		moved, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		assert.Equal(t, store.Owner{Team: "T1", Channel: "C2", Requester: "UMARIA", Generation: 2}, moved.Owner)
		assert.Equal(t, int64(4), moved.Version)
		assert.Empty(t, moved.CardTS)
		assert.Zero(t, moved.CardVersion)
		assert.Empty(t, moved.Thread)
		assert.Nil(t, moved.InFlight)

		now, events, err := s.Announcements.Pending(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, moved, now, "what Move returns is what is kept")
		assert.Equal(t, []string{"changes:r1", "moved:g2"}, ids(events))
		assert.Equal(t, "UBEN", events[1].Actor)
		assert.Equal(t, map[string][]string{"C1": {"0"}, "C2": {"1"}}, channels(t, s))
		assert.Equal(t, []string{"announce:1:g2:v4"}, jobs(t, rdb, "C2"))
		behind, err := s.Announcements.Unannounced(t.Context())
		require.NoError(t, err)
		assert.Contains(t, behind, "1")
		active, err := s.Active(t.Context())
		require.NoError(t, err)
		assert.Equal(t, moved.Version, active["1"].Version, "the poller reads the version here")
	})
}

func TestTheOldPlaceIsLeftTidy(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		record(t, s, "1", delivered(0, "a"))
		record(t, s, "1", delivered(1, "b"))
		record(t, s, "1", delivered(2, "c"))
		told(t, s, "1", "100.1")
		require.NoError(t, s.Announcements.ReviewSettled(t.Context(), "1", 1, store.Posted{TS: "100.1.ready:r0", Ended: "approved"}))
		require.NoError(t, s.Announcements.ReviewSettled(t.Context(), "1", 1, store.Posted{TS: "100.1.ready:r1", Ended: store.ForNow + "waits"}))
		require.NoError(t, s.Announcements.BeginPost(t.Context(), "1", 1, 7))
		_, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)

		list := jobs(t, rdb, "C1")
		assert.Equal(t, "leave:1:g1", list[len(list)-1])
		job := leaving(t, rdb, "leave:1:g1")
		require.NotNil(t, job.Posting)
		assert.WithinDuration(t, time.Now(), job.Posting.At, time.Minute)
		job.Posting.At = time.Time{}
		assert.Equal(t, store.LeaveJob{
			Order: "1", Team: "T1", Channel: "C1", Generation: 1, CardTS: "100.1",
			Replies: []store.Posted{
				{Event: 4, ID: "ready:r1", TS: "100.1.ready:r1", Ended: store.ForNow + "waits"},
				{Event: 6, ID: "ready:r2", TS: "100.1.ready:r2", Buttons: true},
			},
			Posting: &store.InFlight{Event: 7},
		}, job)
		require.ErrorIs(t, s.Announcements.EventPosted(t.Context(), "1", 1, store.Posted{Event: 7, TS: "late"}), store.ErrMoved)
		assert.Zero(t, rdb.Exists(t.Context(), "{darkroom}:thread:T1:C1:100.1").Val())
	})
}

func TestNothingIsLeftWhereNothingWasPosted(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		_, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		assert.Equal(t, []string{"announce:1:g1:v1"}, jobs(t, rdb, "C1"))
		require.NoError(t, s.Announcements.BeginPost(t.Context(), "1", 2, 0))
		_, err = s.Changes.Move(t.Context(), "1", "C3", "UBEN")
		require.NoError(t, err)
		job := leaving(t, rdb, "leave:1:g2")
		assert.Empty(t, job.CardTS)
		require.NotNil(t, job.Posting, "its card may be out")
		list, err := s.Orders.Channels(t.Context(), "T1")
		require.NoError(t, err)
		assert.Equal(t, []string{"C3"}, list, "a channel without orders is none of them")
	})
}

func TestAnOldThreadNeverFindsTheOrderAgain(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		told(t, s, "1", "100.1")
		told(t, s, "1", "100.2") // the first card was deleted: a new one
		finds := func(channel, ts string) bool {
			t.Helper()
			found, err := s.Orders.ByThread(t.Context(), "T1", channel, ts)
			if err != nil {
				require.ErrorIs(t, err, store.ErrNotTracked)
			}
			return found.ID == "1"
		}
		assert.True(t, finds("C1", "100.1"))
		assert.True(t, finds("C1", "100.2"))
		for _, channel := range []string{"C2", "C1"} {
			_, err := s.Changes.Move(t.Context(), "1", channel, "UBEN")
			require.NoError(t, err)
			assert.False(t, finds("C1", "100.1"), channel)
			assert.False(t, finds("C1", "100.2"), channel)
		}
		told(t, s, "1", "100.3")
		assert.True(t, finds("C1", "100.3"))
		assert.False(t, finds("C2", "100.3"))
	})
}

func TestMovingWithinTheChannelChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		first := place(t, s, "1")
		before := dump(t, rdb)
		again, err := s.Changes.Move(t.Context(), "1", "C1", "UBEN")
		require.NoError(t, err)
		assert.Equal(t, first, again)
		assert.Equal(t, before, dump(t, rdb))
		_, err = s.Changes.Move(t.Context(), "2", "C1", "UBEN")
		require.ErrorIs(t, err, store.ErrNotTracked)
	})
}

func TestTheIntentMovesWithItsOrder(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Changes.Intend(t.Context(), "1", order.Intent{Verb: order.VerbCancel, Actor: "UMARIA", Job: "j"}))
		_, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		_, events := record(t, s, "1", anOrder(order.StatusCanceled, 0))
		assert.Equal(t, "UMARIA", events[0].Actor)
	})
}

func TestOfManyMovesEachIsToldOnceAndOneChannelHasTheOrder(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		told(t, s, "1", "100.1")
		var wg sync.WaitGroup
		for _, channel := range []string{"C2", "C3", "C2", "C3"} {
			wg.Go(func() {
				_, err := s.Changes.Move(t.Context(), "1", channel, "UBEN")
				assert.NoError(t, err)
			})
		}
		wg.Wait()
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, map[string][]string{now.Owner.Channel: {"1"}}, channels(t, s))
		all, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, now.Owner.Generation, len(all), "one event a move, and placed")
		assert.Equal(t, int64(len(all)), now.LastEvent)
		assert.Equal(t, "100.1", leaving(t, rdb, "leave:1:g1").CardTS)
		assert.Zero(t, rdb.Exists(t.Context(), "{darkroom}:q:job:leave:1:g2").Val(), "nobody posted anything there")
	})
}

func TestACardPostedWhileTheOrderMovesIsLeftTidyToo(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		operator := overtaken(t, rdb, func(other *store.Store) { told(t, other, "1", "100.1") })
		_, err := operator.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		assert.Equal(t, "100.1", leaving(t, rdb, "leave:1:g1").CardTS)
		assert.Zero(t, rdb.Exists(t.Context(), "{darkroom}:thread:T1:C1:100.1").Val())
		_, err = s.Orders.ByThread(t.Context(), "T1", "C1", "100.1")
		require.ErrorIs(t, err, store.ErrNotTracked)
	})
}

func TestACardPostedWhileTheOrderIsTrackedAgainIsLeftTidyToo(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		untrack(t, s, "1")
		operator := overtaken(t, rdb, func(other *store.Store) { told(t, other, "1", "100.1") })
		now, err := operator.Changes.AddOrder(t.Context(), store.NewOrder{
			ID: "1", Owner: store.Owner{Team: "T1", Channel: "C2", Requester: "UBEN"}, Adopted: true, Order: anOrder(order.StatusEditing, 0),
		})
		require.NoError(t, err)
		assert.Equal(t, "C2", now.Owner.Channel)
		assert.Equal(t, "100.1", leaving(t, rdb, "leave:1:g1").CardTS)
		assert.Zero(t, rdb.Exists(t.Context(), "{darkroom}:thread:T1:C1:100.1").Val())
	})
}

func TestAMoveAndARecordAtOnceBothHappen(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		operator := overtaken(t, rdb, func(other *store.Store) { record(t, other, "1", delivered(0, "a")) })
		_, err := operator.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err, "the change was first: the move is made of what it left")

		known, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		poller := overtaken(t, rdb, func(other *store.Store) {
			_, err := other.Changes.Move(t.Context(), "1", "C3", "UBEN")
			assert.NoError(t, err)
		})
		_, _, err = poller.Changes.Record(t.Context(), "1", known.Version, anOrder(order.StatusClosed, 0))
		require.ErrorIs(t, err, store.ErrStale, "the move was first: fetch again")
		record(t, s, "1", anOrder(order.StatusClosed, 0))

		all, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, "placed ready:r0 moved:g2 moved:g3 approved", strings.Join(ids(all), " "))
		list := jobs(t, rdb, "C3")
		assert.Equal(t, "announce:1:g3:v5", list[len(list)-1])
	})
}
