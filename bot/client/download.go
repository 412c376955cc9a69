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

// fileURL stands for the download of a file in place of a method.
const fileURL = "file_url"

// maxHops bounds redirects between Slack's hosts.
const maxHops = 3

// Files downloads and uploads files.
type Files struct {
	api    *api
	direct *Messages
	files  cache[slack.File]
}

// File returns Slack's record of a file, at most five minutes old. [ErrGone] means that the file was
// deleted, or that the app cannot see it. It needs the scope files:read.
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

// OpenFile opens the bytes of a file. rng is a Range header; "" means all bytes. The response is Slack's,
// with status 200, 206 or 416. The caller closes its body, which lasts as long as ctx. The token is sent
// only to Slack's hosts and to the configured API's host. [ErrGone] means that the file is gone or stored
// outside Slack.
func (c *Files) OpenFile(ctx context.Context, id, rng string) (*http.Response, error) {
	f, err := c.File(ctx, id)
	if err != nil {
		return nil, err
	}
	from := cmp.Or(f.URLPrivateDownload, f.URLPrivate)
	resp, err := c.api.transport.open(ctx, from, rng, strings.Contains(f.Mimetype, "html"))
	if err != nil {
		c.files.drop(id) // its address may have changed
	}
	return resp, err
}

// open starts a download. The response must begin within the usual timeout.
func (t *transport) open(ctx context.Context, from, rng string, html bool) (*http.Response, error) {
	ctx, stop := context.WithCancelCause(ctx)
	late := time.AfterFunc(t.timeout, func() { stop(context.DeadlineExceeded) })
	began := time.Now()
	resp, err := t.get(ctx, from, rng)
	if !late.Stop() && err == nil {
		_ = resp.Body.Close() // its context has ended
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
	resp.Request = nil // it holds the token
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

// get requests a file. It follows redirects between Slack's hosts only.
func (t *transport) get(ctx context.Context, from, rng string) (*http.Response, error) {
	if err := t.checkCooldown(fileURL, fileURL); err != nil {
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
	req.Header.Set("Accept-Encoding", "identity") // otherwise the length is unknown
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

// redirect decides whether to follow a redirect.
func (t *transport) redirect(token string, next *http.Request, via []*http.Request) error {
	switch {
	case !t.trusts(next.URL):
		return errors.New("sent to a foreign host")
	case len(via) >= maxHops:
		return errors.New("sent around in circles")
	}
	next.Header.Del("Referer")
	next.Header.Set("Authorization", "Bearer "+token) // net/http drops it for another host
	return nil
}

// slackDomains are the domains that files are read from. The author of a remote file chooses its address.
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

// checkFile returns an error unless the response is a file. On an error it closes the body.
func (t *transport) checkFile(resp *http.Response, html bool) error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")) // a malformed type is not a page
	var err error
	switch status := resp.StatusCode; {
	case status == http.StatusRequestedRangeNotSatisfiable:
	case status == http.StatusTooManyRequests:
		err = limited(fileURL, resp)
		t.startCooldown(resp.Request.Context(), fileURL, err)
	case status == http.StatusNotFound, status == http.StatusGone:
		err = &Error{Method: fileURL, Status: status, Class: []error{ErrGone}}
	case status != http.StatusOK && status != http.StatusPartialContent:
		err = &Error{Method: fileURL, Status: status, Class: []error{ErrTryLater}}
	case kind == "text/html" && !html:
		err = &Error{Method: fileURL, Status: status, Class: []error{ErrTryLater}, Cause: errors.New("a page to log in at, not the file")}
	}
	if err != nil {
		_ = resp.Body.Close()
	}
	return err
}
