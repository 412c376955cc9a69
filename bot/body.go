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

// maxBody bounds a request's body: a view has at most 250 kB, a message far less.
const maxBody = 1 << 20

// A body is read into a room of one of three sizes: most fit into the first. Whoever is connected may have
// that one, as he has the buffers of his connection. The larger ones are for whoever fills a smaller one, and
// there are only so many of them at a time, since anybody may send to us and whose signature is wrong is known
// only when all is read.
const (
	usualBody = 16 << 10
	largeBody = 128 << 10
	heldMost  = 32 << 20 // bytes in larger rooms, all requests together
)

const (
	roomPatience = time.Second     // how long a request waits for a larger room
	bodyPatience = 5 * time.Second // how long it may stay there until it is read; Slack waits three for our answer
)

// Rooms are used by one request after the other. Nothing that is decoded may point into one: see
// [decodeForm].
var (
	usualRooms = sync.Pool{New: func() any { b := make([]byte, usualBody); return &b }}
	largeRooms = sync.Pool{New: func() any { b := make([]byte, largeBody); return &b }}
)

// heldBody is the body of one request, and the room that it is read into.
type heldBody struct {
	held  *semaphore.Weighted // what is left of heldMost
	room  *[]byte
	bytes []byte // what was read
}

func newBody(held *semaphore.Weighted) *heldBody {
	return &heldBody{held: held, room: usualRooms.Get().(*[]byte)}
}

// forget gives the room back: the bytes are another request's from now on.
func (b *heldBody) forget() {
	switch size := len(*b.room); size {
	case usualBody:
		usualRooms.Put(b.room)
		return
	case largeBody:
		largeRooms.Put(b.room)
	}
	b.held.Release(int64(len(*b.room)))
}

// read reads a request's body, of which at most so many bytes are wanted.
func (b *heldBody) read(w http.ResponseWriter, r *http.Request, most int64) error {
	from := http.MaxBytesReader(w, r.Body, most)
	n := 0
	for {
		if n == len(*b.room) {
			if err := b.grow(w, r); err != nil {
				return err
			}
		}
		more, err := from.Read((*b.room)[n:])
		n += more
		b.bytes = (*b.room)[:n]
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return tooLarge(err)
		}
	}
}

// errNoRoom: see [heldMost].
var errNoRoom = refusal{http.StatusServiceUnavailable, errors.New("too many large requests at once")}

// grow moves to a larger room, and from then on the sender has to be quick.
func (b *heldBody) grow(w http.ResponseWriter, r *http.Request) error {
	was, size := *b.room, largeBody
	if len(was) == largeBody {
		size = maxBody + 1 // one more, so that its end is read
	}
	ctx, cancel := context.WithTimeout(r.Context(), roomPatience)
	defer cancel()
	if b.held.Acquire(ctx, int64(size)) != nil {
		return errNoRoom
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(bodyPatience)) // a connection of a test may have none
	larger := &[]byte{}
	if size == largeBody {
		larger = largeRooms.Get().(*[]byte)
	} else {
		*larger = make([]byte, size)
	}
	copy(*larger, was)
	b.forget()
	b.room = larger
	return nil
}

func tooLarge(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return refusal{http.StatusRequestEntityTooLarge, err}
	}
	return err
}

// maySign tells whether a request looks as if it were signed. Of one that does not only so much is read
// as the check of our certificate needs, which is not.
func maySign(h http.Header) bool {
	signature := h.Get("X-Slack-Signature")
	return len(signature) == signatureLength && strings.HasPrefix(signature, "v0=") && h.Get("X-Slack-Request-Timestamp") != ""
}
