package inspect

import (
	"io"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// edit is a large picture. Only its head and its tail are in memory.
type edit struct {
	head, tail []byte
	at         int64
}

const editSize = 20_000_000

func (e *edit) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += e.at
	case io.SeekEnd:
		offset += editSize
	}
	e.at = offset
	return offset, nil
}

func (e *edit) Read(p []byte) (n int, err error) {
	tail := int64(editSize - len(e.tail))
	switch {
	case e.at >= editSize:
		return 0, io.EOF
	case e.at < int64(len(e.head)):
		n = copy(p, e.head[e.at:])
	case e.at >= tail:
		n = copy(p, e.tail[e.at-tail:])
	default:
		n = int(min(int64(len(p)), tail-e.at))
		clear(p[:n])
	}
	e.at += int64(n)
	return n, nil
}

// Forty edits of 20 MB, four at a time, at a service that takes 200 ms to answer: half JPEG, a quarter PNG, and TIFF, of
// which three have their header last.
func TestFortyEdits(t *testing.T) {
	const edits, atOnce, latency = 40, 4, 200 * time.Millisecond
	jpegHead, pngHead := jpegOf(t, small(60, 40), iccSegments(iccSRGB, 9000)...), pngOf(t, small(60, 40), iccp(t, iccP3))[:400]
	last := directory(little, editSize-600, long(256, 6000), short(257, 4000), unknown(34675, iccAdobe))
	edited := func(i int) *edit {
		switch {
		case i%2 == 0:
			return &edit{head: jpegHead}
		case i%4 == 1:
			return &edit{head: pngHead}
		case i < 12:
			return &edit{head: little.AppendUint32([]byte("II*\x00"), editSize-600), tail: append(last, make([]byte, 600-len(last))...)}
		}
		return &edit{head: tiffOf(little, 8, long(256, 6000), short(257, 4000), unknown(34675, iccAdobe))}
	}
	g := serving(t, func(w http.ResponseWriter, r *http.Request) {
		i, err := strconv.Atoi(r.URL.Path[1:])
		assert.NoError(t, err)
		<-time.After(latency) // a far service
		http.ServeContent(w, r, "", time.Time{}, edited(i))
	})
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	peak, stop := watchHeap()
	began := time.Now()
	inspector := New(true)
	var all sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i := range edits {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			got, err := inspector.Inspect(t.Context(), g.URL+"/"+strconv.Itoa(i))
			assert.NoError(t, err)
			assert.NotZero(t, got.Width, "%d", i)
			assert.Contains(t, []Profile{SRGB, DisplayP3, AdobeRGB}, got.Profile, "%d", i)
			assert.Equal(t, int64(editSize), got.Size)
		})
	}
	all.Wait()
	took := time.Since(began)
	stop()
	grown := int64(peak.Load()) - int64(before.HeapAlloc)
	t.Logf("%d edits of %d MB: %.1f MB served in %d requests, %.1f s, the heap grew by %.1f MB at most",
		edits, editSize/1_000_000, float64(g.sent.Load())/1e6, g.requests.Load(), took.Seconds(), float64(grown)/1e6)
	require.Less(t, g.sent.Load(), int64(12_000_000))
	require.Equal(t, int32(edits+3), g.requests.Load())
	require.Less(t, grown, int64(32<<20))
	require.Less(t, took, 30*time.Second)
}

// watchHeap measures the largest heap until it is stopped.
func watchHeap() (peak *atomic.Uint64, stop func()) {
	peak = new(atomic.Uint64)
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak.Store(max(peak.Load(), m.HeapAlloc))
			select {
			case <-done:
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	return peak, func() { close(done); <-ended }
}
