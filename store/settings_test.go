package store_test

import (
	"errors"
	"strconv"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/settingstest"
)

func TestSettingsAreAChannelsOwn(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		want := store.Settings{Relay: store.RelayReplies}
		settingstest.Save(t, s, "T1", "C1", want)
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

func TestSettingsThatAreChangedAtOnceAllCount(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		var all sync.WaitGroup
		for i := range 8 {
			all.Go(func() {
				assert.NoError(t, s.EditSettings(t.Context(), "T1", "C1", func(now *store.Settings, all *store.Account) error {
					now.Decides.Approvers = append(now.Decides.Approvers, strconv.Itoa(i))
					now.SayLate = true
					all.Credits = store.CreditsOperators
					return nil
				}))
			})
		}
		all.Wait()
		got, err := s.Settings(t.Context(), "T1", "C1")
		require.NoError(t, err)
		assert.Len(t, got.Decides.Approvers, 8)
		account, err := s.Account(t.Context(), "T1")
		require.NoError(t, err)
		assert.Equal(t, store.CreditsOperators, account.Credits)
		reminding, err := s.Reminding(t.Context())
		require.NoError(t, err)
		assert.Equal(t, map[store.Place]store.Settings{{Team: "T1", Channel: "C1"}: got}, reminding)

		no := errors.New("no")
		require.ErrorIs(t, s.EditSettings(t.Context(), "T1", "C1", func(now *store.Settings, _ *store.Account) error {
			now.SayLate = false
			return no
		}), no)
		after, err := s.Settings(t.Context(), "T1", "C1")
		require.NoError(t, err)
		assert.Equal(t, got, after)
		settingstest.Save(t, s, "T1", "C1", store.Settings{})
		assert.Zero(t, rdb.SCard(t.Context(), "{darkroom}:reminding").Val())
	})
}
