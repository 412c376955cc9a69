package bot

import (
	"errors"
	"io"
	"net/http"
	"sync"
)

// maxBody bounds a request's body: a view has at most 250 kB, a message far less.
const maxBody = 1 << 20

const (
	usualBody = 16 << 10  // most bodies are smaller
	keptBody  = 128 << 10 // the room of a larger one is not kept
)

// bodies are rooms for the bodies of requests, one after the other. Nothing that is decoded may
// point into one: see [reader] and [decodeForm].
var bodies = sync.Pool{New: func() any { b := make([]byte, 0, usualBody); return &b }}

// forget gives the room of a body back.
func forget(body *[]byte) {
	if cap(*body) <= keptBody {
		bodies.Put(body)
	}
}

// readBody reads a request's body into a room, which grows.
func readBody(w http.ResponseWriter, r *http.Request, into *[]byte) error {
	from := http.MaxBytesReader(w, r.Body, maxBody)
	body := (*into)[:0]
	for {
		n, err := from.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		*into = body
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return tooLarge(err)
		case len(body) == cap(body):
			body = append(body, 0)[:len(body)]
		}
	}
}

func tooLarge(err error) error {
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return refusal{http.StatusRequestEntityTooLarge, err}
	}
	return err
}
