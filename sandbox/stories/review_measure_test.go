package stories

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
)

// far is how long a service that is far away takes for each answer.
const far = 200 * time.Millisecond

// TestWhatAReviewTakes prints how long a review of a dozen photos takes with and without rules, at a service that is far away,
// and how long a command takes while its page is asked for 200 times a second. It is no story: DARKROOM_MEASURE=1 measures.
func TestWhatAReviewTakes(t *testing.T) {
	if os.Getenv("DARKROOM_MEASURE") == "" {
		t.Skip("DARKROOM_MEASURE=1 measures")
	}
	fmt.Println("| a review of 12 photos, 200 ms to the service | review | what was found |\n|-|-|-|")
	for _, rules := range []bool{false, true} {
		t.Run(fmt.Sprint("rules ", rules), func(t *testing.T) { reviewTakes(t, rules) })
	}
	fmt.Println("| the page of a review | requests a second | shown | refused | p50, p95 of `/order list` |\n|-|-|-|-|-|")
	for _, rate := range []int{0, 200} {
		t.Run(fmt.Sprint(rate, " a second"), func(t *testing.T) { pageTakes(t, rate) })
	}
}

func reviewTakes(t *testing.T, rules bool) {
	t.Helper()
	w := open(t)
	maria := w.person("maria")
	maria.Goto("#shoots")
	if rules {
		opensSettings(maria, "Delivered photos")
		maria.Fill("Size in pixels", "900")
		savesSettings(maria, "Photos: long edge 900 px or more.")
	}
	placed := w.placeImages(maria, "Far away", 12)
	maria.SeesInThread("Far away", "Placed")
	for _, op := range []photos.Op{photos.File, photos.Fetch, photos.List} {
		w.Photos.Misbehave(op, photos.Slow(far), 1000)
	}
	require.NoError(t, w.Photos.Deliver(placed.ID))
	began := time.Now()
	maria.SeesInThread("Far away", "Ready for review")
	shown, found := time.Since(began), "–"
	if rules {
		maria.SeesInThread("Far away", "all as ordered")
		found = fmt.Sprintf("%.1f s", time.Since(began).Seconds())
	}
	fmt.Printf("| %s | %.1f s | %s |\n", map[bool]string{true: "with a rule", false: "without rules"}[rules], shown.Seconds(), found)
}

// pageTakes prints how long a command takes while the page is asked for.
func pageTakes(t *testing.T, rate int) {
	t.Helper()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	placed := w.placeImages(maria, "Crowded", 3)
	w.deliver(ben, placed.ID)
	address := ben.Follow("Ready for review", "Compare")
	stop, statuses := make(chan struct{}), make(chan int, 1<<16)
	var readers sync.WaitGroup
	for range rate / 10 {
		readers.Go(func() {
			each := time.NewTicker(100 * time.Millisecond)
			defer each.Stop()
			for {
				select {
				case <-stop:
					return
				case <-each.C:
					statuses <- visit(t, address)
				}
			}
		})
	}
	var took []time.Duration
	pace := time.NewTicker(100 * time.Millisecond)
	defer pace.Stop()
	for range 60 {
		<-pace.C
		took = append(took, w.commandTakes(ben))
	}
	close(stop)
	readers.Wait()
	close(statuses)
	shown, refused := 0, 0
	for status := range statuses {
		if status == http.StatusOK {
			shown++
		} else {
			refused++
		}
	}
	slices.Sort(took)
	fmt.Printf("| 60 commands | %d | %d | %d | %d ms, %d ms |\n", rate, shown, refused, took[30].Milliseconds(), took[57].Milliseconds())
}

func visit(t *testing.T, address string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	if err != nil {
		return 0
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

// commandTakes is how long it takes from a command to what it answers.
func (w *world) commandTakes(ben *person.T) time.Duration {
	w.t.Helper()
	had, began := len(w.Workspace.Ephemerals("ben")), time.Now()
	ben.Type("/order list")
	require.Eventually(w.t, func() bool { return len(w.Workspace.Ephemerals("ben")) > had }, patience, time.Millisecond)
	return time.Since(began)
}
