package inspect

import (
	"errors"
	"io"
	"math"

	"darkroom/files"
)

// remote reads a picture that is fetched in blocks, each when it is needed. It fetches up to maxBytes, and reads up to
// maxRead. It is not safe for concurrent use.
type remote struct {
	fetch  func(offset, length int64) (files.Part, error)
	size   int64 // of the picture; negative: not known
	end    int64 // of what decoders read of it
	left   int   // bytes that may still be read; a decoder may read the same ones again and again
	blocks map[int64][]byte
	failed error // of the first request that failed, unless the part is never to be had
}

func newRemote(fetch func(offset, length int64) (files.Part, error)) *remote {
	return &remote{fetch: fetch, size: -1, end: math.MaxInt64, left: maxRead, blocks: map[int64][]byte{}}
}

// block returns the block with that number. It is shorter than blockLen at the end of the picture.
func (r *remote) block(number int64) ([]byte, error) {
	if data, fetched := r.blocks[number]; fetched {
		return data, nil
	}
	if r.failed != nil {
		return nil, r.failed
	}
	if (len(r.blocks)+1)*blockLen > maxBytes {
		return nil, errTooFar
	}
	part, err := r.fetch(number*blockLen, blockLen)
	switch {
	case number > 0 && (errors.Is(err, files.ErrNoRanges) || errors.Is(err, files.ErrEmpty)):
		part = files.Part{}
	case err != nil:
		r.failed = err
		return nil, err
	}
	if number == 0 {
		r.size = part.Size
	}
	r.blocks[number] = part.Data
	return part.Data, nil
}

// ReadAt implements [io.ReaderAt].
func (r *remote) ReadAt(p []byte, offset int64) (n int, err error) {
	if r.left -= len(p); r.left < 0 {
		return 0, errTooFar
	}
	for n < len(p) {
		if offset < 0 || r.size >= 0 && offset >= r.size {
			return n, io.EOF
		}
		data, err := r.block(offset / blockLen)
		if err != nil {
			return n, err
		}
		copied := copy(p[n:], data[min(offset%blockLen, int64(len(data))):])
		if copied == 0 {
			return n, io.EOF
		}
		n, offset = n+copied, offset+int64(copied)
	}
	return n, nil
}

// bytes returns length bytes from an offset on; false if they are not to be had.
func (r *remote) bytes(offset int64, length int) ([]byte, bool) {
	p := make([]byte, length)
	n, _ := r.ReadAt(p, offset)
	return p, n == length
}
