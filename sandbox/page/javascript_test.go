package page_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page's own modules are tested by node's test runner, in a time zone that is not
// UTC, so that a time shown in UTC would be seen.
func TestModules(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		require.Empty(t, os.Getenv("DARKROOM_TEST_REQUIRE_BROWSER"), "what the browser runs is tested: %v", err)
		t.Skip("node is not here: the tests of the page's modules were left out")
	}
	run := exec.CommandContext(t.Context(), node, "--import", "./jstest/resolve.mjs", "--test", "jstest/")
	run.Env = append(os.Environ(), "TZ=America/New_York")
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
