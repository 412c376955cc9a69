package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// ErrNoRanges says that a server does not send parts of a file.
var ErrNoRanges = errors.New("the server sends whole files only")

// Part is a part of a file.
type Part struct {
	Data []byte
	Size int64 // of the whole file, in bytes; negative: not announced
}

// Part gets up to length bytes of a file from an offset on, at most [FetcherConfig.MaxBytes]. Fewer come at the end of
// the file. A server that ignores ranges is cut off after length bytes; beyond the beginning of its file the error is
// [ErrNoRanges]. The other errors are those of [Fetcher.Fetch], but the bytes may be of any kind.
func (f *Fetcher) Part(ctx context.Context, address string, offset, length int64) (p Part, err error) {
	length = min(length, f.cfg.MaxBytes)
	header := http.Header{"Accept": {"image/*"}, "Range": {fmt.Sprintf("bytes=%d-%d", offset, offset+length-1)}}
	err = f.request(ctx, address, header, func(resp *http.Response) error {
		p.Size = resp.ContentLength
		switch resp.StatusCode {
		case http.StatusPartialContent:
			from, size, ok := contentRange(resp.Header.Get("Content-Range"))
			if !ok || from != offset {
				return ErrNoRanges
			}
			p.Size = size
		case http.StatusRequestedRangeNotSatisfiable:
			return ErrEmpty
		case http.StatusOK:
			if offset > 0 {
				return ErrNoRanges
			}
		default:
			return statusError(resp.StatusCode)
		}
		var err error
		p.Data, err = io.ReadAll(io.LimitReader(resp.Body, length))
		return err
	})
	return p, err
}

// contentRange reads a Content-Range header: "bytes 0-99/1234", or with "*" for a size that is not known, which is -1.
func contentRange(header string) (from, size int64, ok bool) {
	span, total, found := strings.Cut(strings.TrimPrefix(header, "bytes "), "/")
	first, _, dashed := strings.Cut(span, "-")
	from, err := strconv.ParseInt(first, 10, 64)
	if !found || !dashed || err != nil || from < 0 {
		return 0, 0, false
	}
	if total == "*" {
		return from, -1, true
	}
	size, err = strconv.ParseInt(total, 10, 64)
	return from, size, err == nil && size >= 0
}
