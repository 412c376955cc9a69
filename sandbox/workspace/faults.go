package workspace

import (
	"net"
	"net/http"
	"strconv"
	"time"
)

// Fault is one way a method of the Web API can misbehave.
type Fault struct {
	name    string
	carries bool          // the call is carried out all the same
	delay   time.Duration // first, nothing happens this long
	answer  func(http.ResponseWriter)
}

var (
	// ResetBefore resets the connection; nothing was done.
	ResetBefore = Fault{name: "reset before", answer: reset}
	// ResetAfter does it and resets the connection instead of answering.
	ResetAfter = Fault{name: "reset after", carries: true, answer: reset}
	// Error500 answers 500; nothing was done.
	Error500 = Fault{name: "500", answer: failure}
	// Error500After does it and answers 500.
	Error500After = Fault{name: "500 after", carries: true, answer: failure}
	// HTML answers 200 with a page; nothing was done.
	HTML = Fault{name: "html", answer: page}
)

// Slow waits before the call is carried out and answered, even when the
// caller has left by then.
func Slow(d time.Duration) Fault { return Fault{name: "slow", carries: true, delay: d} }

// TooMany answers 429 with Retry-After; nothing was done.
func TooMany(retryAfter time.Duration) Fault {
	return Fault{name: "ratelimited", answer: func(rw http.ResponseWriter) {
		rw.Header().Set("Retry-After", strconv.Itoa(int(retryAfter/time.Second)))
		write(rw, http.StatusTooManyRequests, `{"ok":false,"error":"ratelimited"}`)
	}}
}

// Fails answers ok:false with the error string; nothing was done.
func Fails(code string) Fault {
	return Fault{name: code, answer: failing(code)}
}

// FailsAfter does it and answers ok:false with the error string, as
// internal_error and fatal_error may.
func FailsAfter(code string) Fault {
	return Fault{name: code + " after", carries: true, answer: failing(code)}
}

func failing(code string) func(http.ResponseWriter) {
	return func(rw http.ResponseWriter) {
		write(rw, http.StatusOK, string(encode(object{"ok": false, "error": code})))
	}
}

func failure(rw http.ResponseWriter) {
	write(rw, http.StatusInternalServerError, "upstream connect error")
}

func page(rw http.ResponseWriter) {
	rw.Header().Set("Content-Type", "text/html")
	write(rw, http.StatusOK, "<!DOCTYPE html><html><body>Slack is having trouble</body></html>")
}

func write(rw http.ResponseWriter, status int, body string) {
	rw.WriteHeader(status)
	_, _ = rw.Write([]byte(body))
}

// reset ends the connection so that the other side reads ECONNRESET.
func reset(rw http.ResponseWriter) {
	hijacker, ok := rw.(http.Hijacker)
	if !ok {
		panic(http.ErrAbortHandler)
	}
	conn, _, err := hijacker.Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// before tells whether the fault answered the call without carrying it out.
func (f Fault) before(w *Workspace, rw http.ResponseWriter, r *Request) bool {
	if f.delay > 0 {
		w.pause(f.delay)
	}
	if f.answer == nil || f.carries {
		return false
	}
	w.noteAnswer(r, 0, f.name)
	f.answer(rw)
	return true
}

// after tells whether the fault answered a call that was carried out.
func (f Fault) after(w *Workspace, rw http.ResponseWriter, r *Request) bool {
	if f.answer == nil {
		return false
	}
	w.noteAnswer(r, 0, f.name)
	f.answer(rw)
	return true
}

// pause waits, or until the workspace closes.
func (w *Workspace) pause(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-w.ctx.Done():
	}
}
