package announce_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/announce"
	"darkroom/sandbox/workspace"
	"darkroom/store"
)

// A channel is told once what somebody changed, through lost answers and restarts, and nobody is called.
func TestAChannelIsToldOnceOfChangedSettings(t *testing.T) {
	for name, fault := range map[string]workspace.Fault{"at once": {}, "carried out, not answered": workspace.ResetAfter, "refused": workspace.Error500} {
		slacks(t, name, func(t *testing.T) {
			t.Helper()
			r := newRig(t, workspace.Options{})
			d := delivery(store.SettingsKind, store.SettingsJob{
				Team: "T0SANDBOX", Channel: shoots, Edit: "e1", By: "U0MARIA", Now: store.Settings{Decides: store.Decides{Approvers: []string{"U0OLGA"}}},
			}, shoots)
			if name != "at once" {
				r.w.Misbehave("chat.postMessage", fault, 1)
			}
			r.finishes(t, d)
			r.finishes(t, d) // the process died before the job was done
			var told []string
			for _, m := range r.w.Messages(shoots) {
				if strings.Contains(m.Text, "changed the settings") {
					told = append(told, m.Text)
				}
			}
			require.Equal(t, []string{"Maria changed the settings: only Olga approves now."}, told)
		})
	}
}

// A channel that the app cannot write to holds up nothing.
func TestChangedSettingsOfAChannelOutOfReachAreLeftOut(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.w.Misbehave("chat.postMessage", workspace.Fails("is_archived"), 9)
	d := delivery(store.SettingsKind, store.SettingsJob{Team: "T0SANDBOX", Channel: shoots, Edit: "e1", By: "U0MARIA"}, shoots)
	require.NoError(t, handler(announce.New(r.config), store.SettingsKind)(t.Context(), d))
}
