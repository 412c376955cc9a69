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

// FetcherConfig configures a [Fetcher].
type FetcherConfig struct {
	AllowPrivate bool          // also fetch from loopback and private networks, for the sandbox
	MaxBytes     int64         // of the largest picture
	Timeout      time.Duration // of one fetch
	Photos       bool          // also accept WebP and TIFF: the app decodes them, but Slack does not show them
}

// A Fetcher gets pictures from addresses that others chose. It connects to public addresses only. It uses
// no proxy and no cookies.
type Fetcher struct {
	cfg    FetcherConfig
	dialer *net.Dialer
	client *http.Client
}

// NewFetcher returns a fetcher.
func NewFetcher(cfg FetcherConfig) *Fetcher {
	transport, dialer := guardedTransport(cfg.AllowPrivate)
	transport.IdleConnTimeout = 30 * time.Second
	transport.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 1 << 20} // a slow reader would hold the default of 4 MB
	return &Fetcher{cfg: cfg, dialer: dialer, client: &http.Client{CheckRedirect: redirect, Transport: transport}}
}

// Fetch gets a GIF, JPEG or PNG, or with Photos another photo; the first bytes decide. The error is [ErrRefused],
// [ErrNotPicture], [ErrTooLarge], [ErrEmpty], [ErrGone], or one that may pass. No error quotes the URL, which may
// be secret.
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

// Look gets a picture like [Fetcher.Fetch] and discards it. It shows whether the picture is there, and how
// long a fetch takes.
func (f *Fetcher) Look(ctx context.Context, address string) error {
	return f.open(ctx, address, f.wanted(), func(p Picture) (int64, error) { return io.Copy(io.Discard, p.Body) })
}

// Picture is a picture that arrives.
type Picture struct {
	Type string // by its first bytes
	Size int64  // as announced; negative: not announced
	Body io.Reader
}

// Stream gets a picture of any format that the app passes on. It calls read while the picture arrives; read returns
// the number of bytes. The errors are those of [Fetcher.Fetch] and of read.
func (f *Fetcher) Stream(ctx context.Context, address string, read func(Picture) (int64, error)) error {
	return f.open(ctx, address, pictures, read)
}

// accepted lists the types of pictures that a fetch wants.
type accepted struct {
	header string   // Accept
	types  []string // nil: all known types
}

var (
	previews = accepted{"image/jpeg, image/png, image/gif", []string{"image/gif", "image/jpeg", "image/png"}}
	photos   = accepted{previews.header + ", image/webp, image/tiff", append(slices.Clone(previews.types), "image/webp", "image/tiff")}
	pictures = accepted{"image/*", nil}
)

// wanted returns the types that [Fetcher.Fetch] accepts.
func (f *Fetcher) wanted() accepted {
	if f.cfg.Photos {
		return photos
	}
	return previews
}

// statusError is the status of a response without a picture.
type statusError int

func (s statusError) Error() string { return fmt.Sprintf("fetch: status %d", int(s)) }

// open requests a picture and calls read, which returns the number of bytes.
func (f *Fetcher) open(ctx context.Context, address string, a accepted, read func(Picture) (int64, error)) error {
	return f.request(ctx, address, http.Header{"Accept": {a.header}}, func(resp *http.Response) error {
		if resp.StatusCode != http.StatusOK {
			return statusError(resp.StatusCode)
		}
		return f.readLimited(resp, a, read)
	})
}

// request requests a file and calls read with the response, unless the file is gone.
func (f *Fetcher) request(ctx context.Context, address string, header http.Header, read func(*http.Response) error) error {
	ctx, cancel := context.WithTimeout(ctx, f.cfg.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return fmt.Errorf("%w: not a URL", ErrRefused)
	}
	if err := checkURL(req.URL); err != nil {
		return err
	}
	req.Header = header
	resp, err := f.client.Do(req)
	if failed, ok := errors.AsType[*url.Error](err); ok {
		err = failed.Err // url.Error quotes the URL
	}
	if dns, ok := errors.AsType[*net.DNSError](err); ok && dns.IsNotFound { // the same error as for an address of our own network
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusGone {
		return ErrGone
	}
	return read(resp)
}

// readLimited checks a response and calls read, with a limit on the bytes after decompression.
func (f *Fetcher) readLimited(resp *http.Response, a accepted, read func(Picture) (int64, error)) error {
	if resp.ContentLength > f.cfg.MaxBytes {
		return ErrTooLarge
	}
	body, typ, err := sniffBody(resp.Body)
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

// redirect allows a few redirects, but none to another scheme or with a password. The guard checks
// their addresses.
func redirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("%w: more than %d redirects", ErrRefused, maxRedirects)
	}
	req.Header.Del("Referer") // the next host must not see the last one's secret address
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
