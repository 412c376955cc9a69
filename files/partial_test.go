package files

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// parted serves a file of 5,000 bytes in parts.
func parted(w http.ResponseWriter, r *http.Request) {
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(jpeg()))
}

func TestFetcherGetsParts(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(parted))
	t.Cleanup(srv.Close)
	for _, test := range []struct {
		offset, length int64
		from, to       int
	}{{0, 100, 0, 100}, {0, 10_000, 0, 5000}, {1000, 100, 1000, 1100}, {4990, 100, 4990, 5000}, {4999, 1, 4999, 5000}} {
		got, err := sandboxFetcher().Part(t.Context(), srv.URL, test.offset, test.length)
		require.NoError(t, err)
		assert.Equal(t, Part{Data: jpeg()[test.from:test.to], Size: 5000}, got, "%d from %d on", test.length, test.offset)
	}
	_, err := sandboxFetcher().Part(t.Context(), srv.URL, 5000, 100)
	require.ErrorIs(t, err, ErrEmpty)
}

func TestAPartIsNoLargerThanAllowed(t *testing.T) {
	t.Parallel()
	var asked atomic.Value
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.Header.Get("Range") + " " + r.Header.Get("Accept") + r.Header.Get("Accept-Encoding"))
		parted(w, r)
	}))
	t.Cleanup(srv.Close)
	f := NewFetcher(FetcherConfig{AllowPrivate: true, MaxBytes: 50, Timeout: 2 * time.Second})
	got, err := f.Part(t.Context(), srv.URL, 10, 100)
	require.NoError(t, err)
	assert.Equal(t, Part{Data: jpeg()[10:60], Size: 5000}, got)
	assert.Equal(t, "bytes=10-59 image/*", asked.Load(), "nothing is compressed")
}

func TestPartsOfServersThatAreWrong(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		offset int64
		status int
		header string // Content-Range
		body   string
		want   Part
		err    error
	}{
		"whole instead of a part":    {0, 200, "", "abcdefgh", Part{[]byte("abcd"), 8}, nil},
		"whole, from further on":     {2, 200, "", "abcdefgh", Part{}, ErrNoRanges},
		"whole, empty":               {0, 200, "", "", Part{[]byte{}, 0}, nil},
		"more than was asked for":    {2, 206, "bytes 2-7/9", "cdefgh", Part{[]byte("cdef"), 9}, nil},
		"less than was asked for":    {2, 206, "bytes 2-3/9", "cd", Part{[]byte("cd"), 9}, nil},
		"size not known":             {2, 206, "bytes 2-5/*", "cdef", Part{[]byte("cdef"), -1}, nil},
		"from somewhere else":        {2, 206, "bytes 0-3/9", "abcd", Part{}, ErrNoRanges},
		"from somewhere else, again": {0, 206, "bytes 2-5/9", "cdef", Part{}, ErrNoRanges},
		"ends before it begins":      {2, 206, "bytes 2-1/9", "", Part{}, ErrNoRanges},
		"ends after the file":        {2, 206, "bytes 2-5/5", "cdef", Part{}, ErrNoRanges},
		"ends with the file":         {2, 206, "bytes 2-5/6", "cdef", Part{[]byte("cdef"), 6}, nil},
		"one byte":                   {2, 206, "bytes 2-2/6", "c", Part{[]byte("c"), 6}, nil},
		"negative":                   {0, 206, "bytes -2-5/6", "cdef", Part{}, ErrNoRanges},
		"negative size":              {0, 206, "bytes 0-3/-5", "abcd", Part{}, ErrNoRanges},
		"too large a number":         {0, 206, "bytes 0-3/99999999999999999999", "abcd", Part{}, ErrNoRanges},
		"another unit":               {0, 206, "pages 0-3/9", "abcd", Part{}, ErrNoRanges},
		"no size":                    {0, 206, "bytes 0-3", "abcd", Part{}, ErrNoRanges},
		"nonsense for a size":        {0, 206, "bytes 0-3/many", "abcd", Part{}, ErrNoRanges},
		"no Content-Range":           {0, 206, "", "abcd", Part{}, ErrNoRanges},
		"not satisfiable":            {9, 416, "bytes */9", "", Part{}, ErrEmpty},
		"gone":                       {0, 404, "", "", Part{}, ErrGone},
		"ill":                        {0, 500, "", "", Part{}, statusError(500)},
		"nothing":                    {0, 204, "", "", Part{}, statusError(204)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if test.header != "" {
					w.Header().Set("Content-Range", test.header)
				}
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			}))
			t.Cleanup(srv.Close)
			got, err := sandboxFetcher().Part(t.Context(), srv.URL, test.offset, 4)
			require.ErrorIs(t, err, test.err)
			assert.Equal(t, test.want, got)
		})
	}
}

func TestAPartOfAnEndlessFileIsCutOff(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		endlessChunks()(w, r)
		close(ended)
	}))
	t.Cleanup(srv.Close)
	got, err := sandboxFetcher().Part(t.Context(), srv.URL, 0, 100)
	require.NoError(t, err)
	assert.Equal(t, Part{Data: jpeg()[:100], Size: -1}, got)
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		t.Fatal("the server still sends")
	}
}

func TestPartsKeepTheFetchersRules(t *testing.T) {
	t.Parallel()
	srv := picking(t)
	_, err := NewFetcher(FetcherConfig{MaxBytes: 100, Timeout: time.Second}).Part(t.Context(), srv.URL+"/thumb.jpg?secret=1", 0, 100)
	require.ErrorIs(t, err, ErrRefused)
	assert.NotContains(t, err.Error(), "secret")
	for path, want := range map[string]error{
		"/to?url=http://169.254.169.254/latest": ErrRefused, "/to?url=ftp://example.com/": ErrRefused,
		"/cut": io.ErrUnexpectedEOF, "/gone": ErrGone,
	} {
		_, err := sandboxFetcher().Part(t.Context(), srv.URL+path, 0, 1000)
		require.ErrorIs(t, err, want, path)
	}
	f := NewFetcher(FetcherConfig{AllowPrivate: true, MaxBytes: 100, Timeout: 50 * time.Millisecond})
	_, err = f.Part(t.Context(), srv.URL+"/hangs?secret=1", 0, 100)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	assert.NotContains(t, err.Error(), "secret")
	_, err = sandboxFetcher().Part(t.Context(), srv.URL+"/cut", 0, 1000)
	assert.EqualError(t, err, "fetch: unexpected EOF")
}

// Parts of one host share a connection, so a far one is not greeted anew for each.
func TestPartsShareAConnection(t *testing.T) {
	t.Parallel()
	var connections atomic.Int32
	srv := httptest.NewUnstartedServer(http.HandlerFunc(parted))
	srv.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	srv.Start()
	t.Cleanup(srv.Close)
	f := sandboxFetcher()
	for i := range int64(5) {
		_, err := f.Part(t.Context(), srv.URL, 1000*i, 1000)
		require.NoError(t, err)
	}
	assert.Equal(t, int32(1), connections.Load())
}

func TestContentRanges(t *testing.T) {
	t.Parallel()
	for header, want := range map[string][2]int64{
		"bytes 0-99/1234": {0, 1234}, "bytes 100-199/200": {100, 200}, "bytes 7-7/*": {7, -1}, "": {-1, -1}, "bytes */1234": {-1, -1},
		"bytes 7-6/*": {-1, -1}, "bytes 0-99": {-1, -1}, "bytes 0-99/99": {-1, -1}, "bytes -5-99/200": {-1, -1},
	} {
		from, size := contentRange(header)
		assert.Equal(t, want, [2]int64{from, size}, header)
	}
}
