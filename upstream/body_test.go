package upstream_test

import (
	"context"
	"fmt"
	"io"
	"net"
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

// tiny returns an answer of eight megabytes of empty lines.
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
			assert.Len(t, o.Conversation, order.MaxEntries)
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
	assert.Less(t, (int64(peak)-int64(before.HeapAlloc))>>20, int64(50))
	assert.Less(t, taken, uint64(8*40), "little more than the answers themselves")
}

// Eight services send large answers drop by drop, as slowly as allowed. Other requests go on.
func TestSlowLargeAnswersHoldUpNobodyElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Host == "fine.test" {
				_, _ = io.WriteString(w, reads["fetch"].ok+strings.Repeat(" ", 100<<10))
				return
			}
			_, _ = io.WriteString(w, strings.Repeat(" ", 600<<10))
			_ = http.NewResponseController(w).Flush()
			select {
			case <-r.Context().Done():
			case <-time.After(time.Minute):
			}
		})}
		go func() { _ = server.Serve(p) }()
		defer func() { _ = server.Close() }()
		shared := upstream.NewConnections(&http.Transport{DialContext: p.dial}, 4, nil)
		of := func(host string) *upstream.Client {
			c, err := upstream.New(upstream.Config{URL: "http://" + host, Key: key, Secret: secret, Connections: shared})
			require.NoError(t, err)
			return c
		}
		ctx, stop := context.WithCancel(t.Context())
		for i := range 8 {
			c := of(fmt.Sprintf("slow%d.test", i))
			go func() {
				for ctx.Err() == nil {
					_ = fetches(ctx, c)
				}
			}()
		}
		<-time.After(5 * time.Minute)
		fine := of("fine.test")
		for range 3 {
			began := time.Now()
			require.NoError(t, fetches(ctx, fine))
			assert.Zero(t, time.Since(began))
		}
		stop()
		<-time.After(3 * time.Minute)
	})
}

// stalls begins an answer of 100 kB and never ends it, except for the nth request.
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
