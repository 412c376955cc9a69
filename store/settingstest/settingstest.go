// Package settingstest sets settings for tests, through the one change that the store has for people.
package settingstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/store"
)

// Save gives a channel these settings.
func Save(tb testing.TB, s *store.Store, team, channel string, settings store.Settings) {
	tb.Helper()
	edit(tb, s, team, channel, func(now *store.Settings, _ *store.Account) { *now = settings })
}

// SaveAccount gives a team these settings of all its channels.
func SaveAccount(tb testing.TB, s *store.Store, team string, account store.Account) {
	tb.Helper()
	edit(tb, s, team, "C1", func(_ *store.Settings, all *store.Account) { *all = account })
}

func edit(tb testing.TB, s *store.Store, team, channel string, change func(now *store.Settings, all *store.Account)) {
	tb.Helper()
	require.NoError(tb, s.Settings.EditSettings(tb.Context(), team, channel, func(now *store.Settings, all *store.Account) error {
		change(now, all)
		return nil
	}))
}
