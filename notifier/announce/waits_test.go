package announce_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
)

// A post may be in flight for its call's ten seconds and some more; it is searched only after that.
func TestAPostMayBeUnderWayForFifteenSeconds(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.OutcomeAfter = 0
	r.place(t, shoots)
	r.w.Misbehave("chat.postMessage", workspace.Error500After, 1)
	require.Equal(t, 15*time.Second, waits(t, r.try(t)))
}
