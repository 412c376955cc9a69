package announce_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier/announce"
)

// A post may be under way for the ten seconds of its call and some more: only then is it looked for.
func TestAPostMayBeUnderWayForFifteenSeconds(t *testing.T) {
	t.Parallel()
	require.Equal(t, 15*time.Second, announce.New(announce.Config{}).OutcomeAfter)
}
