// Package inspect reads what the header of a picture tells: format, pixels, colour profile and size of the file. It
// fetches no more of a picture than that needs, and decodes none.
//
// An [Inspector] fetches the beginning of a picture, and further parts only where a format has its header elsewhere.
// A [Print] is a small copy of a preview, by which two pictures are compared.
//
// Where to look: header.go reads pixels and orientation, profile.go finds the colour profile, icc.go tells profiles apart,
// remote.go fetches the parts, print.go compares previews.
//
// The package trusts no byte. What is malformed is not read; it never makes a picture fail.
package inspect

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/semaphore"

	"darkroom/files"
)

const (
	// blockLen is how many bytes one request fetches.
	blockLen = 256 << 10
	// maxBytes bounds what is fetched of one picture.
	maxBytes = 2 << 20
	// maxRead bounds what is read of it, also what is read repeatedly; the library reads at least 4 kB at a time.
	maxRead = 1 << 20
	// requestTimeout bounds one request.
	requestTimeout = 20 * time.Second
)

// Facts are what the header of a picture tells. Zero fields could not be read.
type Facts struct {
	Format  string  // by its first bytes: "image/jpeg"
	Width   int     // in pixels, as the picture is seen: turned upright
	Height  int     // in pixels, likewise
	Profile Profile // colour profile
	Size    int64   // of the file, in bytes
}

// Profile is a colour profile, "" if it could not be read.
type Profile string

// Colour profiles.
const (
	NoProfile    Profile = "none" // the picture names none; everybody shows it as sRGB
	SRGB         Profile = "srgb"
	DisplayP3    Profile = "display-p3"
	AdobeRGB     Profile = "adobe-rgb"
	CMYK         Profile = "cmyk" // any profile for printing
	OtherProfile Profile = "other"
)

// An Inspector fetches headers and previews. It uses public addresses only, as [files.Fetcher] does. A process has one.
type Inspector struct {
	fetcher  *files.Fetcher
	decoding *semaphore.Weighted // of previews
}

// New returns an inspector. allowPrivate is as in [files.FetcherConfig].
func New(allowPrivate bool) *Inspector {
	fetcher := files.NewFetcher(files.FetcherConfig{AllowPrivate: allowPrivate, MaxBytes: maxPreview, Timeout: requestTimeout, Photos: true})
	return &Inspector{fetcher, semaphore.NewWeighted(1)}
}

// Inspect reads the header of the picture at an address. The error is [files.ErrRefused], [files.ErrGone],
// [files.ErrNotPicture], [files.ErrEmpty], or one that may pass. Facts of a picture that could be fetched may lack some
// fields. No error quotes the address.
func (i *Inspector) Inspect(ctx context.Context, address string) (Facts, error) {
	return read(newRemote(func(offset, length int64) (files.Part, error) { return i.fetcher.Part(ctx, address, offset, length) }))
}

// read reads the facts of a picture.
func read(r *remote) (Facts, error) {
	head, err := r.block(0)
	format := files.Sniff(head)
	switch {
	case err != nil:
		return Facts{}, err
	case len(head) == 0:
		return Facts{}, files.ErrEmpty
	case format == "":
		return Facts{}, files.ErrNotPicture
	}
	h := readHeader(r, format)
	return Facts{Format: format, Width: h.width, Height: h.height, Profile: h.profile, Size: max(0, r.size)}, r.failed
}

// errTooFar says that a header lies beyond what is fetched of a picture.
var errTooFar = errors.New("header beyond the bytes that are fetched")
