package bot

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// maxBody bounds a request's body. A view has at most 250 kB, a message far less.
const maxBody = 1 << 20

// A body is read into a buffer of one of three sizes. Most bodies fit into the first, which every connection may
// have. Larger buffers share maxLarge, because anyone can send to the server, and a signature can only be checked
// once the whole body is read.
const (
	smallBody = 16 << 10
	largeBody = 128 << 10
	maxLarge  = 32 << 20 // bytes in larger buffers, all requests together
)

const (
	bufferTimeout = time.Second     // how long a request waits for a larger buffer
	bodyTimeout   = 5 * time.Second // for the sender to fill it; Slack waits three for the answer
)

// Buffers are reused by later requests. Nothing that is decoded may point into one: see [decodeForm].
var (
	smallBuffers = sync.Pool{New: func() any { b := make([]byte, smallBody); return &b }}
	largeBuffers = sync.Pool{New: func() any { b := make([]byte, largeBody); return &b }}
)

// requestBody is the body of one request in its buffer.
type requestBody struct {
	quota  *semaphore.Weighted // the unused part of maxLarge
	buffer *[]byte
	bytes  []byte // the body as far as it was read
}

func newBody(quota *semaphore.Weighted) *requestBody {
	return &requestBody{quota: quota, buffer: smallBuffers.Get().(*[]byte)}
}

// release returns the buffer: from now on its bytes belong to another request.
func (b *requestBody) release() {
	switch len(*b.buffer) {
	case smallBody:
		smallBuffers.Put(b.buffer)
		return
	case largeBody:
		largeBuffers.Put(b.buffer)
	}
	b.quota.Release(int64(len(*b.buffer)))
}

// read reads a request's body of at most limit bytes.
func (b *requestBody) read(w http.ResponseWriter, r *http.Request, limit int64) error {
	from := http.MaxBytesReader(w, r.Body, limit)
	n := 0
	for {
		if n == len(*b.buffer) {
			if err := b.grow(w, r); err != nil {
				return err
			}
		}
		more, err := from.Read((*b.buffer)[n:])
		n += more
		b.bytes = (*b.buffer)[:n]
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return tooLarge(err)
		}
	}
}

// errNoBuffer is the error of a request that got no larger buffer in time.
var errNoBuffer = refusal{http.StatusServiceUnavailable, errors.New("too many large requests at once")}

// grow moves the body to a larger buffer. From then on the sender has bodyTimeout.
func (b *requestBody) grow(w http.ResponseWriter, r *http.Request) error {
	old, size := *b.buffer, largeBody
	if len(old) == largeBody {
		size = maxBody + 1 // one more byte, to read the end
	}
	ctx, cancel := context.WithTimeout(r.Context(), bufferTimeout)
	defer cancel()
	if b.quota.Acquire(ctx, int64(size)) != nil {
		return errNoBuffer
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyTimeout)) // a test's connection may not support it
	larger := &[]byte{}
	if size == largeBody {
		larger = largeBuffers.Get().(*[]byte)
	} else {
		*larger = make([]byte, size)
	}
	copy(*larger, old)
	b.release()
	b.buffer = larger
	return nil
}

func tooLarge(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return refusal{http.StatusRequestEntityTooLarge, err}
	}
	return err
}

// maySign reports whether a request has a plausible signature. Of other requests only a small body is read: the
// certificate check of a command is unsigned.
func maySign(h http.Header) bool {
	signature := h.Get("X-Slack-Signature")
	return len(signature) == signatureLength && strings.HasPrefix(signature, "v0=") && h.Get("X-Slack-Request-Timestamp") != ""
}
