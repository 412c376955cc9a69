package stories

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// without are the app's permissions but for one.
func without(t *testing.T, scope string) []string {
	t.Helper()
	scopes, _ := manifest(t)
	return slices.DeleteFunc(slices.Clone(scopes), func(s string) bool { return s == scope })
}

func TestWhatNeedsAPermissionThatTheAppHasLostWaitsForIt(t *testing.T) {
	t.Parallel()
	w, _ := inTrouble(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Unpermitted")
	scopes, _ := manifest(t)
	w.Workspace.SetScopes(without(t, "users:read")...)

	ben.Type("/order message " + order.ID + " Softer light, please.")
	ben.SeesDM("Your request has to wait: sending a message to an editor")
	ben.SeesDM("Nothing was sent yet")
	w.ops("Slack refuses me `users.info`: missing_scope")
	w.ops("`users:read`")
	ben.Type("/order cancel " + order.ID)
	ben.Sees("Only your Darkroom admin can fix that")
	require.Empty(t, w.said())

	w.Workspace.SetScopes(scopes...)
	w.once("Softer light, please.")
	ben.SeesInThread("Unpermitted", "Message sent by Ben")
	w.ops("Slack refuses me") // once
	require.Contains(t, w.dead(), "There are no dead letters")
}
