package photos

import (
	"crypto/tls"
	"encoding/json"
	"net"
	"net/http"
	"strconv"
)

// Error500 answers an internal error in the service's form; nothing happened.
func Error500() Fault {
	return Fault{name: "error_500", before: func(_ *Service, w http.ResponseWriter) bool {
		internalError(w)
		return true
	}}
}

// Error500AfterCommit carries the call out and answers an internal error.
func Error500AfterCommit() Fault {
	return Fault{name: "error_500_after_commit", after: func(_ *Service, w http.ResponseWriter, _ answer) bool {
		internalError(w)
		return true
	}}
}

// Refuses answers as the service answers a refusal, in the words given;
// nothing happened.
func Refuses(words ...string) Fault {
	return Fault{name: "refuses", before: func(s *Service, w http.ResponseWriter) bool {
		a := refusal(words...)
		a.status = s.opts.ErrorStatus
		a.write(w)
		return true
	}}
}

// RefusesAfterCommit carries the call out and answers as the service answers a refusal, in
// the words given: what it says it did not do is done.
func RefusesAfterCommit(words ...string) Fault {
	return Fault{name: "refuses_after_commit", after: func(s *Service, w http.ResponseWriter, _ answer) bool {
		a := refusal(words...)
		a.status = s.opts.ErrorStatus
		a.write(w)
		return true
	}}
}

// HTML answers the error page of a proxy, 502; nothing happened.
func HTML() Fault {
	return Fault{name: "html", before: func(_ *Service, w http.ResponseWriter) bool {
		writeHTML(w, http.StatusBadGateway, "Bad Gateway")
		return true
	}}
}

// HTMLAfterCommit carries the call out and answers a page with status 200.
func HTMLAfterCommit() Fault {
	return Fault{name: "html_after_commit", after: func(_ *Service, w http.ResponseWriter, _ answer) bool {
		writeHTML(w, http.StatusOK, "Thank You")
		return true
	}}
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

// ErrorsWithData carries the call out and answers its data and an error at once.
func ErrorsWithData() Fault {
	return Fault{name: "errors_with_data", after: func(_ *Service, w http.ResponseWriter, a answer) bool {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(a.encode(), &fields); err != nil {
			return false // a picture
		}
		fields["errors"] = json.RawMessage(`["the request could not be completed"]`)
		answer{status: a.status, body: fields}.write(w)
		return true
	}}
}

func internalError(w http.ResponseWriter) {
	writeJSON(w, http.StatusInternalServerError, []byte(`{"errors":["internal server error"]}`))
}

// reset breaks the connection with a TCP reset, without a byte of an answer.
func reset(w http.ResponseWriter) {
	breakOff(hijack(w))
}

// crash is off the network before the client learns that its connection broke.
func crash(s *Service, w http.ResponseWriter) {
	conn := hijack(w)
	s.Down()
	breakOff(conn)
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
