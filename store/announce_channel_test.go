package store_test

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

func TestAChannelInReachAgainIsToldOnlyWhatItLacks(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		for _, id := range []string{"shown", "behind", "elsewhere", "left"} {
			place(t, s, id)
		}
		told(t, s, "shown", "100.1")
		_, err := s.Changes.Move(t.Context(), "elsewhere", "C2", "UBEN")
		require.NoError(t, err)
		_, err = s.Changes.Untrack(t.Context(), "left", "UBEN")
		require.NoError(t, err)
		before := len(jobs(t, rdb, "C1"))
		for range 2 {
			require.NoError(t, s.Announcements.AnnounceChannel(t.Context(), "T1", "C1", "joined:Ev1"))
		}
		assert.Equal(t, []string{"announce:behind:g1:joined:Ev1"}, jobs(t, rdb, "C1")[before:])
	})
}
