package main

import (
	"testing"

	"darkroom/cmd/darkroom/workspace"

	"github.com/stretchr/testify/require"
)

// Who is told that operators know relies on it.
func TestWhetherOperatorsWereTold(t *testing.T) {
	t.Parallel()
	w := openTown(t, nil)
	for name, row := range map[string]struct {
		channel string
		said    bool
	}{
		"a channel that the app is in": {"C0OTHER", true},
		"none":                         {"", false},
		"one that is not there":        {"C0NOSUCH", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := &workspace.Shared{Config: w.app.cfg}
			s.Config.OpsChannel = row.channel
			r := &workspace.Tenant{Shared: s, Slack: w.app.own.Slack, Log: w.app.log}
			said, err := r.TellOps(t.Context(), "Slack refuses me a permission.")
			require.NoError(t, err)
			require.Equal(t, row.said, said)
		})
	}
}
