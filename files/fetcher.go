package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"
)

const maxRedirects = 3

// FetcherConfig says what a [Fetcher] may do.
type FetcherConfig struct {
	AllowPrivate bool          // also loopback and private networks: for the sandbox
	MaxBytes     int64         // the largest picture
	Timeout      time.Duration // for all of one fetch
	Photos       bool          // also WebP and TIFF, which are decoded here and which Slack does not show
}

// A Fetcher gets pictures from addresses that others chose. It uses no proxy, keeps
// no cookies, and connects to no address that is not public.
type Fetcher struct {
	cfg    FetcherConfig
	dialer *net.Dialer
	client *http.Client
}

// NewFetcher makes one.
func NewFetcher(cfg FetcherConfig) *Fetcher {
	f := &Fetcher{cfg: cfg, dialer: &net.Dialer{Timeout: 10 * time.Second, ControlContext: guard{cfg.AllowPrivate}.control}}
	f.client = &http.Client{
		CheckRedirect: redirect,
		Transport: &http.Transport{
			Proxy:                  nil, // a proxy would resolve and connect behind the guard's back
			DialContext:            f.dialer.DialContext,
			TLSHandshakeTimeout:    10 * time.Second,
			MaxResponseHeaderBytes: 64 << 10,
			MaxIdleConnsPerHost:    4,
			IdleConnTimeout:        30 * time.Second,
			ForceAttemptHTTP2:      true,
			HTTP2:                  &http.HTTP2Config{MaxReceiveBufferPerStream: 1 << 20}, // not 4 MB, which a slow reader holds
		},
	}
	return f
}

// Fetch gets a GIF, JPEG or PNG, and what else is configured, which it is by its first bytes. The error is [ErrRefused],
// [ErrNotPicture], [ErrTooLarge], [ErrEmpty], [ErrGone], or another that may pass; none
// quotes the URL, which may be a secret one.
func (f *Fetcher) Fetch(ctx context.Context, address string) ([]byte, error) {
	var data []byte
	err := f.open(ctx, address, f.wanted(), func(p Picture) (n int64, err error) {
		data, err = io.ReadAll(p.Body)
		return int64(len(data)), err
	})
	if err != nil {
		return nil, err
	}
	return data, nil
}

// Look gets a picture as [Fetcher.Fetch] does and keeps nothing of it: it tells whether it is there,
// and by the time it takes how soon others get it.
func (f *Fetcher) Look(ctx context.Context, address string) error {
	return f.open(ctx, address, f.wanted(), func(p Picture) (int64, error) { return io.Copy(io.Discard, p.Body) })
}

// Picture is one that arrives.
type Picture struct {
	Type string // by its first bytes
	Size int64  // as it was announced; below 0: it was not
	Body io.Reader
}

// Stream gets a picture of any kind that is passed on, and has read take it while it arrives. Read returns how many
// bytes it took. The errors are those of [Fetcher.Fetch], and whatever read returns.
func (f *Fetcher) Stream(ctx context.Context, address string, read func(Picture) (int64, error)) error {
	return f.open(ctx, address, pictures, read)
}

// accepted are the kinds of picture that are wanted: as the server is told, and by their types.
type accepted struct {
	header string
	types  []string // none: all that are known
}

var (
	previews = accepted{"image/jpeg, image/png, image/gif", []string{"image/gif", "image/jpeg", "image/png"}}
	photos   = accepted{previews.header + ", image/webp, image/tiff", append(slices.Clone(previews.types), "image/webp", "image/tiff")}
	pictures = accepted{"image/*", nil}
)

// wanted are the kinds that it fetches whole.
func (f *Fetcher) wanted() accepted {
	if f.cfg.Photos {
		return photos
	}
	return previews
}

// statusError is an answer that has no picture in it.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("fetch: status %d", int(s)) }

// open asks for a picture and has read take it. That returns how many bytes there were.
func (f *Fetcher) open(ctx context.Context, address string, a accepted, read func(Picture) (int64, error)) error {
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("%w: not a URL", ErrRefused)
	}
	if err := checkURL(req.URL); err != nil {
		return err
	}
	req.Header.Set("Accept", a.header)
	resp, err := f.client.Do(req)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // which does not quote the URL
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound { // as an address of our own network
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	switch {
	case resp.StatusCode == http.StatusNotFound, resp.StatusCode == http.StatusGone:
		return ErrGone
	case resp.StatusCode != http.StatusOK:
		return statusError(resp.StatusCode)
	}
	return f.take(resp, a, read)
}

// take has no more read than allowed, whatever the server promised and however well it is
// compressed.
func (f *Fetcher) take(resp *http.Response, a accepted, read func(Picture) (int64, error)) error {
	if resp.ContentLength > f.cfg.MaxBytes {
		return ErrTooLarge
	}
	body, typ, err := look(resp.Body)
	switch {
	case errors.Is(err, ErrEmpty), errors.Is(err, ErrNotPicture):
		return err
	case err != nil:
		return fmt.Errorf("fetch: %w", err)
	case len(a.types) > 0 && !slices.Contains(a.types, typ):
		return ErrNotPicture
	}
	n, err := read(Picture{Type: typ, Size: resp.ContentLength, Body: io.LimitReader(body, f.cfg.MaxBytes+1)})
	switch {
	case err != nil:
		return fmt.Errorf("fetch: %w", err)
	case n > f.cfg.MaxBytes:
		return ErrTooLarge
	}
	return nil
}

// redirect follows a few, none to another scheme or with a password in it; the dialer
// looks at where they lead.
func redirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("%w: more than %d redirects", ErrRefused, maxRedirects)
	}
	req.Header.Del("Referer") // the next host need not see the last one's secret address
	return checkURL(req.URL)
}

func checkURL(u *url.URL) error {
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("%w: neither http nor https", ErrRefused)
	case u.Hostname() == "":
		return fmt.Errorf("%w: no host", ErrRefused)
	case u.User != nil:
		return fmt.Errorf("%w: credentials in it", ErrRefused)
	}
	return nil
}
