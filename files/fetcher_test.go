package files

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// picking is a server of small pictures, good and bad.
func picking(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	serve := func(path, content string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/png")
			_, _ = io.WriteString(w, content)
		})
	}
	serve("/thumb.jpg", string(jpeg()))
	serve("/thumb.png", beginnings["image/png"][0])
	serve("/thumb.gif", beginnings["image/gif"][0])
	serve("/thumb.svg", notPictures["SVG"])
	serve("/thumb.webp", beginnings["image/webp"][0])
	serve("/page", notPictures["HTML"])
	serve("/empty", "")
	serve("/large", string(jpeg())+strings.Repeat("x", 10_000))
	mux.Handle("/endless", endlessChunks())
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write(append(jpeg(), make([]byte, 10_000)...))
		_ = z.Close()
	})
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5000")
		_, _ = io.WriteString(w, beginnings["image/jpeg"][0])
	})
	mux.HandleFunc("/cut/late", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5000")
		_, _ = io.WriteString(w, beginnings["image/jpeg"][0]+strings.Repeat("x", 2*sniffLen))
	})
	mux.HandleFunc("/gone", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(410) })
	mux.HandleFunc("/ill", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	mux.HandleFunc("/hangs", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusFound)
	})
	mux.HandleFunc("/referer", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, beginnings["image/png"][0]+r.Header.Get("Referer"))
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}

func endlessChunks() http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, err := w.Write(jpeg())
		for err == nil && r.Context().Err() == nil {
			_, err = w.Write(jpeg())
		}
	}
}

func sandboxFetcher() *Fetcher {
	return NewFetcher(FetcherConfig{AllowPrivate: true, MaxBytes: 10_000, Timeout: 2 * time.Second})
}

func TestFetcherGetsSmallPictures(t *testing.T) {
	srv := picking(t)
	for path, want := range map[string][]byte{
		"/thumb.jpg": jpeg(),
		"/thumb.png": []byte(beginnings["image/png"][0]),
		"/thumb.gif": []byte(beginnings["image/gif"][0]),
	} {
		p, err := sandboxFetcher().Fetch(t.Context(), srv.URL+path)
		require.NoError(t, err, path)
		assert.Equal(t, want, p)
		require.NoError(t, sandboxFetcher().Look(t.Context(), srv.URL+path), path)
	}
}

func TestFetcherRefusesWhatIsNoSmallPicture(t *testing.T) {
	srv := picking(t)
	for path, want := range map[string]error{
		"/thumb.svg": ErrNotPicture, "/page": ErrNotPicture, "/thumb.webp": ErrNotPicture,
		"/empty": ErrEmpty, "/gone": ErrGone, "/nothing": ErrGone,
		"/large": ErrTooLarge, "/endless": ErrTooLarge, "/bomb": ErrTooLarge,
		"/cut": io.ErrUnexpectedEOF, "/cut/late": io.ErrUnexpectedEOF,
	} {
		_, err := sandboxFetcher().Fetch(t.Context(), srv.URL+path)
		assert.ErrorIs(t, err, want, path)
		assert.ErrorIs(t, sandboxFetcher().Look(t.Context(), srv.URL+path), want, "looked at: %s", path)
	}
	_, err := sandboxFetcher().Fetch(t.Context(), srv.URL+"/ill?secret=1")
	assert.EqualError(t, err, "fetch: status 500")
}

func TestFetcherTakesAPictureOfJustTheLimit(t *testing.T) {
	srv := picking(t)
	for limit, want := range map[int64]error{5000: nil, 4999: ErrTooLarge, 100: ErrTooLarge} {
		_, err := NewFetcher(FetcherConfig{AllowPrivate: true, MaxBytes: limit, Timeout: 2 * time.Second}).Fetch(t.Context(), srv.URL+"/thumb.jpg")
		assert.ErrorIs(t, err, want, "%d", limit)
	}
}

func TestFetcherReadsNothingOfWhatIsAnnouncedAsTooLarge(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "20000")
		w.WriteHeader(http.StatusOK) // and then the connection breaks
	}))
	t.Cleanup(srv.Close)
	_, err := sandboxFetcher().Fetch(t.Context(), srv.URL)
	assert.ErrorIs(t, err, ErrTooLarge)
}

func TestFetcherGivesUpInTimeAndQuotesNoURL(t *testing.T) {
	srv := picking(t)
	f := NewFetcher(FetcherConfig{AllowPrivate: true, MaxBytes: 10_000, Timeout: 50 * time.Millisecond})
	_, err := f.Fetch(t.Context(), srv.URL+"/hangs?secret=1")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.NotContains(t, err.Error(), "secret")
}

func TestFetcherRefusesURLsOfOtherKinds(t *testing.T) {
	srv := picking(t)
	host := strings.TrimPrefix(srv.URL, "http://")
	for name, address := range map[string]string{
		"a file":           "file:///etc/passwd",
		"ftp":              "ftp://" + host + "/thumb.jpg",
		"gopher":           "gopher://" + host + "/",
		"credentials":      "http://me:secret@" + host + "/thumb.jpg",
		"a user":           "http://me@" + host + "/thumb.jpg",
		"no scheme":        host + "/thumb.jpg",
		"no host":          "http:///thumb.jpg",
		"nothing":          "",
		"no URL":           "http://a b/%zz",
		"redirected there": srv.URL + "/to?url=" + url.QueryEscape("file:///etc/passwd"),
		"redirected, user": srv.URL + "/to?url=" + url.QueryEscape("http://me:secret@"+host+"/thumb.jpg"),
	} {
		_, err := sandboxFetcher().Fetch(t.Context(), address)
		require.ErrorIs(t, err, ErrRefused, name)
		assert.NotContains(t, err.Error(), "secret")
	}
}

// through returns an address that redirects n times before it reaches the picture.
func through(srv *httptest.Server, n int, end string) string {
	for range n {
		end = srv.URL + "/to?url=" + url.QueryEscape(end)
	}
	return end
}

func TestFetcherFollowsThreeRedirects(t *testing.T) {
	srv := picking(t)
	_, err := sandboxFetcher().Fetch(t.Context(), through(srv, 3, srv.URL+"/thumb.jpg"))
	require.NoError(t, err)
	_, err = sandboxFetcher().Fetch(t.Context(), through(srv, 4, srv.URL+"/thumb.jpg"))
	require.ErrorIs(t, err, ErrRefused)
}

func TestFetcherTellsTheNextHostNothingOfTheLast(t *testing.T) {
	srv := picking(t)
	p, err := sandboxFetcher().Fetch(t.Context(), through(srv, 1, srv.URL+"/referer"))
	require.NoError(t, err)
	assert.Equal(t, beginnings["image/png"][0], string(p))
}

func TestFetcherStaysOnThePublicNetwork(t *testing.T) {
	var reached atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(srv.Close)
	_, port, err := net.SplitHostPort(srv.Listener.Addr().String())
	require.NoError(t, err)
	f := NewFetcher(FetcherConfig{MaxBytes: 10_000, Timeout: 2 * time.Second})
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "169.254.169.254", "[::ffff:7f00:1]"} {
		_, err := f.Fetch(t.Context(), "http://"+host+":"+port+"/?secret=1")
		require.ErrorIs(t, err, ErrRefused, host)
		assert.NotContains(t, err.Error(), "secret")
	}
	assert.Zero(t, reached.Load())
}

func TestFetcherUsesNoProxy(t *testing.T) {
	// A proxy would resolve the name itself, out of reach of the dialer's check.
	f := NewFetcher(FetcherConfig{MaxBytes: 10_000, Timeout: time.Second})
	transport, ok := f.client.Transport.(*http.Transport)
	require.True(t, ok)
	assert.Nil(t, transport.Proxy)
}

// DNS rebinding: a name is public when it is checked, and private when it is dialled.
func TestFetcherIsNotFooledByANameThatChanges(t *testing.T) {
	srv := picking(t)
	port := srv.URL[strings.LastIndex(srv.URL, ":"):]
	asked := new(atomic.Int32)
	f := NewFetcher(FetcherConfig{MaxBytes: 10_000, Timeout: 2 * time.Second})
	f.dialer.Resolver = resolving(asked, "93.184.215.14", "127.0.0.1")

	seen, err := f.dialer.Resolver.LookupHost(t.Context(), "pictures.example")
	require.NoError(t, err)
	require.Equal(t, []string{"93.184.215.14"}, seen)
	_, err = f.Fetch(t.Context(), "http://pictures.example"+port+"/thumb.jpg")
	require.ErrorIs(t, err, ErrRefused)
	assert.Greater(t, asked.Load(), int32(1), "the name was asked for again")
}

func TestFetcherLooksAtWhereARedirectLeads(t *testing.T) {
	srv := picking(t)
	port := srv.URL[strings.LastIndex(srv.URL, ":"):]
	f := sandboxFetcher()
	f.dialer.Resolver = resolving(new(atomic.Int32), "169.254.169.254")
	_, err := f.Fetch(t.Context(), through(srv, 1, "http://metadata.example"+port+"/latest"))
	assert.ErrorIs(t, err, ErrRefused)
}

// An unknown name is refused like one of our own network. Otherwise the answers tell which names exist there.
func TestFetcherTellsNoNamesOfOurNetwork(t *testing.T) {
	f := NewFetcher(FetcherConfig{MaxBytes: 10_000, Timeout: 2 * time.Second})
	for _, answer := range []string{"10.1.2.3", ""} {
		f.dialer.Resolver = resolving(new(atomic.Int32), answer)
		_, err := f.Fetch(t.Context(), "http://billing.corp.example/a.jpg")
		require.ErrorIs(t, err, ErrRefused, answer)
		require.False(t, retryable(err), answer)
	}
}

// A reader that takes nothing holds little memory, also with HTTP/2.
func TestWhatIsNotTakenStaysAtItsSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int64
		f := sandboxFetcher()
		speakHTTP2(f)
		inPipes(t, f, func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, 2, r.ProtoMajor)
			n, err := w.Write(jpeg())
			for ; err == nil; n, err = w.Write(make([]byte, 16<<10)) {
				sent.Add(int64(n))
			}
		})
		left := errors.New("left")
		err := f.Stream(t.Context(), "http://photos.example/a.jpg", func(Picture) (int64, error) {
			synctest.Wait()
			return 0, left
		})
		require.ErrorIs(t, err, left)
		assert.Greater(t, sent.Load(), int64(512<<10), "a far service is not slowed down")
		assert.Less(t, sent.Load(), int64(1200<<10))
	})
}

// resolving is a resolver whose name server gives the first answer to the first question
// for an IPv4 address, and so on; the last is given for ever.
func resolving(asked *atomic.Int32, answers ...string) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		client, server := net.Pipe()
		go func() {
			defer func() { _ = server.Close() }()
			var size uint16 // over a stream each message has its length in front
			for binary.Read(server, binary.BigEndian, &size) == nil {
				query := make([]byte, size)
				if _, err := io.ReadFull(server, query); err != nil {
					return
				}
				out := reply(query, func() string { return answers[min(int(asked.Add(1)), len(answers))-1] })
				if _, err := server.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(out))), out...)); err != nil {
					return
				}
			}
		}()
		return client, nil
	}}
}

// reply is the query with the answer bit and, for a question of type A, one address; "" is none.
func reply(query []byte, next func() string) []byte {
	end := 12 + bytes.IndexByte(query[12:], 0) + 5 // header, name, type, class
	out := append([]byte(nil), query[:end]...)
	out[2], out[3] = 0x81, 0x80
	copy(out[4:12], []byte{0, 1, 0, 0, 0, 0, 0, 0}) // one question, nothing else yet
	if kind := binary.BigEndian.Uint16(query[end-4:]); kind != 1 {
		return out
	}
	address := next()
	if address == "" {
		return out
	}
	out[7] = 1
	ip := netip.MustParseAddr(address).As4()
	return append(append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4), ip[:]...)
}
