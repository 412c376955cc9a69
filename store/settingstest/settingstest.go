// Package settingstest saves settings for tests, through the same edit as people's changes.
package settingstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/store"
)

// Save saves the settings of a channel.
func Save(tb testing.TB, s *store.Store, team, channel string, settings store.Settings) {
	tb.Helper()
	edit(tb, s, team, channel, func(now *store.Settings, _ *store.Account) { *now = settings })
}

// SaveAccount saves the settings of a team's account.
func SaveAccount(tb testing.TB, s *store.Store, team string, account store.Account) {
	tb.Helper()
	edit(tb, s, team, "C1", func(_ *store.Settings, all *store.Account) { *all = account })
}

func edit(tb testing.TB, s *store.Store, team, channel string, change func(now *store.Settings, all *store.Account)) {
	tb.Helper()
	require.NoError(tb, s.Settings.EditSettings(tb.Context(), store.SettingsEdit{Team: team, Channel: channel}, func(now *store.Settings, all *store.Account) error {
		change(now, all)
		return nil
	}))
}
