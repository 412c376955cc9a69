package files

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// endless writes a huge picture, piece by piece.
func endless(size int64) http.HandlerFunc {
	piece := make([]byte, 32<<10)
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.FormatInt(size, 10))
		head := beginnings["image/jpeg"][0]
		_, err := io.WriteString(w, head)
		for left := size - int64(len(head)); left > 0 && err == nil; {
			n := min(left, int64(len(piece)))
			_, err = w.Write(piece[:n])
			left -= n
		}
	}
}

func TestHandlerStreamsALargeFileInLittleMemory(t *testing.T) {
	r := serving(t, endless(MaxSize))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.web.URL+r.path("large.jpg"), nil)
	require.NoError(t, err)
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)

	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	var peak uint64
	var read int64
	buf := make([]byte, 256<<10)
	for looked := int64(0); err == nil; {
		var n int
		n, err = resp.Body.Read(buf)
		if read += int64(n); read-looked > 10<<20 {
			runtime.ReadMemStats(&now)
			peak, looked = max(peak, now.HeapAlloc), read
		}
	}
	require.ErrorIs(t, err, io.EOF)
	runtime.ReadMemStats(&now)
	assert.EqualValues(t, MaxSize, read)
	assert.Less(t, int64(peak)-int64(before.HeapAlloc), int64(16<<20), "held at once")
	assert.Less(t, now.TotalAlloc-before.TotalAlloc, uint64(32<<20), "taken in all, though 200 MB passed")
}

func TestHandlerServesNoMoreThanItsPlaces(t *testing.T) {
	var at, most atomic.Int32
	goOn := make(chan struct{})
	r := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		most.Store(max(most.Load(), at.Add(1)))
		defer at.Add(-1)
		<-goOn
		_, _ = w.Write(jpeg())
	})
	r.h.limits, r.h.maxWait = newStreamLimits(2, 1, 4, 12), 50*time.Millisecond
	type end struct {
		status int
		retry  string
	}
	answers := make(chan end, 5)
	path := r.path("beach.jpg")
	for range 5 {
		go func() {
			resp, _ := r.do("GET", path)
			answers <- end{resp.StatusCode, resp.Header.Get("Retry-After")}
		}()
	}
	for range 3 {
		assert.Equal(t, end{503, "30"}, <-answers)
	}
	close(goOn)
	for range 2 {
		assert.Equal(t, 200, (<-answers).status)
	}
	assert.EqualValues(t, 2, most.Load())
	resp, _ := r.do("GET", path)
	assert.Equal(t, 200, resp.StatusCode, "the places are free again")
}

func TestHandlerLetsOneMoreWaitForAPlace(t *testing.T) {
	asked, goOn := make(chan struct{}, 2), make(chan struct{})
	r := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		asked <- struct{}{}
		<-goOn
		_, _ = w.Write(jpeg())
	})
	r.h.limits = newStreamLimits(1, 1, 4, 12)
	statuses := make(chan int, 2)
	path := r.path("beach.jpg")
	for range 2 {
		go func() {
			resp, _ := r.do("GET", path)
			statuses <- resp.StatusCode
		}()
	}
	<-asked
	close(goOn)
	assert.Equal(t, []int{200, 200}, []int{<-statuses, <-statuses})
}

func TestHandlerStopsReadingWhenTheClientIsGone(t *testing.T) {
	stopped := make(chan struct{})
	r := serving(t, func(w http.ResponseWriter, req *http.Request) {
		defer close(stopped)
		_, err := w.Write(jpeg())
		for err == nil && req.Context().Err() == nil {
			_, err = w.Write(make([]byte, 32<<10))
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.web.URL+r.path("beach.jpg"), nil)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	cancel()
	_ = resp.Body.Close()
	soon(t, stopped)
	r.settled()
	assert.Empty(t, r.logs.String(), "that is no fault of ours")
}

func TestHandlerStopsAskingWhenTheClientIsGone(t *testing.T) {
	asked, stopped := make(chan struct{}), make(chan struct{})
	r := serving(t, func(_ http.ResponseWriter, req *http.Request) {
		defer close(stopped)
		close(asked)
		<-req.Context().Done() // Slack takes its time
	})
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.web.URL+r.path("beach.jpg"), nil)
	require.NoError(t, err)
	go func() {
		<-asked
		cancel()
	}()
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil {
		_ = resp.Body.Close()
	}
	require.ErrorIs(t, err, context.Canceled)
	soon(t, stopped)
	r.settled()
	assert.Empty(t, r.logs.String(), "nobody is waiting for an answer")
}

func TestHandlerGivesUpOnAReaderWhoDoesNotRead(t *testing.T) {
	stopped := make(chan struct{})
	r := serving(t, func(w http.ResponseWriter, req *http.Request) {
		defer close(stopped)
		endless(MaxSize)(w, req)
	})
	r.h.idle = 100 * time.Millisecond
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.web.Listener.Addr().String())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, "GET "+r.path("beach.jpg")+" HTTP/1.1\r\nHost: d\r\n\r\n")
	require.NoError(t, err)
	soon(t, stopped) // though not a byte was read
}

func TestHandlerIsPatientWithASlowReader(t *testing.T) {
	r := serving(t, endless(8<<20))
	r.h.idle = 300 * time.Millisecond
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.web.URL+r.path("beach.jpg"), nil)
	require.NoError(t, err)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	slow := time.NewTicker(20 * time.Millisecond)
	defer slow.Stop()
	var read, n int64
	for err == nil { // in all it takes longer than any pause may
		<-slow.C
		n, err = io.CopyN(io.Discard, resp.Body, 256<<10)
		read += n
	}
	assert.ErrorIs(t, err, io.EOF)
	assert.EqualValues(t, 8<<20, read)
}

func TestHandlerGivesUpOnASourceThatPauses(t *testing.T) {
	tests := map[string]struct {
		before string // what comes before the pause
		status int
	}{
		"before it answers":     {"", 502},
		"in the first bytes":    {beginnings["image/jpeg"][0], 502},
		"in the middle of them": {string(jpeg()), 200},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := serving(t, func(w http.ResponseWriter, req *http.Request) {
				if tt.before != "" {
					w.Header().Set("Content-Length", "1000000")
					_, _ = io.WriteString(w, tt.before)
					_ = http.NewResponseController(w).Flush()
				}
				<-req.Context().Done()
			})
			r.h.idle = 100 * time.Millisecond
			assert.Equal(t, tt.status, r.brokenOff())
			r.settled()
			assert.Contains(t, r.logs.String(), "file=F0BEACH")
		})
	}
}

func TestHandlerEndsAStreamThatTakesForEver(t *testing.T) {
	r := serving(t, func(w http.ResponseWriter, req *http.Request) {
		_, err := w.Write(jpeg())
		drip := time.NewTicker(5 * time.Millisecond)
		defer drip.Stop()
		for err == nil && req.Context().Err() == nil {
			<-drip.C
			_, err = w.Write([]byte("drip"))
			_ = http.NewResponseController(w).Flush()
		}
	})
	r.h.overall = 200 * time.Millisecond
	assert.Equal(t, 200, r.brokenOff())
}

// A truncated photo must not look complete, with or without a length.
func TestHandlerBreaksOffWhenTheSourceDoes(t *testing.T) {
	for name, header := range map[string]string{
		"with a length": "Content-Length: 1000000\r\n\r\n",
		"in chunks":     "Transfer-Encoding: chunked\r\n\r\n1388\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := serving(t, func(w http.ResponseWriter, _ *http.Request) {
				conn, _, err := http.NewResponseController(w).Hijack()
				assert.NoError(t, err)
				_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n"+header+string(jpeg()))
				_ = conn.Close()
			})
			assert.Equal(t, 200, r.brokenOff())
		})
	}
}

// brokenOff reads a photo to its end, which must not be a clean one unless it is a refusal.
func (r *rig) brokenOff() int {
	r.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(r.t.Context(), "tcp", r.web.Listener.Addr().String())
	require.NoError(r.t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(r.t, conn.SetDeadline(time.Now().Add(5*time.Second)))
	_, err = io.WriteString(conn, "GET "+r.path("beach.jpg")+" HTTP/1.1\r\nHost: d\r\n\r\n")
	require.NoError(r.t, err)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(r.t, err)
	defer func() { _ = resp.Body.Close() }()
	_, err = io.Copy(io.Discard, resp.Body)
	if resp.StatusCode == 200 {
		require.ErrorIs(r.t, err, io.ErrUnexpectedEOF)
	}
	return resp.StatusCode
}

func soon(t *testing.T, done <-chan struct{}) {
	t.Helper()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Fatal("it never happened")
	}
}

func TestHandlerKeepsAConnectionForTheNextPhoto(t *testing.T) {
	r := serving(t, holding(jpeg()))
	r.h.idle = 50 * time.Millisecond
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.web.Listener.Addr().String())
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	for range 2 {
		_, err = io.WriteString(conn, "GET "+r.path("beach.jpg")+" HTTP/1.1\r\nHost: d\r\n\r\n")
		require.NoError(t, err)
		resp, err := http.ReadResponse(in, nil)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, string(jpeg()), string(body))
		<-time.After(80 * time.Millisecond) // the last deadline for writing has passed
	}
}

func TestHandlerWorksWithoutDeadlines(t *testing.T) {
	r := serving(t, holding(jpeg()))
	w := httptest.NewRecorder() // knows none
	r.h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, r.path("beach.jpg"), strings.NewReader("")))
	assert.Equal(t, 200, w.Code)
	assert.Equal(t, string(jpeg()), w.Body.String())
}
