//go:build !production

package main

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
)

// rail is what the window on all workspaces shows of them.
type rail struct {
	Install    string `json:"install"`
	Workspaces []struct {
		Name string `json:"name"`
		App  bool   `json:"app"`
	} `json:"workspaces"`
}

// TestTheDemoOfManyWorkspacesBeginsWithAddingTheApp: as its first line says where, and as its page says how.
func TestTheDemoOfManyWorkspacesBeginsWithAddingTheApp(t *testing.T) {
	t.Parallel()
	base, end := openDemo(t, "--many", "--listen", "127.0.0.1:0")
	window := func() (says rail) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/page/workspaces", http.NoBody)
		require.NoError(t, err)
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		defer func() { _ = answer.Body.Close() }()
		require.NoError(t, json.NewDecoder(answer.Body).Decode(&says))
		return says
	}
	olga := person.NewBrowser()
	require.NoError(t, olga.Open(window().Install))
	require.NoError(t, olga.Press("Add to Slack"))
	require.NoError(t, olga.Press("Olga at Agency"))
	require.NoError(t, olga.Press("Allow"))
	require.NoError(t, olga.Sees("Darkroom was added to Agency"))
	says := window()
	require.Len(t, says.Workspaces, 2)
	require.False(t, says.Workspaces[0].App)
	require.True(t, says.Workspaces[1].App, says.Workspaces[1].Name)
	code, said := end()
	require.Zero(t, code, said)
	require.Contains(t, said, "API secret sandbox-secret-2")
}
