package store_test

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

func TestAnOrderLagsUntilItsChannelShowsAll(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		lagging := func(want ...string) {
			t.Helper()
			got, err := s.Announcements.Unannounced(t.Context())
			require.NoError(t, err)
			assert.ElementsMatch(t, want, got)
		}
		lagging("1")
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "100.1", 1))
		lagging("1")
		require.NoError(t, s.Announcements.EventPosted(t.Context(), "1", 1, store.Posted{Event: 1, ID: "placed", TS: "100.2"}))
		lagging()
		record(t, s, "1", delivered(0, "a"))
		lagging("1")
		now, events, err := s.Announcements.Pending(t.Context(), "1")
		require.NoError(t, err)
		assert.Equal(t, int64(1), now.Announced)
		require.Equal(t, []string{"ready:r0"}, ids(events))
		assert.Equal(t, int64(2), events[0].Seq)
		require.NoError(t, s.Announcements.EventPosted(t.Context(), "1", 1, store.Posted{Event: 2, ID: "ready:r0", TS: "100.3", Buttons: true}))
		lagging("1")
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "100.1", 2))
		lagging()
		_, events, err = s.Announcements.Pending(t.Context(), "1")
		require.NoError(t, err)
		assert.Empty(t, events)
	})
}

func TestTheAnnouncerRemembersWhatItPosted(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		get := func() store.Tracked {
			t.Helper()
			now, err := s.Orders.Order(t.Context(), "1")
			require.NoError(t, err)
			return now
		}
		require.NoError(t, s.Announcements.BeginPost(t.Context(), "1", 1, 1))
		require.NotNil(t, get().InFlight)
		assert.Equal(t, int64(1), get().InFlight.Event)
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "100.1", 1))
		require.NotNil(t, get().InFlight, "the card says nothing about an event's post")
		require.NoError(t, s.Announcements.EventPosted(t.Context(), "1", 1, store.Posted{Event: 1, ID: "placed", TS: "100.2", Buttons: true}))
		assert.Nil(t, get().InFlight)
		assert.Equal(t, []store.Posted{{Event: 1, ID: "placed", TS: "100.2", Buttons: true}}, get().Thread)
		require.NoError(t, s.Announcements.ReviewSettled(t.Context(), "1", 1, store.Posted{TS: "100.2", Ended: "approved"}))
		assert.Equal(t, []store.Posted{{Event: 1, ID: "placed", TS: "100.2", Ended: "approved"}}, get().Thread)

		require.NoError(t, s.Announcements.BeginPost(t.Context(), "1", 1, 0))
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "200.1", 3))
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "200.1", 2))
		assert.Equal(t, int64(3), get().CardVersion, "a slow edit takes nothing back")
		assert.Nil(t, get().InFlight)
		require.NoError(t, s.Announcements.EventPosted(t.Context(), "1", 1, store.Posted{Event: 0}))
		assert.Equal(t, int64(1), get().Announced)
		for _, ts := range []string{"100.1", "200.1"} {
			found, err := s.Orders.ByThread(t.Context(), "T1", "C1", ts)
			require.NoError(t, err)
			assert.Equal(t, "1", found.ID)
		}
		_, err := s.Orders.ByThread(t.Context(), "T1", "C2", "200.1")
		require.ErrorIs(t, err, store.ErrNotTracked)
	})
}

func TestAnotherGenerationMayWriteNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		writes := func(id string, generation int) []error {
			return []error{
				s.Announcements.BeginPost(t.Context(), id, generation, 1),
				s.Announcements.CardPosted(t.Context(), id, generation, "1.1", 1),
				s.Announcements.EventPosted(t.Context(), id, generation, store.Posted{Event: 1, TS: "1.2"}),
				s.Announcements.ReviewSettled(t.Context(), id, generation, store.Posted{TS: "1.2", Ended: "approved"}),
			}
		}
		for _, err := range writes("1", 1) {
			require.ErrorIs(t, err, store.ErrNotTracked)
		}
		place(t, s, "1")
		before := dump(t, rdb)
		for _, err := range writes("1", 2) {
			require.ErrorIs(t, err, store.ErrMoved)
		}
		assert.Equal(t, before, dump(t, rdb))
	})
}

func TestTheSweepPutsOneJobForOneState(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		lane := "{darkroom}:q:lane:channel:T1:C1"
		for range 3 {
			require.NoError(t, s.Announcements.Announce(t.Context(), "1"))
		}
		assert.LessOrEqual(t, rdb.LLen(t.Context(), lane).Val(), int64(3), "its own, and one an hour")
		sofar := rdb.LLen(t.Context(), lane).Val()
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "1.1", 1))
		require.NoError(t, s.Announcements.Announce(t.Context(), "1"))
		assert.Equal(t, sofar+1, rdb.LLen(t.Context(), lane).Val(), "another state is another job")
		require.ErrorIs(t, s.Announcements.Announce(t.Context(), "2"), store.ErrNotTracked)
	})
}

func TestThePollerSeesOneStructure(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		active := func() map[string]store.Active {
			t.Helper()
			a, err := s.Active(t.Context())
			require.NoError(t, err)
			return a
		}
		place(t, s, "1")
		place(t, s, "2")
		assert.Equal(t, order.StatusEditing, active()["1"].Status)
		assert.Equal(t, int64(1000), active()["1"].OrderedAt.Unix())
		record(t, s, "1", talk(anOrder(order.StatusReviewing, 0), said...))
		assert.Empty(t, active()["1"].Status, "its pictures were never seen")
		record(t, s, "1", delivered(0, "a"))
		assert.Equal(t, store.Active{Status: order.StatusReviewing, Version: 3, OrderedAt: active()["2"].OrderedAt}, active()["1"])
		record(t, s, "1", anOrder(order.StatusClosed, 0))
		assert.NotContains(t, active(), "1")
	})
}

func TestADeletedReplyThatAskedForSomethingIsNoticed(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "100.1", 1))
		require.NoError(t, s.Announcements.EventPosted(t.Context(), "1", 1, store.Posted{Event: 1, ID: "placed", TS: "100.2"}))
		record(t, s, "1", delivered(0, "a"))
		require.NoError(t, s.Announcements.EventPosted(t.Context(), "1", 1, store.Posted{Event: 2, ID: "ready:r0", TS: "100.3", Buttons: true}))
		before := len(jobs(t, rdb, "C1"))
		require.NoError(t, s.Announcements.ReplyDeleted(t.Context(), "2", 1, "100.3"), "nobody tracks it")
		require.NoError(t, s.Announcements.ReplyDeleted(t.Context(), "1", 2, "100.3"), "it was of another channel")
		require.NoError(t, s.Announcements.ReplyDeleted(t.Context(), "1", 1, "100.2"), "it asked for nothing")
		require.NoError(t, s.Announcements.ReplyDeleted(t.Context(), "1", 1, "100.4"), "a double")
		require.Len(t, jobs(t, rdb, "C1"), before)
		for range 2 {
			require.NoError(t, s.Announcements.ReplyDeleted(t.Context(), "1", 1, "100.3"))
		}
		require.Equal(t, "announce:1:g1:deleted:100.3", jobs(t, rdb, "C1")[before])
		require.Len(t, jobs(t, rdb, "C1"), before+1, "once")
	})
}
