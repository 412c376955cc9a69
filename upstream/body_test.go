package upstream_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/upstream"
)

// tiny is an answer of eight megabytes of lines that say nothing.
func tiny() string {
	const before, after = `{"errors":[],"data":[{"order_id":"A1","status":"editing","conversations":[`, `{}]}]}`
	return before + strings.Repeat("{},", (8<<20-len(before)-len(after))/3) + after
}

// Eight services send eight megabytes at once: a process holds few of them.
func TestLargeAnswersAreHeldWithinBounds(t *testing.T) {
	body := tiny()
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
	shared := upstream.NewConnections(http.DefaultTransport.(*http.Transport), 4, nil)
	t.Cleanup(shared.CloseIdle)
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // little is counted that nobody holds
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	var all sync.WaitGroup
	for range 8 {
		c := client(t, s, func(c *upstream.Config) { c.Connections, c.Timeout = shared, 5*time.Minute })
		all.Go(func() {
			o, err := c.Fetch(t.Context(), "A1")
			assert.NoError(t, err)
			assert.Len(t, o.Conversation, order.MostKept)
		})
	}
	done := make(chan struct{})
	go func() { defer close(done); all.Wait() }()
	var peak uint64
	for ended := false; !ended; {
		select {
		case <-done:
			ended = true
		case <-time.After(20 * time.Millisecond):
		}
		runtime.ReadMemStats(&now)
		peak = max(peak, now.HeapAlloc)
	}
	taken := (now.TotalAlloc - before.TotalAlloc) >> 20
	t.Logf("8 answers of 8 MB: %d MB at once at most, %d MB taken in all", (int64(peak)-int64(before.HeapAlloc))>>20, taken)
	assert.Less(t, (int64(peak)-int64(before.HeapAlloc))>>20, int64(120))
	assert.Less(t, taken, uint64(8*40), "little more than the answers themselves")
}

// stalls begins an answer of 100 kB and leaves it there, unless it is the nth.
func stalls(nth int) func(n int, w http.ResponseWriter) {
	return func(n int, w http.ResponseWriter) {
		if n == nth {
			_, _ = io.WriteString(w, reads["fetch"].ok)
			return
		}
		_, _ = io.WriteString(w, strings.Repeat(" ", 100<<10))
		_ = http.NewResponseController(w).Flush()
		<-time.After(time.Minute)
	}
}

func TestALargeAnswerThatStallsIsGivenUp(t *testing.T) {
	inBubble(t, stalls(0), func(t *testing.T, c *upstream.Client, times *[]time.Duration, _ *[]string) {
		t.Helper()
		began := time.Now()
		err := fetches(t.Context(), c)
		requireOutcome(t, err, order.ErrUnavailable)
		require.ErrorContains(t, err, "came too slowly")
		assert.Less(t, time.Since(began), 50*time.Second, "ten seconds for each of four attempts")
		assert.Len(t, *times, 4)
		<-time.After(2 * time.Minute)
	})
}

func TestASmallAnswerWaitsForNoLargeOne(t *testing.T) {
	inBubble(t, stalls(2), func(t *testing.T, c *upstream.Client, _ *[]time.Duration, _ *[]string) {
		t.Helper()
		ended := make(chan error, 1)
		go func() { ended <- fetches(t.Context(), c) }()
		synctest.Wait()
		began := time.Now()
		require.NoError(t, fetches(t.Context(), c))
		assert.Zero(t, time.Since(began))
		require.ErrorContains(t, <-ended, "came too slowly")
		<-time.After(2 * time.Minute)
	})
}

func TestAnAnswerThatSaysItIsTooLongIsNotRead(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(8<<20+1))
		w.WriteHeader(http.StatusOK)
	})
	requireOutcome(t, fetches(t.Context(), client(t, s)), order.ErrUnavailable)
	assert.ErrorContains(t, fetches(t.Context(), client(t, s)), "longer than 8 MB")
}

func TestAnAnswerOfAnyLengthIsReadWhole(t *testing.T) {
	for _, size := range []int{100, 64<<10 - 1, 64 << 10, 64<<10 + 1, 300 << 10, 8 << 20} {
		for _, told := range []bool{true, false} {
			body := reads["fetch"].ok
			body += strings.Repeat(" ", size-min(size, len(body)))
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if told {
					w.Header().Set("Content-Length", fmt.Sprint(len(body)))
				}
				_, _ = io.WriteString(w, body[:50])
				_ = http.NewResponseController(w).Flush()
				_, _ = io.WriteString(w, body[50:])
			})
			c := client(t, s)
			for range 2 { // what was held is given back
				require.NoError(t, fetches(t.Context(), c), size)
			}
		}
	}
}
