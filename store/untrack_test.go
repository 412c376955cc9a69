package store_test

import (
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

// untrack is Ben untracking an order.
func untrack(t *testing.T, s *store.Store, id string) store.Tracked {
	t.Helper()
	now, err := s.Changes.Untrack(t.Context(), id, "UBEN")
	require.NoError(t, err)
	return now
}

func TestAnUntrackedOrderIsInNoListAndFoundByNoName(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		told(t, s, "1", "100.1")
		require.NoError(t, s.Changes.Intend(t.Context(), "1", order.Intent{Verb: order.VerbCancel, Job: "j"}))
		left := untrack(t, s, "1")
		assert.True(t, left.Untracked)
		assert.Nil(t, left.Intent)
		assert.Equal(t, int64(2), left.Version)

		for _, name := range []string{"1", "REF1"} {
			_, err := s.Orders.Find(t.Context(), name)
			require.ErrorIs(t, err, store.ErrNotTracked, name)
		}
		_, err := s.Orders.ByThread(t.Context(), "T1", "C1", "100.1")
		require.ErrorIs(t, err, store.ErrNotTracked)
		assert.Empty(t, channels(t, s))
		mine, total, err := s.Orders.Requested(t.Context(), "T1", "UMARIA", nil, 0, 0)
		require.NoError(t, err)
		assert.Empty(t, mine)
		assert.Zero(t, total)
		active, err := s.Active(t.Context())
		require.NoError(t, err)
		assert.Empty(t, active)
		require.ErrorIs(t, s.Changes.Intend(t.Context(), "1", order.Intent{Verb: order.VerbCancel}), store.ErrNotTracked)
		_, err = s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.ErrorIs(t, err, store.ErrNotTracked)
	})
}

func TestItsChannelIsToldOfTheEndAndThenNothingMore(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		told(t, s, "1", "100.1")
		left := untrack(t, s, "1")
		now, events, err := s.Announcements.Pending(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, left, now)
		assert.Equal(t, []string{"untracked:g1"}, ids(events))
		assert.Equal(t, "UBEN", events[0].Actor)
		list := jobs(t, rdb, "C1")
		assert.Equal(t, "announce:1:g1:v2", list[len(list)-1])
		told(t, s, "1", "100.1")
		behind, err := s.Announcements.Unannounced(t.Context())
		require.NoError(t, err)
		assert.Empty(t, behind)

		late, events := record(t, s, "1", delivered(0, "a"))
		assert.Empty(t, events)
		assert.Equal(t, order.StatusReviewing, late.Order.Status, "whoever still works on it sees the truth")
		_, err = s.Changes.Missed(t.Context(), "1", time.Now())
		require.ErrorIs(t, err, store.ErrNotTracked)
		again := untrack(t, s, "1")
		assert.Equal(t, late.LastEvent, again.LastEvent, "untracking it again tells nothing")
		assert.Equal(t, list, jobs(t, rdb, "C1"))
		active, err := s.Active(t.Context())
		require.NoError(t, err)
		assert.Empty(t, active)
		behind, err = s.Announcements.Unannounced(t.Context())
		require.NoError(t, err)
		assert.Empty(t, behind)
	})
}

func TestAnUntrackAndARecordAtOnceLeaveNothingActive(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		known := place(t, s, "1")
		poller := overtaken(t, rdb, func(other *store.Store) { untrack(t, other, "1") })
		_, _, err := poller.Changes.Record(t.Context(), "1", known.Version, delivered(0, "a"))
		require.ErrorIs(t, err, store.ErrStale)
		active, err := s.Active(t.Context())
		require.NoError(t, err)
		assert.Empty(t, active)

		place(t, s, "2")
		operator := overtaken(t, rdb, func(other *store.Store) { record(t, other, "2", delivered(0, "a")) })
		untrack(t, operator, "2")
		all, err := s.Orders.Events(t.Context(), "2")
		require.NoError(t, err)
		assert.Equal(t, []string{"placed", "ready:r0", "untracked:g1"}, ids(all))
		active, err = s.Active(t.Context())
		require.NoError(t, err)
		assert.Empty(t, active)
	})
}

func TestOfManyUntracksOneIsTold(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				_, err := s.Changes.Untrack(t.Context(), "1", "UBEN")
				assert.NoError(t, err)
			})
			wg.Go(func() {
				_, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
				if err != nil {
					assert.ErrorIs(t, err, store.ErrNotTracked)
				}
			})
		}
		wg.Wait()
		all, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(strings.Join(ids(all), " "), "untracked:"))
		assert.Equal(t, order.EventUntracked, all[len(all)-1].Kind, "nothing comes after it")
		assert.Empty(t, channels(t, s))
	})
}

// retrack is Ben tracking an order in C2.
func retrack(t *testing.T, s *store.Store, id string, seen order.Order) store.Tracked {
	t.Helper()
	now, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: id, Adopted: true, Order: seen, Owner: store.Owner{Team: "T1", Channel: "C2", Requester: "UBEN"},
	})
	require.NoError(t, err)
	return now
}

func TestAnUntrackedOrderIsTakenOverAfresh(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		record(t, s, "1", delivered(0, "a"))
		told(t, s, "1", "100.1")
		record(t, s, "1", anOrder(order.StatusRevising, 1))
		left := untrack(t, s, "1")
		seen := delivered(0, "a")
		now := retrack(t, s, "1", seen)
		assert.Equal(t, store.Owner{Team: "T1", Channel: "C2", Requester: "UBEN", Generation: 2}, now.Owner)
		assert.False(t, now.Untracked)
		assert.True(t, now.Adopted)
		assert.Equal(t, "REF1", now.Reference)
		assert.Equal(t, 2, now.Images)
		assert.Equal(t, left.Version+1, now.Version)
		assert.Equal(t, time.Unix(1000, 0).UTC(), now.Order.OrderedAt, "what the answer does not tell is still known")
		assert.Empty(t, now.CardTS)
		assert.Empty(t, now.Thread)

		_, events, err := s.Announcements.Pending(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, []string{"tracked:g2"}, ids(events), "what another place was not told is not told here")
		assert.Equal(t, "UBEN", events[0].Actor)
		_, events = record(t, s, "1", seen)
		assert.Equal(t, []string{"ready:r0"}, ids(events), "it waits for a review here")

		found, err := s.Orders.Find(t.Context(), "ref1")
		require.NoError(t, err)
		assert.Equal(t, "1", found.ID)
		_, err = s.Orders.ByThread(t.Context(), "T1", "C1", "100.1")
		require.ErrorIs(t, err, store.ErrNotTracked)
		assert.Equal(t, map[string][]string{"C2": {"1"}}, channels(t, s))
		mine, _, err := s.Orders.Requested(t.Context(), "T1", "UBEN", nil, 0, 0)
		require.NoError(t, err)
		assert.Len(t, mine, 1)
		active, err := s.Active(t.Context())
		require.NoError(t, err)
		assert.Contains(t, active, "1")
		assert.Equal(t, "100.1", leaving(t, rdb, "leave:1:g1").CardTS)
		assert.Equal(t, "announce:1:g2:v5", jobs(t, rdb, "C2")[0])
	})
}

func TestOnlyTrackingTakesAnUntrackedOrderOver(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		untrack(t, s, "1")
		before := dump(t, rdb)
		assert.True(t, place(t, s, "1").Untracked, "a job that placed it, and does so again after a crash")
		assert.Equal(t, before, dump(t, rdb))

		first := retrack(t, s, "1", anOrder(order.StatusEditing, 0))
		before = dump(t, rdb)
		assert.Equal(t, first, retrack(t, s, "1", anOrder(order.StatusReviewing, 0)), "it is tracked already")
		assert.Equal(t, before, dump(t, rdb))
	})
}

func TestTwoWhoTrackAtOnceAreToldOfOne(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		adopt := func(s *store.Store, channel string) store.Tracked {
			now, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
				ID: "1", Adopted: true, Order: anOrder(order.StatusEditing, 0),
				Owner: store.Owner{Team: "T1", Channel: channel, Requester: "UBEN"},
			})
			assert.NoError(t, err)
			return now
		}
		late := overtaken(t, rdb, func(other *store.Store) { adopt(other, "C2") })
		assert.Equal(t, "C2", adopt(late, "C3").Owner.Channel)
		untrack(t, s, "1")
		late = overtaken(t, rdb, func(other *store.Store) { adopt(other, "C4") })
		assert.Equal(t, "C4", adopt(late, "C5").Owner.Channel)
		assert.Equal(t, map[string][]string{"C4": {"1"}}, channels(t, s))
		all, err := s.Orders.Events(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, []string{"tracked", "untracked:g1", "tracked:g2"}, ids(all))
	})
}
