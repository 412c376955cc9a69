package files

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pipes is a [net.Listener] whose connections work in a synctest bubble.
type pipes chan net.Conn

// Accept implements [net.Listener].
func (p pipes) Accept() (net.Conn, error) {
	if conn, ok := <-p; ok {
		return conn, nil
	}
	return nil, net.ErrClosed
}

// Close implements [net.Listener].
func (p pipes) Close() error {
	close(p)
	return nil
}

// Addr implements [net.Listener].
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p <- theirs
	return ours, nil
}

// inPipes connects a fetcher to a photo service over pipes, for any host.
func inPipes(t *testing.T, f *Fetcher, photos http.HandlerFunc) {
	t.Helper()
	conns, protocols := make(pipes), new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetUnencryptedHTTP2(true)
	service := &http.Server{ReadHeaderTimeout: time.Hour, Handler: photos, Protocols: protocols}
	go func() { _ = service.Serve(conns) }()
	web, ok := f.client.Transport.(*http.Transport)
	require.True(t, ok)
	web.DialContext = conns.dial
	t.Cleanup(func() {
		web.CloseIdleConnections()
		require.NoError(t, service.Shutdown(context.WithoutCancel(t.Context()))) // it waits for its handlers
	})
}

// speakHTTP2 makes a fetcher use HTTP/2 only.
func speakHTTP2(f *Fetcher) {
	if web, ok := f.client.Transport.(*http.Transport); ok {
		web.Protocols = new(http.Protocols)
		web.Protocols.SetUnencryptedHTTP2(true)
	}
}

// piped makes a ZIP in a synctest bubble.
type piped struct {
	*zipRun
	took  time.Duration
	asked map[string]int // of the photo service, by path
}

// of serves the ZIP's images /1, /2, … while a reader takes the ZIP.
func (p *piped) of(t *testing.T, images int, photos http.HandlerFunc, reader io.Writer) map[string]string {
	t.Helper()
	var mu sync.Mutex
	asked := map[string]int{}
	inPipes(t, p.Fetcher, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		photos(w, r)
	})
	for i := range images {
		n := strconv.Itoa(i + 1)
		p.delivery.Images = append(p.delivery.Images, Image{ID: n, Name: n + ".jpg", URL: "http://photos.example/" + n})
	}
	began, out := time.Now(), httptest.NewRecorder()
	require.NoError(t, p.run(t.Context(), &reads{ResponseRecorder: out, to: reader}))
	p.took = time.Since(began)
	mu.Lock()
	defer mu.Unlock()
	p.asked = maps.Clone(asked)
	return unzip(t, out.Body.String())
}

// reads is a response with a slow reader.
type reads struct {
	*httptest.ResponseRecorder
	to io.Writer
}

func (r *reads) Write(p []byte) (int, error) {
	if _, err := r.to.Write(p); err != nil {
		return 0, err
	}
	return r.ResponseRecorder.Write(p)
}

// inABubble makes the handler of one ZIP, whose photo service is away when it is asked again.
func inABubble() *piped {
	return &piped{zipRun: &zipRun{askedAt: time.Now(), ZIPHandler: NewZIPHandler(ZIPConfig{
		Fetcher: NewFetcher(FetcherConfig{AllowPrivate: true, MaxBytes: MaxSize, Timeout: ZIPTime}), Log: slog.New(slog.DiscardHandler),
		Deliveries: deliveryFunc(func(ctx context.Context, _ Bundle) (Delivery, error) {
			<-ctx.Done()
			return Delivery{}, errors.New("away")
		}),
	})}}
}

// answers serves pictures of a size, each after a while.
func answers(after time.Duration, size int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		<-time.After(after)
		endless(int64(size))(w, nil)
	}
}

func refuses(after time.Duration, status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		<-time.After(after)
		w.WriteHeader(status)
	}
}

func silent(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// first serves these pictures differently from the others.
func first(n int, one, others http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if i, _ := strconv.Atoi(r.URL.Path[1:]); i <= n {
			one(w, r)
			return
		}
		others(w, r)
	}
}

// Each image stays within its own bounds. A ZIP of all holds its slot for minutes, not for an hour.
func TestSourcesThatAreSlowTogetherLoseTheirPlace(t *testing.T) {
	late := refuses(29*time.Second, http.StatusServiceUnavailable)
	for name, c := range map[string]struct {
		photos http.HandlerFunc
		reader io.Writer
	}{
		"they fail late":             {late, io.Discard},
		"they say nothing":           {silent, io.Discard},
		"they trickle":               {trickles(0), io.Discard},
		"small pictures come late":   {answers(29*time.Second, 5000), io.Discard},
		"a large one came before":    {first(1, answers(0, 50<<20), late), io.Discard},
		"they refuse after a while":  {refuses(3*time.Second, http.StatusForbidden), io.Discard},
		"the reader was slow before": {first(1, answers(0, 1<<20), late), &slowly{}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := inABubble()
				held := p.of(t, 500, c.photos, c.reader)
				took := p.took - p.out.meter.waited
				assert.Greater(t, took, 2*time.Minute)
				assert.Less(t, took, 4*time.Minute)
				assert.Contains(t, held[notIncluded], "\n500.jpg: not included. The photo service sent the photos before it too slowly.\n")
				assert.Zero(t, p.asked["/500"])
			})
		})
	}
}

// A source that is slow for a while loses no image.
func TestAZIPHasTimeForSourcesThatAreSlowForAWhile(t *testing.T) {
	for name, c := range map[string]struct {
		photos  http.HandlerFunc
		reader  io.Writer
		lacking int
	}{
		"each needs some time":        {answers(4*time.Second, 512<<10), io.Discard, 0},
		"two say nothing":             {first(2, silent, answers(0, 64<<10)), io.Discard, 2},
		"the reader takes his time":   {answers(time.Second, 80<<10), &slowly{}, 0},
		"some are not there, at once": {refuses(0, http.StatusNotFound), io.Discard, 100},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := inABubble()
				p.pace = 1
				list := p.of(t, 100, c.photos, c.reader)[notIncluded]
				assert.Equal(t, c.lacking, strings.Count(list, ".jpg: not included."), list)
			})
		})
	}
}

// The same holds if the source does not answer: then the ZIP does not move.
func TestAPhotoServiceIsAskedForFreshAddressesOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inABubble()
		<-time.After(2 * time.Minute)
		p.of(t, 500, refuses(0, http.StatusForbidden), io.Discard)
		assert.Equal(t, 20*time.Second, p.took)
	})
}

func TestAfterAFewSilentImagesTheOthersAreNotAskedFor(t *testing.T) {
	for name, speak := range map[string]func(*Fetcher){"HTTP/1": func(*Fetcher) {}, "HTTP/2": speakHTTP2} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := inABubble()
				speak(p.Fetcher)
				list := p.of(t, 4, silent, io.Discard)[notIncluded]
				assert.Equal(t, map[string]int{"/1": 2, "/2": 2, "/3": 1}, p.asked)
				assert.Contains(t, list, "4 of 4 photos are missing from this ZIP")
				assert.Contains(t, list, "3.jpg: not included. The photo service stopped sending it, or sent it too slowly.")
				assert.Contains(t, list, "4.jpg: not included. The photo service sent the photos before it too slowly.")
			})
		})
	}
}

func TestAfterAFewSlowImagesTheOthersAreNotAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := inABubble()
		list := p.of(t, 7, trickles(0), io.Discard)[notIncluded]
		assert.Equal(t, map[string]int{"/1": 1, "/2": 1, "/3": 1, "/4": 1, "/5": 1}, p.asked)
		assert.Contains(t, list, "5.jpg: incomplete, do not use it.")
		assert.Contains(t, list, "6.jpg: not included. The photo service sent the photos before it too slowly.")
	})
}
