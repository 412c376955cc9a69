package client

import (
	"cmp"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

// fileURL names the reading of a file's bytes where other calls have their method.
const fileURL = "file_url"

// maxHops bounds the redirects between Slack's own hosts.
const maxHops = 3

// Files reads files, and uploads them.
type Files struct {
	api    *api
	direct *Messages
	files  cache[slack.File]
}

// File reads what Slack knows of a file, at most five minutes old. [ErrGone]: deleted,
// or never seen by the app. Needs the scope files:read.
func (c *Files) File(ctx context.Context, id string) (slack.File, error) {
	const method = "files.info"
	if f, _, ok := c.files.get(id); ok {
		return f, nil
	}
	var answer struct {
		File slack.File `json:"file"`
	}
	if _, err := c.api.call(ctx, method, args{"file": id}, &answer); err != nil {
		return slack.File{}, err
	}
	f := answer.File
	switch {
	case f.Mode == "tombstone", f.Mode == "hidden_by_limit":
		return slack.File{}, &Error{Method: method, Code: f.Mode, Class: []error{ErrGone}}
	case f.ID == "":
		return slack.File{}, &Error{Method: method, Class: []error{ErrTryLater}, Cause: errors.New("no file in the answer")}
	}
	c.files.put(id, f)
	return f, nil
}

// OpenFile opens the bytes of a file; rng is the Range header of whoever wants them, ""
// for all. The answer is Slack's: 200, 206 or 416, and its body, which the caller
// closes, lasts as long as ctx. The token goes to Slack's own hosts, and to that of the
// configured API, and nowhere else. [ErrGone]: no such file any more, or one that is
// kept outside Slack.
func (c *Files) OpenFile(ctx context.Context, id, rng string) (*http.Response, error) {
	f, err := c.File(ctx, id)
	if err != nil {
		return nil, err
	}
	from := cmp.Or(f.URLPrivateDownload, f.URLPrivate)
	resp, err := c.api.transport.open(ctx, from, rng, strings.Contains(f.Mimetype, "html"))
	if err != nil {
		c.files.drop(id) // it may have another address by now
	}
	return resp, err
}

// open streams; Slack has as long as for any other call to begin.
func (t *transport) open(ctx context.Context, from, rng string, html bool) (*http.Response, error) {
	ctx, stop := context.WithCancelCause(ctx)
	late := time.AfterFunc(t.timeout, func() { stop(context.DeadlineExceeded) })
	began := time.Now()
	resp, err := t.get(ctx, from, rng)
	if !late.Stop() && err == nil {
		_ = resp.Body.Close() // ctx has ended under it
		err = lost(fileURL, context.DeadlineExceeded, false)
	}
	if err == nil {
		err = t.checkFile(resp, html)
	}
	t.counted(fileURL, began, err)
	if err != nil {
		stop(nil)
		return nil, err
	}
	resp.Body = body{resp.Body, func() { stop(nil) }}
	resp.Request = nil // it has the token
	return resp, nil
}

// body ends its request when it is closed.
type body struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b body) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// get asks for a file, and follows Slack from one of its hosts to the next, never elsewhere.
func (t *transport) get(ctx context.Context, from, rng string) (*http.Response, error) {
	if err := t.cooling(fileURL, fileURL); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, http.NoBody)
	if err != nil || !t.trusts(req.URL) {
		return nil, &Error{Method: fileURL, Class: []error{ErrGone}, Cause: errors.New("not kept at Slack")}
	}
	token, err := t.authorize(ctx, req, fileURL)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity") // else the length would be unknown
	if rng != "" {
		req.Header.Set("Range", rng)
	}
	client := *t.http
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error { return t.redirect(token, next, via) }
	began := time.Now()
	resp, err := client.Do(req)
	t.log.DebugContext(ctx, "slack call", "method", fileURL, "took", time.Since(began))
	if err != nil {
		return nil, lost(fileURL, err, false)
	}
	return resp, nil
}

// redirect judges where Slack sends whoever wants a file.
func (t *transport) redirect(token string, next *http.Request, via []*http.Request) error {
	switch {
	case !t.trusts(next.URL):
		return errors.New("sent to a foreign host")
	case len(via) >= maxHops:
		return errors.New("sent around in circles")
	}
	next.Header.Del("Referer")
	next.Header.Set("Authorization", "Bearer "+token) // which the library keeps to one host
	return nil
}

// slackDomains have the hosts that files are read from; who makes a remote file chooses
// its address.
var slackDomains = []string{"slack.com", "slack-gov.com"}

func (t *transport) trusts(u *url.URL) bool {
	if u.User != nil {
		return false
	}
	if api, err := url.Parse(t.base); err == nil && u.Scheme == api.Scheme && strings.EqualFold(u.Host, api.Host) {
		return true
	}
	host := strings.ToLower(u.Hostname())
	for _, domain := range slackDomains {
		if host == domain || strings.HasSuffix(host, "."+domain) {
			return u.Scheme == "https" && (u.Port() == "" || u.Port() == "443")
		}
	}
	return false
}

// checkFile tells a file from everything else that may come; what is refused is closed.
func (t *transport) checkFile(resp *http.Response, html bool) error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")) // an odd one is no page
	var err error
	switch status := resp.StatusCode; {
	case status == http.StatusRequestedRangeNotSatisfiable:
	case status == http.StatusTooManyRequests:
		err = limited(fileURL, resp)
		t.coolDown(resp.Request.Context(), fileURL, err)
	case status == http.StatusNotFound, status == http.StatusGone:
		err = &Error{Method: fileURL, Status: status, Class: []error{ErrGone}}
	case status != http.StatusOK && status != http.StatusPartialContent:
		err = &Error{Method: fileURL, Status: status, Class: []error{ErrTryLater}}
	case kind == "text/html" && !html:
		err = &Error{Method: fileURL, Status: status, Class: []error{ErrTryLater}, Cause: errors.New("a page to log in at, not the file")}
	}
	if err != nil {
		_ = resp.Body.Close() // nothing of it is wanted
	}
	return err
}
