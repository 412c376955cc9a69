package stories

import (
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/photos"
)

// Eight workspaces have services that send 7 MB of new lines with each answer. The app stays within the memory that
// deploy/ gives it, tells people once that it leaves something out, and others are served.
func TestServicesThatSendWithoutEndTakeNobodysMemory(t *testing.T) {
	t.Parallel()
	inCheck(t)
	if os.Getenv("DARKROOM_TEST_RACE") == "1" {
		t.Skip("the race detector takes memory of its own")
	}
	var names []string
	for i := range 8 {
		names = append(names, fmt.Sprint("flood", i))
	}
	w := openMany(t, sandbox.OverHTTP, append(names, "quiet"))
	w.app.stop()
	w.environ = []string{"GOMEMLIMIT=200MiB", "LOG_LEVEL=info"} // as deploy/compose.yaml has it
	w.startApp()
	var all sync.WaitGroup
	for _, name := range w.Names() {
		all.Go(func() {
			w.add(name, "olga")
			w.connect(name, "olga")
			w.placeIn(w.in(name, "maria"), "Spring shoes")
		})
	}
	all.Wait()
	for _, name := range names {
		w.Photos(name).Misbehave(photos.Any, photos.Floods(1500, 5000), -1)
	}
	most, ends := 0, time.Now().Add(30*time.Second)
	require.Eventually(t, func() bool {
		most = max(most, int(number(t, w.app.metrics(), "process_resident_memory_bytes")))
		return time.Now().After(ends)
	}, time.Minute, 200*time.Millisecond)
	t.Logf("%d MB resident at most", most/1e6)
	require.Less(t, most, 200_000_000)
	w.in(names[0], "maria").SeesInThread("Spring shoes", "I show the newest 100")
	require.NoError(t, w.Photos("quiet").Deliver(w.Photos("quiet").Orders()[0].ID))
	w.in("quiet", "maria").SeesBroadcast("Ready for review")
	for _, name := range names {
		w.Photos(name).Behave()
	}
}
