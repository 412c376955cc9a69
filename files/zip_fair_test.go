package files

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// of returns the address of another ZIP.
func (z *zipRig) of(workspace, order string) string {
	was := z.signer
	defer func() { z.signer, z.bundle = was, Bundle{Order: "1042", Round: 1, Generation: 1} }()
	z.signer, z.bundle = was.In(workspace), Bundle{Order: order, Round: 1, Generation: 1, Workspace: workspace}
	return z.path()
}

// Readers that take nothing hold ZIPs of three workspaces. A fourth workspace is not refused, even for an equal id.
func TestSlowReadersOfThreeWorkspacesRefuseNobodyOfAnother(t *testing.T) {
	z := zipped(t, endless(MaxSize))
	z.holds = func(_ context.Context, b Bundle) (Delivery, error) {
		d := Delivery{Images: []Image{{ID: "a", Name: "a.jpg", URL: z.photos.URL + "/" + b.Workspace}}}
		if b.Workspace == "T4" {
			d = Delivery{Missing: []Missing{{Name: "b.jpg", Why: "Gone."}}}
		}
		return d, nil
	}
	z.zips.maxWait = time.Second
	for i := range 24 {
		z.ask(z.of(fmt.Sprint("T", 1+i/8), fmt.Sprint(1042+i%8/2)))
	}
	asked := func() []int { return []int{z.times("/T1"), z.times("/T2"), z.times("/T3")} }
	require.Eventually(t, func() bool { return slices.Equal(asked(), []int{4, 4, 4}) }, 10*time.Second, time.Millisecond)
	began := time.Now()
	for range 3 {
		a, body := z.do(http.MethodGet, z.of("T4", "1042"))
		require.Equal(t, http.StatusOK, a.StatusCode, body)
	}
	assert.Less(t, time.Since(began), 5*time.Second)
	assert.Equal(t, []int{4, 4, 4}, asked(), "a quarter of the places each")
}

// trickles sends a picture, then a few bytes at a time without a pause.
func trickles(first int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(append(jpeg(), make([]byte, first)...))
		for drip := time.NewTicker(10 * time.Millisecond); r.Context().Err() == nil; <-drip.C {
			_, _ = w.Write(make([]byte, 16))
			_ = http.NewResponseController(w).Flush()
		}
	}
}

func TestASourceThatTricklesLosesItsPlace(t *testing.T) {
	for name, first := range map[string]int{"from the start": 0, "after a megabyte at once": 1 << 20} {
		t.Run(name, func(t *testing.T) {
			z := zipped(t, trickles(first))
			z.zips.idle, z.zips.sourcePace = 300*time.Millisecond, 64<<10
			z.delivers("drip.jpg")
			began := time.Now()
			held := z.get()
			assert.Contains(t, held[notIncluded], "drip.jpg: incomplete, do not use it.")
			assert.Contains(t, held[notIncluded], "The photo service stopped sending it, or sent it too slowly.")
			assert.Less(t, time.Since(began), 5*time.Second)
		})
	}
}

// A source that is fast enough is never cut off, however long it takes.
func TestASourceMayTakeItsTime(t *testing.T) {
	z := zipped(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(jpeg())
		drip := time.NewTicker(50 * time.Millisecond)
		for range 10 {
			_, _ = w.Write(make([]byte, 8<<10))
			_ = http.NewResponseController(w).Flush()
			<-drip.C
		}
	})
	z.zips.idle, z.zips.sourcePace = 300*time.Millisecond, 64<<10
	z.delivers("steady.jpg")
	held := z.get()
	assert.Len(t, held["steady.jpg"], len(jpeg())+80<<10)
	assert.NotContains(t, held, notIncluded)
}

// counted counts how often the service is asked.
func (z *zipRig) counted() *atomic.Int32 {
	var asked atomic.Int32
	holds := z.holds
	z.holds = func(ctx context.Context, b Bundle) (Delivery, error) {
		asked.Add(1)
		return holds(ctx, b)
	}
	return &asked
}

func TestWhetherThereIsAZIPIsNotAskedOfTheService(t *testing.T) {
	z := zipped(t, plainly)
	z.delivers("a.jpg")
	asked := z.counted()
	for range 5 {
		a, body := z.do(http.MethodHead, z.path())
		require.Equal(t, http.StatusOK, a.StatusCode)
		assert.Equal(t, "application/zip", a.Header.Get("Content-Type"))
		assert.Empty(t, body)
	}
	assert.Zero(t, asked.Load())
	z.bundle.Generation = 2
	for _, method := range []string{http.MethodHead, http.MethodGet} {
		a, _ := z.do(method, z.path())
		assert.Equal(t, http.StatusGone, a.StatusCode, method)
	}
	assert.Zero(t, asked.Load())
}

func TestAnAnswerCountsForSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := Bundle{Order: "1042"}
		asked, refused, away := 0, error(nil), error(nil)
		h := NewZIPHandler(ZIPConfig{Deliveries: deliveryFunc(func(context.Context, Bundle) (Delivery, error) {
			asked++
			return Delivery{Images: []Image{{ID: fmt.Sprint(asked)}}}, errors.Join(refused, away)
		})})
		look := func(b Bundle) error {
			z := &zipRun{ZIPHandler: h, bundle: b}
			err := z.loadDelivery(t.Context())
			assert.Equal(t, err == nil, len(z.delivery.Images) == 1)
			return err
		}
		for range 3 {
			require.NoError(t, look(b))
		}
		assert.Equal(t, 1, asked)
		for _, other := range []Bundle{{Order: "1042", Round: 1}, {Order: "1042", Workspace: "T1"}, {Order: "1043"}} {
			require.NoError(t, look(other))
		}
		assert.Equal(t, 4, asked, "each has its own")
		<-time.After(9 * time.Second)
		require.NoError(t, look(b))
		assert.Equal(t, 4, asked)
		<-time.After(2 * time.Second)
		refused = &Refusal{"It was canceled."}
		for range 2 {
			require.ErrorIs(t, look(b), refused)
		}
		assert.Equal(t, 5, asked, "nine seconds do not begin anew, and a refusal is an answer, too")
		<-time.After(11 * time.Second)
		refused, away = nil, errors.New("away")
		for range 2 {
			require.ErrorIs(t, look(b), away)
		}
		assert.Equal(t, 7, asked, "no answer is none")
	})
}

// slowly takes 20 s for each piece.
type slowly struct{ pieces int }

func (s *slowly) Read(p []byte) (int, error) {
	<-time.After(20 * time.Second)
	if s.pieces--; s.pieces < 0 {
		return 0, io.EOF
	}
	return len(p), nil
}

func (s *slowly) Write(p []byte) (int, error) {
	<-time.After(20 * time.Second)
	return len(p), nil
}

func TestASourcesClockStandsWhileTheReaderTakesAPiece(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		z := &zipRun{ZIPHandler: NewZIPHandler(ZIPConfig{}), zip: zip.NewWriter(&slowly{}), names: entryNames{}}
		z.sourcePace = 1
		before, err := z.zip.CreateHeader(&zip.FileHeader{Name: "before", Method: zip.Store})
		require.NoError(t, err)
		_, err = before.Write(make([]byte, 4000)) // so that what comes next has to be taken
		require.NoError(t, err)
		watch := time.AfterFunc(z.idle, func() { t.Error("30 s are over") })
		<-time.After(20 * time.Second)
		began := time.Now()
		n, err := (&zipEntry{zipRun: z, image: Image{Name: "a.jpg"}}).receive(Picture{Type: "image/jpeg", Body: &slowly{pieces: 3}}, watch)
		require.NoError(t, err)
		assert.EqualValues(t, 3*64<<10, n)
		assert.Greater(t, time.Since(began), 2*time.Minute)
		assert.False(t, watch.Stop())
	})
}

// docs/security.md names these bounds of a replica.
func TestTheBoundsOfZIPs(t *testing.T) {
	h := NewZIPHandler(ZIPConfig{})
	assert.Equal(t, []int{16, 4, 2, 6}, []int{cap(h.limits.all), h.limits.perWorkspace.size, h.limits.perFile.size, h.limits.perFile.most})
	assert.Equal(t, []int64{16 << 10, 64 << 10}, []int64{h.pace, h.sourcePace})
	assert.Equal(t, []time.Duration{10 * time.Second, 30 * time.Second, time.Hour, time.Minute}, []time.Duration{h.maxWait, h.idle, h.overall, h.stale})
	assert.Equal(t, []int{500, 5}, []int{maxZIPImages, maxPauses})
	assert.Equal(t, 7*24*time.Hour, ZIPLife)
}
