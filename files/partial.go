package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// ErrNoRanges says that a server does not send the part of a file that it was asked for.
var ErrNoRanges = errors.New("the server sends another part than was asked for")

// Part is a part of a file.
type Part struct {
	Data []byte
	Size int64 // of the whole file, in bytes; negative: not announced
}

// Part gets up to length bytes of a file from an offset on, at most [FetcherConfig.MaxBytes]. Fewer come at the end of
// the file; [ErrEmpty] says that none are there. A server that ignores ranges is cut off after length bytes; beyond the
// beginning of its file the error is [ErrNoRanges]. The other errors are those of [Fetcher.Fetch], but the bytes may be
// of any kind.
func (f *Fetcher) Part(ctx context.Context, address string, offset, length int64) (p Part, err error) {
	length = min(length, f.cfg.MaxBytes)
	header := http.Header{"Accept": {pictures.header}, "Range": {fmt.Sprintf("bytes=%d-%d", offset, offset+length-1)}}
	err = f.request(ctx, address, header, func(resp *http.Response) error {
		from, size := int64(0), resp.ContentLength
		switch resp.StatusCode {
		case http.StatusPartialContent:
			from, size = contentRange(resp.Header.Get("Content-Range"))
		case http.StatusRequestedRangeNotSatisfiable:
			return ErrEmpty
		case http.StatusOK:
		default:
			return statusError(resp.StatusCode)
		}
		if from != offset {
			return ErrNoRanges
		}
		data, err := io.ReadAll(io.LimitReader(resp.Body, length))
		if err != nil {
			return fmt.Errorf("fetch: %w", err)
		}
		p = Part{Data: data, Size: size}
		return nil
	})
	return p, err
}

// contentRange reads a Content-Range header, "bytes 0-99/1234", or with "*" for a size that is not known, which is -1
// (RFC 9110, section 14.4). An invalid one begins at -1.
func contentRange(header string) (from, size int64) {
	var last int64
	size = -1
	found, _ := fmt.Sscanf(header, "bytes %d-%d/%d", &from, &last, &size)
	unknown := found == 2 && strings.HasSuffix(header, "/*")
	if found < 2 || from < 0 || last < from || !unknown && last >= size {
		return -1, -1
	}
	return from, size
}
