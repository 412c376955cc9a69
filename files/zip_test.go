package files

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jellydator/ttlcache/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// zipRig has the ZIP handler between a client and a photo service, all over HTTP.
type zipRig struct {
	*rig
	zips    *ZIPHandler
	photos  *httptest.Server
	holds   deliveryFunc
	bundle  Bundle
	fetched sync.Map // path → *atomic.Int32
}

type deliveryFunc func(ctx context.Context, b Bundle) (Delivery, error)

func (f deliveryFunc) Delivery(ctx context.Context, b Bundle) (Delivery, error) { return f(ctx, b) }

// Offered implements [Offers]. It refuses an order that has left its channel.
func (f deliveryFunc) Offered(_ context.Context, b Bundle) error {
	if b.Generation > 1 {
		return &Refusal{"This order has left."}
	}
	return nil
}

// zipped starts a rig over a photo service; the test sets the delivery.
func zipped(t *testing.T, photos http.HandlerFunc) *zipRig {
	t.Helper()
	z := &zipRig{bundle: Bundle{Order: "1042", Round: 1, Generation: 1}}
	z.photos = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := z.fetched.LoadOrStore(r.URL.Path, new(atomic.Int32))
		n.(*atomic.Int32).Add(1)
		photos(w, r)
	}))
	t.Cleanup(z.photos.Close)
	z.rig = &rig{t: t, signer: signer(t, "https://d.example.com", newKey, oldKey), logs: &logged{}}
	z.zips = NewZIPHandler(ZIPConfig{
		Signer: z.signer, Deliveries: deliveryFunc(func(ctx context.Context, b Bundle) (Delivery, error) { return z.holds(ctx, b) }),
		Fetcher: NewFetcher(FetcherConfig{AllowPrivate: true, MaxBytes: MaxSize, Timeout: ZIPTime}),
		Log:     slog.New(slog.NewTextHandler(z.logs, nil)),
	})
	mux := http.NewServeMux()
	mux.Handle(ZIPPath, z.zips)
	z.web = httptest.NewServer(mux)
	t.Cleanup(z.web.Close)
	return z
}

// delivers sets a delivery of images with these names, at the addresses /1, /2, …
func (z *zipRig) delivers(names ...string) {
	z.holds = func(_ context.Context, b Bundle) (Delivery, error) {
		assert.Equal(z.t, z.bundle, b)
		var d Delivery
		for i, name := range names {
			d.Images = append(d.Images, Image{ID: strconv.Itoa(i), Name: name, URL: z.photos.URL + "/" + strconv.Itoa(i+1), Modified: noon})
		}
		return d, nil
	}
}

func (z *zipRig) times(path string) int {
	n, ok := z.fetched.Load(path)
	if !ok {
		return 0
	}
	return int(n.(*atomic.Int32).Load())
}

func (z *zipRig) path() string {
	return strings.TrimPrefix(z.signer.ZIP(z.bundle, "Smith wedding", time.Now()), "https://d.example.com")
}

// get downloads the ZIP and returns its files by name.
func (z *zipRig) get() map[string]string {
	z.t.Helper()
	a, body := z.do(http.MethodGet, z.path())
	require.Equal(z.t, http.StatusOK, a.StatusCode, body)
	return unzip(z.t, body)
}

func unzip(t *testing.T, body string) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	require.NoError(t, err)
	held := map[string]string{}
	for _, f := range archive.File {
		assert.Equal(t, zip.Store, f.Method, f.Name)
		r, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(r) // checks its sum
		require.NoError(t, err, f.Name)
		held[f.Name] = string(content)
	}
	require.Len(t, held, len(archive.File), "two of one name")
	return held
}

// plainly serves a picture with its address in the bytes.
func plainly(w http.ResponseWriter, r *http.Request) { _, _ = w.Write(append(jpeg(), r.URL.Path...)) }

func TestAZIPHoldsEveryImageUnderItsName(t *testing.T) {
	z := zipped(t, plainly)
	z.delivers("beach.jpg", "cake.jpg", "Beach.JPG", "../../etc/passwd", "Größe 日本.jpg")
	at := func(n int) string { return string(jpeg()) + "/" + strconv.Itoa(n) }
	assert.Equal(t, map[string]string{
		"beach.jpg": at(1), "cake.jpg": at(2), "Beach (2).JPG": at(3), "-..-etc-passwd.jpg": at(4), "Größe 日本.jpg": at(5),
	}, z.get())

	a, _ := z.do(http.MethodHead, z.path())
	assert.Equal(t, http.StatusOK, a.StatusCode)
	for header, want := range map[string]string{
		"Content-Type": "application/zip", "X-Content-Type-Options": "nosniff", "X-Robots-Tag": "noindex",
		"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private, no-store, no-transform",
		"Content-Disposition": "attachment; filename*=UTF-8''Smith%20wedding.zip",
	} {
		assert.Equal(t, want, a.Header.Get(header), header)
	}
	assert.Equal(t, 1, z.times("/1"), "HEAD fetches no image")
	assert.Eventually(t, func() bool { return len(z.zips.limits.all) == 0 }, 5*time.Second, time.Millisecond)
}

func TestNamesInAZIPAreSafe(t *testing.T) {
	for given, want := range map[string]string{
		"beach.jpg": "beach.jpg", "": "photo.jpg", "..": "photo.jpg", "...": "photo.jpg", "/etc/passwd": "-etc-passwd.jpg",
		`..\..\win.jpg`: "-..-win.jpg", "a\x00b\r\n.jpg": "ab.jpg", "gpj\u202e.exe": "gpj.exe.jpg", ".hidden.png": "hidden.png",
		"CON": "_CON.jpg", "con.jpg": "_con.jpg", "Com1.tar.jpg": "_Com1.tar.jpg", "lpt².png": "_lpt².png", "conch.jpg": "conch.jpg",
		"nul .jpg": "_nul .jpg", `a:b*c?"<>|.jpg`: "a-b-c-----.jpg", "trailing. . ": "trailing.jpg", "page.html": "page.html.jpg",
		"not-included.txt": "not-included.txt.jpg", "C:evil.jpg": "C-evil.jpg", "raw.NEF": "raw.NEF",
	} {
		assert.Equal(t, want, entryNames{}.unique(given, "image/jpeg"), "%q", given)
	}
	names := entryNames{}
	for _, want := range []string{"a.jpg", "a (2).jpg", "a (3).jpg"} {
		assert.Equal(t, want, names.unique("a.jpg", "image/jpeg"))
	}
	assert.Equal(t, "A (2) (2).JPG", names.unique("A (2).JPG", "image/jpeg"))
	long := names.unique(strings.Repeat("長", 200)+".jpg", "image/jpeg")
	assert.LessOrEqual(t, len(long), maxNameLen)
	assert.True(t, strings.HasSuffix(long, "長.jpg"), long)
	for given, want := range map[string]string{"": "photos.zip", "Smith.zip": "Smith.zip", "a/b": "a-b.zip", "aux": "_aux.zip"} {
		assert.Equal(t, want, zipName(given), "%q", given)
	}
}

// A missing image costs no other, and the ZIP lists it. A truncated image leaves the ZIP readable.
func TestAZIPTellsWhatItLacks(t *testing.T) {
	z := zipped(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/2":
			w.WriteHeader(http.StatusGone)
		case "/3": // dies in the middle
			w.Header().Set("Content-Length", "9000000")
			_, _ = w.Write(append(jpeg(), make([]byte, 1_500_000)...))
		case "/4":
			_, _ = io.WriteString(w, "<html>Sign in</html>")
		case "/5":
			w.WriteHeader(http.StatusForbidden)
		case "/6":
			w.Header().Set("Content-Length", strconv.Itoa(MaxSize+1))
			_, _ = w.Write(jpeg())
		case "/8":
			http.Redirect(w, r, "ftp://photos.example/8", http.StatusFound)
		default:
			plainly(w, r)
		}
	})
	z.delivers("beach.jpg", "gone.jpg", "cut.jpg", "page.jpg", "secret.jpg", "huge.jpg", "cake.jpg", "elsewhere.jpg")
	held := z.get()
	list := held[notIncluded]
	delete(held, notIncluded)
	assert.Len(t, held, 3)
	assert.Equal(t, string(jpeg())+"/1", held["beach.jpg"])
	assert.Equal(t, string(jpeg())+"/7", held["cake.jpg"])
	assert.Less(t, len(held["cut.jpg"]), 9_000_000)
	assert.True(t, strings.HasPrefix(held["cut.jpg"], string(jpeg())))
	for _, line := range []string{
		"6 of 8 photos are missing from this ZIP, or not complete:\n",
		"\ngone.jpg: not included. The photo service no longer has it at its link.\n",
		"\ncut.jpg: incomplete, do not use it. After 1.5 MB: The connection to the photo service broke.\n",
		"\npage.jpg: not included. Its link does not lead to a photo.\n",
		"\nsecret.jpg: not included. The photo service did not give it out (status 403).\n",
		"\nhuge.jpg: not included. It is larger than 200 MB.\n",
		"\nelsewhere.jpg: not included. Darkroom does not open the link that the photo service gave for it.\n",
	} {
		assert.Contains(t, list, line)
	}
	assert.NotContains(t, list, z.photos.URL, "addresses are secret")
	assert.NotContains(t, z.logs.String(), z.photos.URL)
	assert.Equal(t, 6, strings.Count(z.logs.String(), "zip lacks an image"))
	assert.Equal(t, 2, z.times("/2"), "tried once more")
	assert.Equal(t, 1, z.times("/3"), "half of it is out")
}

// The service's addresses expire while a long ZIP is on its way.
func TestAZIPAsksForFreshAddresses(t *testing.T) {
	z := zipped(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/old") {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		plainly(w, r)
	})
	z.zips.stale = 0
	z.zips.answers = ttlcache.New(ttlcache.WithTTL[Bundle, deliveryAnswer](time.Nanosecond))
	asked := 0
	z.holds = func(context.Context, Bundle) (Delivery, error) {
		asked++
		where := map[bool]string{true: "/old", false: "/new"}[asked == 1]
		return Delivery{Images: []Image{{ID: "a", Name: "a.jpg", URL: z.photos.URL + where}}}, nil
	}
	assert.Equal(t, map[string]string{"a.jpg": string(jpeg()) + "/new"}, z.get())
}

func TestAZIPGoesOnWithoutASourceThatStalls(t *testing.T) {
	z := zipped(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/3" {
			_, _ = w.Write(jpeg())
			http.NewResponseController(w).Flush() //nolint:errcheck // the client went away
		}
		if r.URL.Path != "/1" {
			<-r.Context().Done()
		}
	})
	z.zips.idle = 200 * time.Millisecond
	z.delivers("whole.jpg", "stalls.jpg", "silent.jpg")
	held := z.get()
	assert.Equal(t, string(jpeg()), held["whole.jpg"])
	assert.Contains(t, held[notIncluded], "stalls.jpg: incomplete, do not use it. After 0.0 MB: The photo service stopped sending it, or sent it too slowly.")
	assert.Contains(t, held[notIncluded], "silent.jpg: not included. The photo service stopped sending it, or sent it too slowly.")
}

func TestAZIPThatTakesTooLongEndsReadable(t *testing.T) {
	z := zipped(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(jpeg())
		for i := 0; r.URL.Path == "/2" && r.Context().Err() == nil; i++ {
			_, _ = w.Write(make([]byte, 1000))
			http.NewResponseController(w).Flush() //nolint:errcheck // the client went away
		}
	})
	z.zips.overall = 300 * time.Millisecond
	z.delivers("first.jpg", "endless.jpg", "last.jpg")
	held := z.get()
	assert.Equal(t, string(jpeg()), held["first.jpg"])
	assert.Contains(t, held[notIncluded], "MB: The whole download took too long.")
	assert.Contains(t, held[notIncluded], "last.jpg: not included. The whole download took too long.")
}

// A reader that takes nothing is cut off, and the photo service is not read further.
func TestAZIPIsBrokenOffWithWhoeverTakesNothing(t *testing.T) {
	for name, leaves := range map[string]bool{"stalls": false, "goes away": true} {
		t.Run(name, func(t *testing.T) {
			ended := make(chan struct{})
			var once sync.Once
			z := zipped(t, func(w http.ResponseWriter, _ *http.Request) {
				defer once.Do(func() { close(ended) })
				_, err := w.Write(jpeg())
				for err == nil {
					_, err = w.Write(make([]byte, 64<<10))
				}
			})
			z.zips.idle = 300 * time.Millisecond
			if leaves {
				z.zips.idle = time.Minute
			}
			z.delivers("endless.jpg", "never.jpg")
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", z.web.Listener.Addr().String())
			require.NoError(t, err)
			defer func() { _ = conn.Close() }()
			_, err = io.WriteString(conn, "GET "+z.path()+" HTTP/1.1\r\nHost: d\r\n\r\n")
			require.NoError(t, err)
			_, err = io.ReadFull(conn, make([]byte, 1000))
			require.NoError(t, err)
			if leaves {
				require.NoError(t, conn.Close())
			}
			select {
			case <-ended:
			case <-time.After(10 * time.Second):
				t.Fatal("still read")
			}
			assert.Eventually(t, func() bool { return len(z.zips.limits.all) == 0 }, 5*time.Second, time.Millisecond)
			assert.Zero(t, z.times("/2"))
			assert.Contains(t, z.logs.String(), "zip broken off")
		})
	}
}

func TestZIPsAreRefusedInASentence(t *testing.T) {
	z := zipped(t, plainly)
	z.delivers("a.jpg")
	expired := strings.TrimPrefix(z.signer.ZIP(z.bundle, "x", time.Now().Add(-ZIPLife-time.Second)), "https://d.example.com")
	stranger := strings.TrimPrefix(signer(t, "https://d.example.com", otherKey).ZIP(z.bundle, "x", time.Now()), "https://d.example.com")
	photo := ZIPPath + z.signer.token("F0BEACH12345", time.Now().Add(Life)) + "/x.zip"
	for name, c := range map[string]struct {
		method, path string
		status       int
		says         string
	}{
		"expired":              {http.MethodGet, expired, http.StatusGone, "This link has expired."},
		"of another key":       {http.MethodGet, stranger, http.StatusForbidden, "not from Darkroom"},
		"a photo's token":      {http.MethodGet, photo, http.StatusForbidden, "not from Darkroom"},
		"no token":             {http.MethodGet, ZIPPath, http.StatusForbidden, "not from Darkroom"},
		"far too long":         {http.MethodGet, ZIPPath + strings.Repeat("A", 2000), http.StatusForbidden, "not from Darkroom"},
		"with another method":  {http.MethodPost, z.path(), http.StatusMethodNotAllowed, "Only GET and HEAD"},
		"with a method of old": {http.MethodDelete, z.path(), http.StatusMethodNotAllowed, "Only GET and HEAD"},
	} {
		t.Run(name, func(t *testing.T) {
			a, body := z.do(c.method, c.path)
			assert.Equal(t, c.status, a.StatusCode)
			assert.Contains(t, body, c.says)
			assert.Equal(t, c.status == http.StatusMethodNotAllowed, a.Header.Get("Allow") == "GET, HEAD")
			assert.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"))
			assert.Equal(t, "no-store", a.Header.Get("Cache-Control"))
		})
	}
	assert.Zero(t, z.times("/1"))
	_, err := z.signer.Verify(strings.Split(z.path(), "/")[3], time.Now())
	require.ErrorIs(t, err, ErrForged, "a ZIP's token opens no photo")

	z.holds = func(context.Context, Bundle) (Delivery, error) {
		return Delivery{}, &Refusal{"This order was canceled."}
	}
	a, body := z.do(http.MethodGet, z.path())
	assert.Equal(t, http.StatusGone, a.StatusCode)
	assert.Equal(t, "This order was canceled.\n", body)
	assert.NotContains(t, z.logs.String(), "zip not served", "as many as anybody likes")
	z.bundle.Round++
	z.holds = func(context.Context, Bundle) (Delivery, error) { return Delivery{}, errors.New("no route to 10.1.2.3") }
	a, body = z.do(http.MethodGet, z.path())
	assert.Equal(t, http.StatusBadGateway, a.StatusCode)
	assert.Equal(t, zipLater+"\n", body)
	assert.Contains(t, z.logs.String(), "zip not served")
	assert.Equal(t, "30", a.Header.Get("Retry-After"))
}

func TestTheAddressOfAZIPNamesWhatItHolds(t *testing.T) {
	s := signer(t, "https://d.example.com", newKey)
	for _, b := range []Bundle{{Order: "1042", Generation: 1}, {Order: "日本/../..", Round: 7, Generation: 300}, {Order: strings.Repeat("x", 255), Round: 1 << 30, Generation: 2}} {
		address := s.ZIP(b, "a", noon)
		parts := strings.Split(strings.TrimPrefix(address, "https://d.example.com"+ZIPPath), "/")
		require.Len(t, parts, 2)
		assert.LessOrEqual(t, len(parts[0]), maxToken)
		got, err := s.VerifyZIP(parts[0], noon.Add(ZIPLife-time.Second))
		require.NoError(t, err)
		assert.Equal(t, b, got)
		_, err = s.VerifyZIP(parts[0], noon.Add(ZIPLife))
		require.ErrorIs(t, err, ErrExpired)
	}
	_, err := s.VerifyZIP(s.Seal(zipPurpose, make([]byte, bundleLen), noon.Add(time.Hour)), noon)
	require.ErrorIs(t, err, ErrForged, "it names no order")
	for _, b := range []Bundle{{}, {Order: "1042", Round: -1, Generation: 1}, {Order: "1042", Round: 1 << 32, Generation: 1}, {Order: strings.Repeat("x", 256), Generation: 1}} {
		assert.Empty(t, s.ZIP(b, "a", noon))
	}
}

func TestZIPsAreBounded(t *testing.T) {
	started, goOn := make(chan struct{}, 9), make(chan struct{})
	z := zipped(t, func(w http.ResponseWriter, r *http.Request) {
		started <- struct{}{}
		<-goOn
		plainly(w, r)
	})
	z.zips.maxWait = 50 * time.Millisecond
	z.delivers("a.jpg")
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() { assert.Len(t, z.get(), 1) })
	}
	<-started
	<-started
	a, body := z.do(http.MethodGet, z.path())
	assert.Equal(t, http.StatusServiceUnavailable, a.StatusCode)
	assert.Contains(t, body, "Others are downloading this order")
	assert.NotContains(t, z.logs.String(), "zip not served")
	close(goOn)
	all.Wait()
}

// 50 images of 30 MB pass with little memory.
func TestALargeZIPTakesLittleMemory(t *testing.T) {
	const images, limit = 50, 100 << 20
	size := int64(6 << 20)
	if os.Getenv("DARKROOM_TEST_ALL") != "" {
		size = 30 << 20 // as large as a photo is
	}
	z := zipped(t, endless(size))
	z.delivers(strings.Split(strings.Repeat("photo.jpg,", images-1)+"photo.jpg", ",")...)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, z.web.URL+z.path(), nil)
	require.NoError(t, err)
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	var peak uint64
	var read, looked int64
	var end bytes.Buffer // the directory of the ZIP, which names all
	for buf := make([]byte, 256<<10); err == nil; {
		var n int
		n, err = resp.Body.Read(buf)
		if read += int64(n); read-looked > 10<<20 {
			runtime.ReadMemStats(&now)
			peak, looked = max(peak, now.HeapAlloc), read
		}
		if read > images*size {
			end.Write(buf[:n])
		}
	}
	require.ErrorIs(t, err, io.EOF)
	runtime.ReadMemStats(&now)
	assert.Greater(t, read, images*size)
	assert.Contains(t, end.String(), "photo (50).jpg")
	assert.NotContains(t, end.String(), notIncluded)
	t.Logf("%d MB passed: %d kB held at most, %d kB taken in all", read>>20, (int64(peak)-int64(before.HeapAlloc))>>10, (now.TotalAlloc-before.TotalAlloc)>>10)
	assert.Less(t, int64(peak)-int64(before.HeapAlloc), int64(limit), "held at once")
	assert.Less(t, now.TotalAlloc-before.TotalAlloc, uint64(limit), "taken in all")
}
