package files

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jellydator/ttlcache/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// jpeg returns 5,000 bytes that begin like a JPEG; no two pieces are equal.
func jpeg() []byte {
	b := []byte(beginnings["image/jpeg"][0])
	for i := 0; len(b) < 5000; i++ {
		b = append(b, byte(i), byte(i>>8))
	}
	return b[:5000]
}

// slackFiles is a Source that asks a real server like Slack's.
type slackFiles struct {
	url    string
	mu     sync.Mutex
	ranges []string // of each Open
	open   int      // responses that were not closed
}

func (s *slackFiles) Open(ctx context.Context, file, rng string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/"+file, nil)
	if err != nil {
		return nil, err
	}
	if rng != "" {
		req.Header.Set("Range", rng)
	}
	s.count(&rng, 1)
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		s.count(nil, -1)
		return nil, err
	}
	resp.Body = &counted{resp.Body, sync.OnceFunc(func() { s.count(nil, -1) })}
	return resp, nil
}

func (s *slackFiles) count(rng *string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += n
	if rng != nil {
		s.ranges = append(s.ranges, *rng)
	}
}

func (s *slackFiles) opened() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

func (s *slackFiles) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.ranges)
}

type counted struct {
	io.ReadCloser
	closed func()
}

func (c *counted) Close() error { c.closed(); return c.ReadCloser.Close() }

// A rig has the handler between a client and Slack, all over HTTP.
type rig struct {
	t      *testing.T
	signer *Signer
	h      *Handler
	slack  *slackFiles
	web    *httptest.Server
	logs   *logged
}

// logged is what the handler wrote into its log.
type logged struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// serving starts a rig; the test answers GET /FILE for Slack.
func serving(t *testing.T, slack http.HandlerFunc) *rig {
	t.Helper()
	back := httptest.NewServer(slack)
	t.Cleanup(back.Close)
	r := &rig{t: t, signer: signer(t, "https://d.example.com", newKey, oldKey), slack: &slackFiles{url: back.URL}, logs: &logged{}}
	r.h = NewHandler(r.signer, r.slack, slog.New(slog.NewTextHandler(r.logs, nil)))
	mux := http.NewServeMux()
	mux.Handle(Path, r.h)
	r.web = httptest.NewServer(mux)
	t.Cleanup(r.web.Close)
	return r
}

// holding is a Slack that has the same content for every id and supports ranges.
func holding(content []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"v1"`)
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set("Set-Cookie", "b=slack")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
	}
}

func (r *rig) path(name string) string {
	u := r.signer.URL("F0BEACH", name, time.Now())
	return strings.TrimPrefix(u, "https://d.example.com")
}

// An answer is a response whose body was read.
type answer struct {
	StatusCode    int
	Header        http.Header
	ContentLength int64
}

// do sends a request with headers given in pairs and reads the answer.
func (r *rig) do(method, path string, headers ...string) (answer, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.web.URL+path, nil)
	require.NoError(r.t, err)
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(r.t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(r.t, err)
	return answer{resp.StatusCode, resp.Header, resp.ContentLength}, string(body)
}

// settled waits until all Slack responses are closed and all slots free:
// a client has its answer a moment before the handler returns.
func (r *rig) settled() {
	r.t.Helper()
	assert.Eventually(r.t, func() bool { return r.slack.opened() == 0 && len(r.h.limits.all) == 0 }, 5*time.Second, time.Millisecond)
}

func TestHandlerPassesAPhotoOn(t *testing.T) {
	r := serving(t, holding(jpeg()))
	resp, body := r.do("GET", r.path("été.jpg"))
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, string(jpeg()), body)
	for header, want := range map[string]string{
		"Content-Type":            "image/jpeg",
		"Content-Length":          "5000",
		"Content-Disposition":     "attachment; filename*=UTF-8''%C3%A9t%C3%A9.jpg",
		"Content-Security-Policy": "default-src 'none'; sandbox",
		"X-Content-Type-Options":  "nosniff",
		"Cache-Control":           "private, max-age=3600, no-transform",
		"Accept-Ranges":           "bytes",
		"ETag":                    `"v1"`,
		"Set-Cookie":              "",
	} {
		assert.Equal(t, want, resp.Header.Get(header), header)
	}
	assert.Equal(t, []string{""}, r.slack.asked(), "one request of Slack is enough")
	r.settled()
}

func TestHandlerAnswersHEADWithoutTheBody(t *testing.T) {
	r := serving(t, holding(jpeg()))
	resp, body := r.do("HEAD", r.path("beach.jpg"))
	assert.Equal(t, 200, resp.StatusCode)
	assert.Empty(t, body)
	assert.EqualValues(t, 5000, resp.ContentLength)
	assert.Equal(t, "image/jpeg", resp.Header.Get("Content-Type"))
	resp, _ = r.do("HEAD", r.path("beach.jpg"), "Range", "bytes=10-19")
	assert.Equal(t, 206, resp.StatusCode)
	assert.EqualValues(t, 10, resp.ContentLength)
	r.settled()
}

func TestHandlerServesEveryFormatUnderItsOwnType(t *testing.T) {
	for typ, heads := range beginnings {
		r := serving(t, holding([]byte(heads[0]+strings.Repeat("\x00", 600))))
		resp, _ := r.do("GET", r.path("a.html"))
		assert.Equal(t, 200, resp.StatusCode, typ)
		assert.Equal(t, typ, resp.Header.Get("Content-Type"))
	}
	r := serving(t, holding([]byte(beginnings["image/tiff"][0])))
	resp, _ := r.do("GET", r.path("DSC_1.NEF"))
	assert.Equal(t, "image/x-nikon-nef", resp.Header.Get("Content-Type"))
}

func TestHandlerServesNothingButPictures(t *testing.T) {
	for name, content := range notPictures {
		t.Run(name, func(t *testing.T) {
			r := serving(t, func(w http.ResponseWriter, req *http.Request) {
				w.Header().Set("Content-Type", "image/jpeg") // nor is Slack's word believed
				http.ServeContent(w, req, "", time.Time{}, strings.NewReader(content))
			})
			for _, headers := range [][]string{nil, {"Range", "bytes=0-3"}, {"Range", "bytes=2-"}, {"Range", "bytes=-2"}} {
				resp, body := r.do("GET", r.path("beach.jpg"), headers...)
				assert.Equal(t, 415, resp.StatusCode, "%v", headers)
				assert.Equal(t, "This file is not a photo.\n", body)
				assert.Equal(t, "text/plain; charset=utf-8", resp.Header.Get("Content-Type"))
				assert.Equal(t, "nosniff", resp.Header.Get("X-Content-Type-Options"))
				assert.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
			}
			r.settled()
		})
	}
}

func TestHandlerPassesRangesOn(t *testing.T) {
	all := string(jpeg())
	tests := map[string]struct {
		headers []string
		status  int
		body    string
		rng     string
	}{
		"from the start":        {[]string{"Range", "bytes=0-9"}, 206, all[:10], "bytes 0-9/5000"},
		"in the middle":         {[]string{"Range", "bytes=1000-1999"}, 206, all[1000:2000], "bytes 1000-1999/5000"},
		"to the end":            {[]string{"Range", "bytes=4990-"}, 206, all[4990:], "bytes 4990-4999/5000"},
		"the last":              {[]string{"Range", "bytes=-5"}, 206, all[4995:], "bytes 4995-4999/5000"},
		"beyond the end":        {[]string{"Range", "bytes=5000-"}, 416, "", "bytes */5000"},
		"several at once":       {[]string{"Range", "bytes=0-1,5-6"}, 200, all, ""},
		"of something else":     {[]string{"Range", "lines=1-2"}, 200, all, ""},
		"no range at all":       {[]string{"Range", "bytes=-"}, 200, all, ""},
		"of this version":       {[]string{"Range", "bytes=0-9", "If-Range", `"v1"`}, 206, all[:10], "bytes 0-9/5000"},
		"of another version":    {[]string{"Range", "bytes=0-9", "If-Range", `"v0"`}, 200, all, ""},
		"beyond another's end":  {[]string{"Range", "bytes=5000-", "If-Range", `"v0"`}, 200, all, ""},
		"with a line end in it": {[]string{"Range", "bytes=0-9\tx"}, 200, all, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := serving(t, holding(jpeg()))
			resp, body := r.do("GET", r.path("beach.jpg"), tt.headers...)
			assert.Equal(t, tt.status, resp.StatusCode)
			assert.Equal(t, tt.body, body)
			assert.Equal(t, tt.rng, resp.Header.Get("Content-Range"))
			if tt.status != 416 {
				assert.EqualValues(t, len(tt.body), resp.ContentLength)
			}
			assert.Equal(t, "image/jpeg", resp.Header.Get("Content-Type"))
			r.settled()
		})
	}
}

func TestHandlerLooksOnceAtAFileFetchedInPieces(t *testing.T) {
	r := serving(t, holding(jpeg()))
	for range 3 {
		resp, _ := r.do("GET", r.path("beach.jpg"), "Range", "bytes=1000-1999")
		require.Equal(t, 206, resp.StatusCode)
	}
	assert.Equal(t, []string{"bytes=0-511", "bytes=1000-1999", "bytes=1000-1999", "bytes=1000-1999"}, r.slack.asked())
}

func TestHandlerServesAllWhenTheSourceKnowsNoRanges(t *testing.T) {
	r := serving(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(jpeg()) })
	resp, body := r.do("GET", r.path("beach.jpg"), "Range", "bytes=1000-1999")
	assert.Equal(t, 200, resp.StatusCode)
	assert.Equal(t, string(jpeg()), body)
	assert.Empty(t, resp.Header.Get("Content-Range"))
	r.settled()
}

func TestHandlerRefusesEveryTokenButItsOwn(t *testing.T) {
	r := serving(t, holding(jpeg()))
	good := r.signer.token("F0BEACH", time.Now().Add(time.Hour))
	last := "A"
	if strings.HasSuffix(good, last) {
		last = "B"
	}
	tests := map[string]struct {
		path   string
		status int
	}{
		"its own":           {good + "/beach.jpg", 200},
		"another name":      {good + "/anything.html", 200},
		"no name":           {good, 200},
		"a name of parts":   {good + "/a/b/c.jpg", 200},
		"of an old key":     {signer(t, "https://x.example", oldKey).token("F0BEACH", time.Now().Add(time.Hour)) + "/a", 200},
		"tampered":          {good[:len(good)-1] + last + "/beach.jpg", 403},
		"truncated":         {good[:len(good)-4] + "/beach.jpg", 403},
		"extended":          {good + "AAAA/beach.jpg", 403},
		"with a line end":   {good[:4] + "%0A" + good[4:] + "/beach.jpg", 403},
		"foreign":           {signer(t, "https://x.example", otherKey).token("F0BEACH", time.Now().Add(time.Hour)) + "/a", 403},
		"none":              {"", 403},
		"a file id":         {"F0BEACH/beach.jpg", 403},
		"expired":           {r.signer.token("F0BEACH", time.Now().Add(-time.Second)) + "/beach.jpg", 410},
		"foreign, expired":  {signer(t, "https://x.example", otherKey).token("F0BEACH", time.Now().Add(-time.Hour)) + "/a", 403},
		"in its own prefix": {good + "/files/beach.jpg", 200},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			before := len(r.slack.asked())
			resp, body := r.do("GET", Path+tt.path)
			assert.Equal(t, tt.status, resp.StatusCode)
			if tt.status == 200 {
				assert.Equal(t, string(jpeg()), body)
				return
			}
			assert.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
			assert.Len(t, r.slack.asked(), before, "Slack is not asked")
			assert.Less(t, len(body), 60)
		})
	}
}

func TestHandlerWorksBehindAPathPrefix(t *testing.T) {
	r := serving(t, holding(jpeg()))
	front := httptest.NewServer(r.h) // a proxy that leaves the prefix on
	t.Cleanup(front.Close)
	r.web = front
	resp, _ := r.do("GET", "/dark/room"+r.path("beach.jpg"))
	assert.Equal(t, 200, resp.StatusCode)
}

func TestHandlerOnlyReads(t *testing.T) {
	r := serving(t, holding(jpeg()))
	for _, method := range []string{"POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
		resp, _ := r.do(method, r.path("beach.jpg"))
		assert.Equal(t, 405, resp.StatusCode, method)
		assert.Equal(t, "GET, HEAD", resp.Header.Get("Allow"))
	}
	assert.Empty(t, r.slack.asked())
}

func TestHandlerSaysGoneOrLater(t *testing.T) {
	tests := map[string]struct {
		slack  int // status
		status int
		retry  string
	}{
		"deleted":        {404, 410, ""},
		"no longer here": {410, 410, ""},
		"Slack is ill":   {500, 502, "30"},
		"Slack is busy":  {429, 502, "30"},
		"Slack mistakes": {206, 502, "30"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := serving(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(tt.slack)
				_, _ = io.WriteString(w, "xoxb-secret words of Slack's")
			})
			resp, body := r.do("GET", r.path("beach.jpg"))
			assert.Equal(t, tt.status, resp.StatusCode)
			assert.Equal(t, tt.retry, resp.Header.Get("Retry-After"))
			assert.NotContains(t, body, "secret")
			assert.Equal(t, tt.retry != "", strings.Contains(r.logs.String(), "file=F0BEACH"))
			r.settled()
		})
	}
}

// A source that fails with an error instead of a response.
type failing struct{ err error }

func (f failing) Open(context.Context, string, string) (*http.Response, error) { return nil, f.err }

func TestHandlerTellsTheSourcesErrors(t *testing.T) {
	r := serving(t, nil)
	for err, want := range map[error]int{ErrGone: 410, errors.New("connection refused to xoxb-secret"): 502} {
		r.h.source = failing{err}
		resp, body := r.do("GET", r.path("beach.jpg"))
		assert.Equal(t, want, resp.StatusCode)
		assert.NotContains(t, body, "secret")
	}
}

func TestKindsAreRememberedForTheNewestFiles(t *testing.T) {
	k := newTypeCache()
	for i := range 2 * maxCachedTypes {
		k.Set(string(rune('A'+i)), "image/png", ttlcache.NoTTL)
	}
	assert.Equal(t, maxCachedTypes, k.Len())
	assert.Equal(t, "image/png", k.Get(string(rune('A'+2*maxCachedTypes-1))).Value())
	assert.Nil(t, k.Get("C"))
}
