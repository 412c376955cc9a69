package stories

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/shipped"
)

// A story that would wait for minutes runs the app with short waits: the shipped one in all but those. Only cmd/darkroom
// is compiled anew. Tests in virtual time hold the real waits.

// buildShortWaits builds that app once.
var buildShortWaits = sync.OnceValues(func() (string, error) {
	short := filepath.Join(filepath.Dir(binary), "darkroom-short-waits")
	return short, shipped.Build(context.Background(), "", short, "production,shortwaits", buildFlags()...)
})

// shortWaits restarts the app as the one with short waits, with these variables as well.
func (w *world) shortWaits(environ ...string) {
	w.t.Helper()
	short, err := buildShortWaits()
	require.NoError(w.t, err)
	w.t.Log("short waits begin")
	w.binary = short
	w.restart(environ...)
}
