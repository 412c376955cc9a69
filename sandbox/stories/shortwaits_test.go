package stories

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/shipped"
	"darkroom/store/storetest"
)

// Stories that wait for minutes run with an app whose waits are seconds. It is the shipped one but for those: only
// cmd/darkroom is compiled anew. The real waits are proved in virtual time, by the tests of their packages.

// buildShortWaits builds that app, for the first story that wants it.
var buildShortWaits = sync.OnceValues(func() (string, error) {
	short := filepath.Join(filepath.Dir(binary), "darkroom-short-waits")
	return short, shipped.Build(context.Background(), "", short, "production,shortwaits", buildFlags()...)
})

// shortWaits is the file of that app.
func shortWaits(t *testing.T) string {
	t.Helper()
	short, err := buildShortWaits()
	require.NoError(t, err)
	return short
}

// openShort is open with short waits.
func openShort(t *testing.T, change ...func(*sandbox.Options)) *world {
	t.Helper()
	seated(t)
	return openShortAtOnce(t, change...)
}

// openShortAtOnce is openAtOnce with short waits.
func openShortAtOnce(t *testing.T, change ...func(*sandbox.Options)) *world {
	t.Helper()
	url, kind := storetest.Redis(t)
	t.Logf("Redis: %s", kind)
	return openWith(t, shortWaits(t), url, change...)
}
