package store_test

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

func TestSettingsAreAChannelsOwn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		want := store.Settings{Relay: store.RelayReplies}
		require.NoError(t, s.SaveSettings(t.Context(), "T1", "C1", want))
		got, err := s.Settings(t.Context(), "T1", "C1")
		require.NoError(t, err)
		assert.Equal(t, want, got)
		for _, other := range [][2]string{{"T1", "C2"}, {"T2", "C1"}} {
			got, err = s.Settings(t.Context(), other[0], other[1])
			require.NoError(t, err)
			assert.Zero(t, got)
		}
		require.NoError(t, rdb.Set(t.Context(), "{darkroom}:settings:T1:C1", "{", 0).Err())
		_, err = s.Settings(t.Context(), "T1", "C1")
		require.ErrorContains(t, err, "settings of C1", "broken is not the same as none")
	})
}
