package files

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"

	"github.com/jellydator/ttlcache/v3"
)

// maxKinds is for how many files it is remembered what they are.
const maxKinds = 1024

// newKinds remembers what files were found to be: a client that fetches a photo in pieces
// has it looked at once. The bytes of a file of Slack's never change. What is no picture is
// not remembered: Slack answers with a page while a token is bad.
func newKinds() *ttlcache.Cache[string, string] {
	return ttlcache.New(ttlcache.WithCapacity[string, string](maxKinds))
}

// A photo is an opened file that was found to be a picture.
type photo struct {
	resp *http.Response
	typ  string    // sniffed
	body io.Reader // all of what the response holds
}

// oneRange is a Range header worth passing on. Several ranges at once come back as a
// document of their own, and anyone may answer those with the whole file.
var oneRange = regexp.MustCompile(`^bytes=(\d{1,18}-\d{0,18}|-\d{1,18})$`)

// open opens what the request asks for; what is not a picture is [ErrNotPicture].
func (h *Handler) open(ctx context.Context, r *http.Request, file string) (*photo, error) {
	rng := r.Header.Get("Range")
	if !oneRange.MatchString(rng) {
		return h.look(ctx, file, "")
	}
	typ, err := h.kind(ctx, file)
	if err != nil {
		return nil, err
	}
	resp, err := h.get(ctx, file, rng)
	if err != nil {
		return nil, err
	}
	if want := r.Header.Get("If-Range"); want != "" && want != resp.Header.Get("ETag") {
		_ = resp.Body.Close()
		return h.look(ctx, file, "")
	}
	return &photo{resp: resp, typ: typ, body: resp.Body}, nil
}

// kind is what a file is, from memory or by a look at its first bytes.
func (h *Handler) kind(ctx context.Context, file string) (string, error) {
	if known := h.kinds.Get(file); known != nil {
		return known.Value(), nil
	}
	p, err := h.look(ctx, file, "bytes=0-"+strconv.Itoa(sniffLen-1))
	if err != nil {
		return "", err
	}
	_ = p.resp.Body.Close()
	return p.typ, nil
}

// look opens a file, or the beginning of it, and looks at its first bytes on the way.
func (h *Handler) look(ctx context.Context, file, rng string) (*photo, error) {
	resp, err := h.get(ctx, file, rng)
	if err != nil {
		return nil, err
	}
	body, typ, err := look(resp.Body)
	if err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	h.kinds.Set(file, typ, ttlcache.NoTTL)
	return &photo{resp: resp, typ: typ, body: body}, nil
}

// get asks the source and believes no answer that does not fit the question.
func (h *Handler) get(ctx context.Context, file, rng string) (*http.Response, error) {
	resp, err := h.source.Open(ctx, file, rng)
	if err != nil {
		return nil, err
	}
	switch status := resp.StatusCode; {
	case status == http.StatusOK,
		rng != "" && status == http.StatusPartialContent,
		rng != "" && status == http.StatusRequestedRangeNotSatisfiable:
		return resp, nil
	case status == http.StatusNotFound, status == http.StatusGone:
		err = ErrGone
	default:
		err = fmt.Errorf("source: status %d", status)
	}
	_ = resp.Body.Close()
	return nil, err
}

// describe sets the headers of the answer. Nothing of it may run in a browser, whatever
// the bytes after the first ones are.
func (p *photo) describe(h http.Header, name string) {
	h.Set("Content-Type", label(p.typ, name))
	h.Set("Content-Disposition", download(name, p.typ))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", "private, max-age=3600, no-transform")
	for _, name := range []string{"Content-Range", "Accept-Ranges", "ETag", "Last-Modified"} {
		if v := p.resp.Header.Get(name); v != "" {
			h.Set(name, v)
		}
	}
	switch p.resp.StatusCode {
	case http.StatusRequestedRangeNotSatisfiable:
		h.Set("Cache-Control", "no-store")
		return
	case http.StatusPartialContent:
		h.Set("Accept-Ranges", "bytes")
	}
	if p.resp.ContentLength >= 0 {
		h.Set("Content-Length", strconv.FormatInt(p.resp.ContentLength, 10))
	}
}
