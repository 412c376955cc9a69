package files

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ask sends a request for a path and reads nothing.
func (r *rig) ask(path string) net.Conn {
	r.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(r.t.Context(), "tcp", r.web.Listener.Addr().String())
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, "GET "+path+" HTTP/1.1\r\nHost: d\r\n\r\n")
	require.NoError(r.t, err)
	return conn
}

// pathOf returns the address of another file, made at another time.
func (r *rig) pathOf(file string, at time.Time) string {
	return strings.TrimPrefix(r.signer.URL(file, "photo.jpg", at), "https://d.example.com")
}

// A hundred readers that take nothing have two addresses of one photo. They get the slots of one photo,
// and all other photos come at once.
func TestOnePhotosAddressesCannotUseUpThePlacesOfOthers(t *testing.T) {
	var hogged atomic.Int32
	r := serving(t, func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/F0HOG" {
			hogged.Add(1)
			endless(MaxSize)(w, req)
			return
		}
		holding(jpeg())(w, req)
	})
	r.h.maxWait = time.Minute
	for i := range 100 {
		r.ask(r.pathOf("F0HOG", time.Now().Add(-time.Duration(i%2)*time.Hour)))
	}
	require.Eventually(t, func() bool { return hogged.Load() == 4 }, 30*time.Second, time.Millisecond)

	began := time.Now()
	for i := range 60 {
		resp, body := r.do("GET", r.pathOf("F0OTHER"+string(rune('A'+i)), time.Now()))
		require.Equal(t, 200, resp.StatusCode)
		require.Equal(t, string(jpeg()), body)
	}
	t.Logf("60 other photos beside 100 who read nothing: %v", time.Since(began))
	assert.EqualValues(t, 4, hogged.Load(), "opened at Slack for the hundred")
	assert.Less(t, time.Since(began), r.h.maxWait, "nobody waited for them")
}

func TestMoreThanMayWaitForOnePhotoAreRefusedAtOnce(t *testing.T) {
	r := serving(t, endless(MaxSize))
	r.h.limits, r.h.maxWait = newStreamLimits(64, 32, 1, 2), time.Hour
	for range 3 {
		r.ask(r.path("beach.jpg"))
	}
	require.Eventually(t, func() bool {
		one := r.h.limits.perFile
		one.mu.Lock()
		defer one.mu.Unlock()
		f := one.byKey[streamKey{file: "F0BEACH"}]
		return f != nil && f.users == 3
	}, 30*time.Second, time.Millisecond)
	refused := make(chan struct{})
	go func() {
		defer close(refused)
		resp, body := r.do("GET", r.path("beach.jpg"))
		assert.Equal(t, 503, resp.StatusCode)
		assert.Equal(t, "30", resp.Header.Get("Retry-After"))
		assert.Equal(t, "Too many are fetching this photo at once. Try again in a moment.\n", body)
	}()
	soon(t, refused)
	assert.Empty(t, r.logs.String(), "whoever holds an address cannot fill the log")
}

func TestOnePhotoIsAskedForOnlySoOften(t *testing.T) {
	r := serving(t, holding(jpeg()))
	r.h.limits = newStreamLimits(64, 32, 1, 9)
	r.h.limits.minHold = 50 * time.Millisecond
	began := time.Now()
	for range 4 {
		resp, _ := r.do("GET", r.path("beach.jpg"))
		assert.Equal(t, 200, resp.StatusCode)
	}
	assert.GreaterOrEqual(t, time.Since(began), 3*50*time.Millisecond)
	require.Eventually(t, func() bool {
		one := r.h.limits.perFile
		one.mu.Lock()
		defer one.mu.Unlock()
		return len(one.byKey) == 0
	}, 30*time.Second, time.Millisecond, "nothing is kept of a file that nobody asks for")
}

// docs/security.md names these bounds of a replica.
func TestOnePhotoIsAskedForSixteenTimesASecondAtMost(t *testing.T) {
	p := NewHandler(nil, nil, nil).limits
	assert.InDelta(t, 16, float64(p.perFile.size)/p.minHold.Seconds(), 0.001)
	assert.Equal(t, 64, cap(p.all))
	assert.Equal(t, 32, p.perWorkspace.size)
	assert.Equal(t, 12, p.perFile.most-p.perFile.size)
}

// Each pause is short, but the whole stream would never end.
func TestHandlerCutsOffAReaderWhoTakesLittleForLong(t *testing.T) {
	stopped := make(chan struct{})
	r := serving(t, func(w http.ResponseWriter, req *http.Request) {
		defer close(stopped)
		endless(MaxSize)(w, req)
	})
	r.h.idle, r.h.pace = 400*time.Millisecond, 64<<20
	conn, ok := r.ask(r.path("beach.jpg")).(*net.TCPConn)
	require.True(t, ok)
	require.NoError(t, conn.SetReadBuffer(64<<10))
	read, drip := bufio.NewReader(conn), time.NewTicker(20*time.Millisecond)
	defer drip.Stop()
	for total := 0; ; total += 256 << 10 {
		select {
		case <-stopped:
			assert.Less(t, total, MaxSize/2)
			return
		case <-drip.C:
		}
		_, err := io.CopyN(io.Discard, read, 256<<10)
		if err != nil {
			soon(t, stopped)
			return
		}
	}
}

func TestAReaderWhoIsFastEnoughIsNeverTooSlow(t *testing.T) {
	s := paceMeter{pace: 16 << 10, idle: 30 * time.Second}
	now := time.Unix(1, 0)
	for range 1000 { // 16 kB in half a second each
		require.Equal(t, now.Add(30*time.Second), s.deadline(now))
		s.record(16<<10, time.Second/2)
	}
	for range 1000 { // and then 16 kB in 1.5 s: what was taken before counts
		s.record(16<<10, 3*time.Second/2)
	}
	require.Equal(t, now.Add(30*time.Second), s.deadline(now))
	s.record(16<<10, 21*time.Second)
	require.Equal(t, now.Add(10*time.Second), s.deadline(now))
}

// A source is measured over a window: earlier speed does not excuse an hour of slowness.
func TestASourceIsMeasuredOverAWindow(t *testing.T) {
	s := paceMeter{pace: 1000, idle: 30 * time.Second, window: 30 * time.Second}
	now := time.Unix(1, 0)
	s.record(100_000_000, time.Second)
	require.Equal(t, now.Add(30*time.Second), s.deadline(now))
	s.record(0, 30*time.Second)
	require.Equal(t, now.Add(30*time.Second), s.deadline(now), "what it was ahead is used up")
	s.record(5000, 15*time.Second)
	require.Equal(t, now.Add(20*time.Second), s.deadline(now), "ten seconds behind")
	s.record(10_000, 0)
	require.Equal(t, now.Add(30*time.Second), s.deadline(now))
}

// Readers of one workspace leave slots to others. An app for one workspace uses all.
func TestAWorkspaceHasItsShareOfThePlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newStreamLimits(8, 4, 2, 4)
		var left []func()
		enter := func(workspace, file string) error {
			leave, err := p.acquire(t.Context(), streamKey{workspace, file}, time.Millisecond)
			if err == nil {
				left = append(left, leave)
			}
			return err
		}
		for i := range 4 {
			require.NoError(t, enter("T1", string(rune('a'+i))))
		}
		require.ErrorIs(t, enter("T1", "e"), errBusy)
		for i := range 4 {
			require.NoError(t, enter("T2", string(rune('a'+i))))
		}
		require.ErrorIs(t, enter("T3", "a"), errBusy)
		for _, leave := range left {
			leave()
		}
		left = nil
		require.Empty(t, p.all)
		require.Empty(t, p.perWorkspace.byKey)
		for i := range 8 {
			require.NoError(t, enter("", string(rune('a'+i))))
		}
		require.ErrorIs(t, enter("", "i"), errBusy)
		left[0]()
		require.NoError(t, enter("", "i"))
		require.Empty(t, p.perWorkspace.byKey)
	})
}

// A stream that a busy machine woke too late takes a slot that is free.
func TestAFreeSlotIsTakenThoughTheWaitIsOver(t *testing.T) {
	over := make(chan time.Time, 1)
	for range 100 {
		over <- time.Time{}
		slots := make(chan struct{}, 1)
		require.NoError(t, acquireSlot(t.Context(), slots, over, errBusy))
		require.ErrorIs(t, acquireSlot(t.Context(), slots, over, errBusy), errBusy)
	}
}
