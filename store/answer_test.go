package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

func TestTheNewestOrderThatIsDoneProvesThatTheServiceKnowsUs(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		_, err := s.Orders.NewestFinished(t.Context(), "1", noon)
		require.ErrorIs(t, err, store.ErrNotTracked)
		place(t, s, "2")
		record(t, s, "2", order.Order{Status: order.StatusCanceled})
		done, err := s.Orders.NewestFinished(t.Context(), "1", noon)
		require.NoError(t, err)
		require.Equal(t, "2", done)
		_, err = s.Orders.NewestFinished(t.Context(), "1", time.Unix(1, 0))
		require.ErrorIs(t, err, store.ErrNotTracked, "it was placed later")
		_, err = s.Orders.NewestFinished(t.Context(), "3", noon)
		require.ErrorIs(t, err, store.ErrNotTracked)
	})
}

func TestACardIsInDoubtUntilItIsRecorded(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		inDoubt := func(channel string) bool {
			t.Helper()
			doubt, err := s.Announcements.MayHaveCard(t.Context(), "T1", channel)
			require.NoError(t, err)
			return doubt
		}
		place(t, s, "1")
		require.False(t, inDoubt("C1"))
		require.NoError(t, s.Announcements.BeginPost(t.Context(), "1", 1, 0))
		require.True(t, inDoubt("C1"))
		require.False(t, inDoubt("C2"))
		require.NoError(t, s.Announcements.CardPosted(t.Context(), "1", 1, "1.1", 1))
		require.False(t, inDoubt("C1"))
	})
}

func TestAReplyShowsItsCopiesOnceTheyAreThere(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		reply := store.Posted{Event: 1, ID: "placed", TS: "1.2"}
		require.NoError(t, s.Announcements.EventPosted(t.Context(), "1", 1, reply))
		reply.Copies = map[string]string{"https://a/b.jpg": "F1"}
		require.NoError(t, s.Announcements.PreviewsShown(t.Context(), "1", 1, reply))
		now, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.Equal(t, []store.Posted{reply}, now.Thread)
	})
}

func TestAReferenceIsReservedOnceSomebodyAsked(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		for _, want := range []bool{false, true} {
			reserved, err := s.Drafts.Reserved(t.Context(), "abc")
			require.NoError(t, err)
			require.Equal(t, want, reserved)
			_, err = s.Drafts.ReserveReference(t.Context(), "ABC", "d1")
			require.NoError(t, err)
		}
	})
}
