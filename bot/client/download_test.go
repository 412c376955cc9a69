package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"darkroom/bot/client"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// infoOf answers files.info with a file stored at from.
func infoOf(from string) answers {
	return answers{"files.info": says(200, fmt.Sprintf(`{"ok":true,"file":{"id":"F1","name":"a.jpg","mimetype":"image/jpeg","size":9,"thumb_64_w":"odd","url_private":%q}}`, from))}
}

// storage serves files at the API's host.
func storage(t *testing.T, serve http.HandlerFunc) (*fakeSlack, *client.Client) {
	t.Helper()
	f := newSlack(t, answers{})
	f.files = serve
	f.answers = infoOf(f.URL + "/files/SECRET/a.jpg")
	return f, f.client(t)
}

// got is the result of a download.
type got struct {
	status int
	length int64
	header http.Header
	bytes  string
}

func open(t *testing.T, c *client.Client, rng string) (got, error) {
	t.Helper()
	resp, err := c.Files.OpenFile(t.Context(), "F1", rng)
	if err != nil {
		return got{}, err
	}
	defer resp.Body.Close() //nolint:errcheck // a test's
	assert.Nil(t, resp.Request, "it would show the token")
	all, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return got{resp.StatusCode, resp.ContentLength, resp.Header, string(all)}, nil
}

func TestAFileIsReadWithTheTokenAndItsRange(t *testing.T) {
	f, c := storage(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "Bearer "+token, r.Header.Get("Authorization"))
		http.ServeContent(w, r, "a.jpg", time.Time{}, strings.NewReader("\xff\xd8\xff123456"))
	})
	whole, err := open(t, c, "")
	require.NoError(t, err)
	assert.Equal(t, "\xff\xd8\xff123456", whole.bytes)
	assert.Equal(t, int64(9), whole.length)
	part, err := open(t, c, "bytes=3-4")
	require.NoError(t, err)
	assert.Equal(t, http.StatusPartialContent, part.status)
	assert.Equal(t, "12", part.bytes)
	assert.Equal(t, "bytes 3-4/9", part.header.Get("Content-Range"))
	beyond, err := open(t, c, "bytes=99-")
	require.NoError(t, err)
	assert.Equal(t, http.StatusRequestedRangeNotSatisfiable, beyond.status)
	assert.Len(t, f.calls("files.info"), 1, "read once for all")
	assert.Equal(t, "F1", f.calls("files.info")[0].Form.Get("file"))
	info, err := c.Files.File(t.Context(), "F1")
	require.NoError(t, err)
	assert.Equal(t, "a.jpg", info.Name)
}

func TestAFileIsNotReadIntoMemory(t *testing.T) {
	began := make(chan struct{})
	_, c := storage(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(200<<20))
		_, _ = w.Write([]byte("first"))
		_ = http.NewResponseController(w).Flush()
		<-began
	})
	resp, err := c.Files.OpenFile(t.Context(), "F1", "")
	require.NoError(t, err)
	first := make([]byte, 5)
	_, err = io.ReadFull(resp.Body, first)
	require.NoError(t, err)
	close(began)
	assert.Equal(t, "first", string(first))
	assert.Equal(t, int64(200<<20), resp.ContentLength)
	require.NoError(t, resp.Body.Close())
}

func TestWhatIsNotAFileHasAClass(t *testing.T) {
	page := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<html>SECRET</html>")
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	tests := map[string]struct {
		serve http.HandlerFunc
		want  error
	}{
		"not there":           {status(404), client.ErrGone},
		"gone":                {status(410), client.ErrGone},
		"server error":        {status(500), client.ErrTryLater},
		"forbidden":           {status(403), client.ErrTryLater},
		"limited":             {status(429), client.ErrTryLater},
		"a redirect nowhere":  {status(302), client.ErrTryLater},
		"a page to log in at": {page, client.ErrTryLater},
		"in circles":          {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, client.ErrTryLater},
		"a broken connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, client.ErrTryLater},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f, c := storage(t, tt.serve)
			_, err := open(t, c, "")
			assertClass(t, err, tt.want)
			_, err = open(t, c, "")
			require.Error(t, err)
			assert.Len(t, f.calls("files.info"), 2, "the address is asked for again")
		})
	}
}

func TestWhatSlackSaysOfAFileHasAClass(t *testing.T) {
	tests := map[string]struct {
		info string
		want error
	}{
		"not found":         {`{"ok":false,"error":"file_not_found"}`, client.ErrGone},
		"deleted":           {`{"ok":false,"error":"file_deleted"}`, client.ErrGone},
		"a tombstone":       {`{"ok":true,"file":{"id":"F1","mode":"tombstone"}}`, client.ErrGone},
		"over the limit":    {`{"ok":true,"file":{"id":"F1","mode":"hidden_by_limit"}}`, client.ErrGone},
		"no bytes":          {`{"ok":true,"file":{"id":"F1"}}`, client.ErrGone},
		"not a URL":         {`{"ok":true,"file":{"id":"F1","url_private":"https://%zz"}}`, client.ErrGone},
		"no file":           {`{"ok":true}`, client.ErrTryLater},
		"no scope":          {`{"ok":false,"error":"missing_scope","needed":"files:read"}`, client.ErrMissingScope},
		"http, not https":   {`{"ok":true,"file":{"id":"F1","url_private":"http://files.slack.com/SECRET"}}`, client.ErrGone},
		"another port":      {`{"ok":true,"file":{"id":"F1","url_private":"https://files.slack.com:8443/SECRET"}}`, client.ErrGone},
		"a name like ours":  {`{"ok":true,"file":{"id":"F1","url_private":"https://files.slack.com.evil.example/SECRET"}}`, client.ErrGone},
		"another's domain":  {`{"ok":true,"file":{"id":"F1","url_private":"https://evilslack.com/SECRET"}}`, client.ErrGone},
		"a user in the URL": {`{"ok":true,"file":{"id":"F1","url_private":"https://files.slack.com@evil.example/SECRET"}}`, client.ErrGone},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := newSlack(t, answers{"files.info": says(200, tt.info)})
			_, err := open(t, f.client(t), "")
			assertClass(t, err, tt.want)
		})
	}
}

func TestTheTokenNeverGoesToAForeignHost(t *testing.T) {
	asked := 0
	foreign := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
	defer foreign.Close()
	f := newSlack(t, infoOf(foreign.URL+"/SECRET"))
	_, err := open(t, f.client(t), "")
	assertClass(t, err, client.ErrGone)
	_, c := storage(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, foreign.URL+"/SECRET", http.StatusFound)
	})
	_, err = open(t, c, "")
	assertClass(t, err, client.ErrTryLater)
	assert.Zero(t, asked)
}

func TestSlacksOwnHostsGetTheToken(t *testing.T) {
	var at []string
	f := newSlack(t, infoOf("https://files.slack.com/a"))
	c := client.New(client.Config{Token: token, APIURL: f.URL + "/proxy/api", Wrap: carried(transport(func(r *http.Request) (*http.Response, error) {
		if strings.HasPrefix(r.URL.Path, "/proxy") {
			return http.DefaultTransport.RoundTrip(r)
		}
		at = append(at, r.URL.Host+" "+r.Header.Get("Authorization"))
		header := http.Header{"Location": {"https://files.slack-gov.com/b"}}
		code := http.StatusFound
		if len(at) == 2 {
			code = http.StatusOK
		}
		return &http.Response{StatusCode: code, Header: header, Body: io.NopCloser(strings.NewReader("bytes")), Request: r}, nil
	}))})
	all, err := open(t, c, "")
	require.NoError(t, err)
	assert.Equal(t, "bytes", all.bytes)
	assert.Equal(t, []string{"files.slack.com Bearer " + token, "files.slack-gov.com Bearer " + token}, at)
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

type transport func(*http.Request) (*http.Response, error)

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

func TestAFileThatDoesNotBeginIsTriedLater(t *testing.T) {
	f := newSlack(t, answers{})
	done := make(chan struct{})
	defer close(done)
	f.files = func(http.ResponseWriter, *http.Request) { <-done }
	f.answers = infoOf(f.URL + "/files/a")
	c := client.New(client.Config{Token: token, APIURL: f.URL + "/proxy/api", Timeout: 50 * time.Millisecond})
	t.Cleanup(c.Close)
	_, err := open(t, c, "")
	assertClass(t, err, client.ErrTryLater)
	assert.NotErrorIs(t, err, context.Canceled, "nobody gave up")
}

func TestALimitOnFilesIsKept(t *testing.T) {
	asked := 0
	_, c := storage(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(429)
	})
	for range 2 {
		_, err := open(t, c, "")
		wait, ok := client.RetryAfter(err)
		assert.True(t, ok)
		assert.InDelta(t, 7, wait.Seconds(), 1)
	}
	assert.Equal(t, 1, asked)
}

func TestAFileEndsWithItsCaller(t *testing.T) {
	gone := make(chan struct{})
	_, c := storage(t, func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(gone)
	})
	ctx, cancel := context.WithCancel(t.Context())
	resp, err := c.Files.OpenFile(ctx, "F1", "")
	require.NoError(t, err)
	cancel()
	_, err = io.ReadAll(resp.Body)
	assert.True(t, errors.Is(err, context.Canceled))
	require.NoError(t, resp.Body.Close())
	<-gone
}

func TestAPersonsChannelsAreReadToTheEnd(t *testing.T) {
	f := newSlack(t, answers{"users.conversations": func(c call) (int, string) {
		if c.Form.Get("cursor") == "" {
			return 200, `{"ok":true,"channels":[{"id":"C1","created":"odd"},{"id":"G1"}],"response_metadata":{"next_cursor":"two"}}`
		}
		return 200, `{"ok":true,"channels":[{"id":"C2"}],"response_metadata":{"next_cursor":""}}`
	}})
	c := f.client(t)
	for range 2 {
		ids, err := c.People.UserChannels(t.Context(), "U1")
		require.NoError(t, err)
		assert.Equal(t, []string{"C1", "G1", "C2"}, ids)
	}
	asked := f.calls("users.conversations")
	require.Len(t, asked, 2, "kept for a minute")
	assert.Equal(t, []string{"U1", "public_channel,private_channel", "false", "two"}, []string{
		asked[1].Form.Get("user"), asked[1].Form.Get("types"), asked[1].Form.Get("exclude_archived"), asked[1].Form.Get("cursor"),
	})
	_, err := f.client(t).People.UserChannels(t.Context(), "U2")
	require.NoError(t, err)
}

func TestAPersonsChannelsAreBounded(t *testing.T) {
	page := make([]slack.Channel, 900)
	for i := range page {
		page[i].ID = "C" + strconv.Itoa(i)
	}
	f := newSlack(t, answers{"users.conversations": says(200, `{"ok":true,"channels":`+mustJSON(t, page)+`,"response_metadata":{"next_cursor":"more"}}`)})
	ids, err := f.client(t).People.UserChannels(t.Context(), "U1")
	require.NoError(t, err)
	assert.Len(t, ids, 5000)
	f = newSlack(t, answers{"users.conversations": says(200, `{"ok":false,"error":"user_not_found"}`)})
	_, err = f.client(t).People.UserChannels(t.Context(), "U1")
	assertClass(t, err, client.ErrNoUser)
}

// With HTTP/2's defaults, several megabytes of each photo could be buffered unread.
func TestWhatAReaderDoesNotTakeStaysAtSlack(t *testing.T) {
	var sent atomic.Int64
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/a.jpg") {
			_, _ = fmt.Fprintf(w, `{"ok":true,"file":{"id":"F1","name":"a.jpg","mimetype":"image/jpeg","url_private":"https://%s/a.jpg"}}`, r.Host)
			return
		}
		piece := make([]byte, 16<<10)
		for r.Context().Err() == nil {
			n, err := w.Write(piece)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	}))
	web.EnableHTTP2 = true
	web.StartTLS()
	defer web.Close()
	c := client.New(client.Config{Token: token, APIURL: web.URL + "/api/", Wrap: func(rt http.RoundTripper) http.RoundTripper {
		ours, ok := rt.(*http.Transport)
		require.True(t, ok)
		theirs, ok := web.Client().Transport.(*http.Transport)
		require.True(t, ok)
		ours.TLSClientConfig = theirs.TLSClientConfig.Clone()
		return ours
	}})
	defer c.Close()
	resp, err := c.Files.OpenFile(t.Context(), "F1", "")
	require.NoError(t, err)
	require.Equal(t, 2, resp.ProtoMajor)
	settled, before := 0, int64(-1)
	require.Eventually(t, func() bool { // it sends no more
		now := sent.Load()
		if settled++; now != before {
			settled = 0
		}
		before = now
		return settled == 20
	}, 10*time.Second, 10*time.Millisecond)
	t.Logf("%d kB on the way to one who reads nothing", before>>10)
	assert.Less(t, before, int64(1<<20))
	require.NoError(t, resp.Body.Close())
}
