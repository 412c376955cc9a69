package events_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/commands/commandstest"
	"darkroom/store"
	"darkroom/store/settingstest"
)

// A message that names orders is answered once if the channel's settings want it. Other messages cost no call.
func TestReferencesInAMessageAreAnswered(t *testing.T) {
	named := map[string]any{"text": "How are [HJK234] and [k7q2xm] doing?", "thread_ts": ""}
	for name, test := range map[string]struct {
		settings store.Settings
		change   map[string]any
		jobs     int
	}{
		"where the channel wants it":    {store.Settings{Unfurl: true}, nil, 1},
		"in a thread":                   {store.Settings{Unfurl: true}, map[string]any{"thread_ts": "7.1"}, 1},
		"beside a file":                 {store.Settings{Unfurl: true}, map[string]any{"subtype": "file_share"}, 1},
		"not where it does not":         {store.Settings{}, nil, 0},
		"not a message without any":     {store.Settings{Unfurl: true}, map[string]any{"text": "How are K7Q2XM and [it] doing?"}, 0},
		"not an app's":                  {store.Settings{Unfurl: true}, map[string]any{"bot_id": "B1"}, 0},
		"not one that was only changed": {store.Settings{Unfurl: true}, map[string]any{"subtype": "message_changed"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				settingstest.Save(r.T, r.Store, "T1", "C1", test.settings)
				fields := maps.Clone(named)
				maps.Copy(fields, test.change)
				r.Hears(r.Event("message", fields), r.Event("message", fields))
				require.Equal(r.T, test.jobs, r.JobCount(store.UnfurlKind))
			})
		})
	}
}
