package browser

import (
	"os"
	"testing"
)

// Needed is where Chromium is. Without one the test is skipped, unless DARKROOM_TEST_REQUIRE_BROWSER says that there must be one.
func Needed(tb testing.TB) string {
	tb.Helper()
	path, err := Installed()
	if err != nil {
		Missing(tb, err)
	}
	return path
}

// Missing skips a test that needs what is not on this machine, or fails where DARKROOM_TEST_REQUIRE_BROWSER is set.
func Missing(tb testing.TB, what error) {
	tb.Helper()
	if os.Getenv("DARKROOM_TEST_REQUIRE_BROWSER") != "" { //nolint:forbidigo // of tests alone
		tb.Fatalf("a browser is required: %v", what)
	}
	tb.Skip(what)
}

// ThePagesOwn skips a test that proves something of the sandbox's page and nothing of the app, unless DARKROOM_TEST_ALL is set.
func ThePagesOwn(tb testing.TB) {
	tb.Helper()
	if os.Getenv("DARKROOM_TEST_ALL") == "" { //nolint:forbidigo // of tests alone
		tb.Skip("of the sandbox's page alone: make check runs it (DARKROOM_TEST_ALL=1)")
	}
}
