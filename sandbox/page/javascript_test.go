package page_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// The page's own modules are tested by node's test runner, in a time zone that is not
// UTC, so that a time shown in UTC would be seen.
func TestModules(t *testing.T) {
	browser.ThePagesOwn(t)
	node, err := exec.LookPath("node")
	if err != nil {
		browser.Missing(t, fmt.Errorf("the tests of the page's modules need node: %w", err))
	}
	run := exec.CommandContext(t.Context(), node, "--import", "./jstest/resolve.mjs", "--test", "jstest/")
	run.Env = append(os.Environ(), "TZ=America/New_York")
	out, err := run.CombinedOutput()
	require.NoError(t, err, "%s", out)
}
