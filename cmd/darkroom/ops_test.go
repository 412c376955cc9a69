package main

import (
	"testing"

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
			a := &app{cfg: w.app.cfg}
			a.cfg.OpsChannel = row.channel
			r := &tenant{app: a, slack: w.app.slack, log: w.app.log}
			said, err := r.tellOps(t.Context(), "Slack refuses me something.")
			require.NoError(t, err)
			require.Equal(t, row.said, said)
		})
	}
}
