package wire

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// ErrReset says that the connection ended without an answer.
var ErrReset = errors.New("connection reset")

// Handler tells of everything that next serves.
func (t Tap) Handler(from, to Party, next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := Exchange{From: from, To: to, At: time.Now(), Method: r.Method, URL: r.URL.String()}
		asked, seen := &copied{text: textual(r.Header)}, &recorder{ResponseWriter: w}
		e.Request.Header = r.Header.Clone()
		r.Body = &tee{ReadCloser: r.Body, to: asked}
		defer func() { // also when the handler breaks the connection by a panic
			e.Took, e.Status = time.Since(e.At), seen.status
			asked.into(&e.Request)
			seen.body.into(&e.Response)
			e.Response.Header = w.Header().Clone()
			if e.Status == 0 {
				e.Err = ErrReset
			}
			t(e)
		}()
		next.ServeHTTP(seen, r)
		if seen.status == 0 && !seen.hijacked {
			seen.status = http.StatusOK
		}
	})
}

// Transport tells of everything that is sent through next.
func (t Tap) Transport(from, to Party, next http.RoundTripper) http.RoundTripper {
	if t == nil {
		return next
	}
	return &transport{tap: t, from: from, to: to, next: next}
}

type transport struct {
	tap      Tap
	from, to Party
	next     http.RoundTripper
}

// RoundTrip sends the request; the exchange is over when its answer was read.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	e := Exchange{From: t.from, To: t.to, At: time.Now(), Method: r.Method, URL: r.URL.String()}
	e.Request.Header = r.Header.Clone()
	asked := &copied{text: textual(r.Header)}
	if r.Body != nil && r.Body != http.NoBody {
		r = r.Clone(r.Context())
		r.Body = &tee{ReadCloser: r.Body, to: asked}
	}
	response, err := t.next.RoundTrip(r)
	if err != nil {
		asked.into(&e.Request)
		e.Took, e.Err = time.Since(e.At), reason(err)
		t.tap(e)
		return response, err
	}
	e.Status, e.Response.Header = response.StatusCode, response.Header.Clone()
	answered := &copied{text: textual(response.Header)}
	response.Body = &tee{ReadCloser: response.Body, to: answered, over: func() {
		asked.into(&e.Request)
		answered.into(&e.Response)
		e.Took = time.Since(e.At)
		t.tap(e)
	}}
	return response, nil
}

// CloseIdleConnections lets an [http.Client] close those of the transport below.
func (t *transport) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// reason is why there was no answer, without the address that net/http puts in front.
func reason(err error) error {
	var refused *net.OpError
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return errors.New("no answer in time")
	case errors.As(err, &refused) && refused.Op == "dial":
		return errors.New("nobody listens there")
	}
	return ErrReset
}

// copied is a bounded copy of a body; what is too long or no text is counted only.
type copied struct {
	mu   sync.Mutex // a client writes a body while its answer arrives
	text bool
	body []byte
	size int64
}

func (c *copied) add(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += int64(len(p))
	switch {
	case c.size > MaxBody:
		c.body, c.text = nil, false
	case c.text:
		c.body = append(c.body, p...)
	}
}

func (c *copied) into(m *Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m.Body, m.Size = c.body, c.size
}

// textual tells whether a person could read a body with this header.
func textual(h http.Header) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return h.Get("Content-Type") == ""
	}
	return strings.HasPrefix(kind, "text/") || kind == "application/json" || kind == "application/x-www-form-urlencoded"
}

// tee copies what is read; over is called once, at the end.
type tee struct {
	io.ReadCloser
	to   *copied
	over func()
	once sync.Once
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	t.to.add(p[:n])
	if err != nil {
		t.end()
	}
	return n, err
}

func (t *tee) Close() error {
	defer t.end()
	return t.ReadCloser.Close()
}

func (t *tee) end() {
	if t.over != nil {
		t.once.Do(t.over)
	}
}

// recorder copies what is answered.
type recorder struct {
	http.ResponseWriter
	status   int
	hijacked bool
	body     copied
}

// WriteHeader notes the status.
func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status, r.body.text = status, textual(r.Header())
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	n, err := r.ResponseWriter.Write(p)
	r.body.add(p[:n])
	return n, err
}

// Hijack hands the connection over: no answer goes through here any more.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(r.ResponseWriter).Hijack()
	if err == nil {
		r.hijacked, r.status = true, 0
	}
	return conn, rw, err
}

// Unwrap lets an [http.ResponseController] reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
