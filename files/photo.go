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

// maxCachedTypes is how many files' types a handler remembers.
const maxCachedTypes = 1024

// newTypeCache remembers the sniffed types of files, so that a photo fetched in pieces is sniffed once. The
// bytes of a Slack file never change. The cache holds pictures only: with a bad token, Slack answers
// with a page.
func newTypeCache() *ttlcache.Cache[string, string] {
	return ttlcache.New(ttlcache.WithCapacity[string, string](maxCachedTypes))
}

// A photo is an opened file with the first bytes of a picture.
type photo struct {
	resp *http.Response
	typ  string    // sniffed
	body io.Reader // the whole body of the response
}

// oneRange matches a Range header that is passed on. Several ranges would come back as a multipart
// document. A server may also answer them with the whole file.
var oneRange = regexp.MustCompile(`^bytes=(\d{1,18}-\d{0,18}|-\d{1,18})$`)

// open opens the requested range of the file. The error is [ErrNotPicture] if it is not a picture.
func (h *Handler) open(ctx context.Context, r *http.Request, file string) (*photo, error) {
	rng := r.Header.Get("Range")
	if !oneRange.MatchString(rng) {
		return h.openSniffed(ctx, file, "")
	}
	typ, err := h.fileType(ctx, file)
	if err != nil {
		return nil, err
	}
	resp, err := h.openSource(ctx, file, rng)
	if err != nil {
		return nil, err
	}
	if want := r.Header.Get("If-Range"); want != "" && want != resp.Header.Get("ETag") {
		_ = resp.Body.Close()
		return h.openSniffed(ctx, file, "")
	}
	return &photo{resp: resp, typ: typ, body: resp.Body}, nil
}

// fileType returns the type of a file, from the cache or by its first bytes.
func (h *Handler) fileType(ctx context.Context, file string) (string, error) {
	if known := h.types.Get(file); known != nil {
		return known.Value(), nil
	}
	p, err := h.openSniffed(ctx, file, "bytes=0-"+strconv.Itoa(sniffLen-1))
	if err != nil {
		return "", err
	}
	_ = p.resp.Body.Close()
	return p.typ, nil
}

// openSniffed opens a file, or its beginning, and sniffs its type.
func (h *Handler) openSniffed(ctx context.Context, file, rng string) (*photo, error) {
	resp, err := h.openSource(ctx, file, rng)
	if err != nil {
		return nil, err
	}
	body, typ, err := sniffBody(resp.Body)
	if err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	h.types.Set(file, typ, ttlcache.NoTTL)
	return &photo{resp: resp, typ: typ, body: body}, nil
}

// openSource opens a file at the source. It refuses a status that does not fit the request.
func (h *Handler) openSource(ctx context.Context, file, rng string) (*http.Response, error) {
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

// describe sets the headers of the answer.
func (p *photo) describe(h http.Header, name string) {
	setDownloadHeaders(h, contentType(p.typ, name), downloadDisposition(name, p.typ), "private, max-age=3600, no-transform")
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

// setDownloadHeaders describes a download. Its bytes must never run in a browser.
func setDownloadHeaders(h http.Header, contentType, disposition, cache string) {
	h.Set("Content-Type", contentType)
	h.Set("Content-Disposition", disposition)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Cache-Control", cache)
}
