package photos

import (
	"crypto/tls"
	"net"
	"net/http"
	"strconv"
)

// Error500 answers an internal error in the service's form; nothing happened.
func Error500() Fault { return instead("error_500", says(http.StatusInternalServerError, internal)) }

// Error500AfterCommit carries the call out and answers an internal error.
func Error500AfterCommit() Fault {
	return afterwards("error_500_after_commit", says(http.StatusInternalServerError, internal))
}

// Refuses answers as the service answers a refusal, in the words given;
// nothing happened.
func Refuses(words ...string) Fault {
	return instead("refuses", says(http.StatusOK, words))
}

// RefusesAfterCommit carries the call out and answers as the service answers a refusal, in
// the words given: what it says it did not do is done.
func RefusesAfterCommit(words ...string) Fault {
	return afterwards("refuses_after_commit", says(http.StatusOK, words))
}

// HTML answers the error page of a proxy, 502; nothing happened.
func HTML() Fault {
	return instead("html", func(_ *Service, w http.ResponseWriter) { writeHTML(w, http.StatusBadGateway, "Bad Gateway") })
}

// HTMLAfterCommit carries the call out and answers a page with status 200.
func HTMLAfterCommit() Fault {
	return afterwards("html_after_commit", func(_ *Service, w http.ResponseWriter) { writeHTML(w, http.StatusOK, "Thank You") })
}

// Truncated carries the call out and sends only half of the answer it promised.
func Truncated() Fault {
	return Fault{name: "truncated", after: func(_ *Service, w http.ResponseWriter, a answer) bool {
		body := a.encode()
		w.Header().Set("Content-Type", or(a.kind, jsonKind))
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(a.status)
		_, _ = w.Write(body[:len(body)/2])
		return true
	}}
}

// says answers with these words as errors in the service's form.
func says(status int, words []string) func(*Service, http.ResponseWriter) {
	return func(_ *Service, w http.ResponseWriter) {
		a := refusal(words...)
		a.status = status
		a.write(w)
	}
}

var internal = []string{"internal server error"}

// reset breaks the connection with a TCP reset, without a byte of an answer.
func reset(w http.ResponseWriter) {
	breakOff(hijack(w))
}

func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler) // not a connection of our own: let net/http break it
	}
	return conn
}

func breakOff(conn net.Conn) {
	raw := conn
	if secure, ok := conn.(*tls.Conn); ok {
		raw = secure.NetConn()
	}
	if tcp, ok := raw.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = raw.Close()
}
