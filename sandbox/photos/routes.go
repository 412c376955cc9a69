package photos

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Op names an operation of the interface, for faults and for the request log.
type Op string

// The operations, [File] for the downloads, and [Any] for every one of them.
const (
	Balance    Op = "balance"
	List       Op = "list"
	Create     Op = "create"
	Cancel     Op = "cancel"
	Fetch      Op = "fetch"
	Revise     Op = "revise"
	Approve    Op = "approve"
	Message    Op = "message"
	References Op = "references"
	File       Op = "file"
	Any        Op = "*"
)

// maxRequestLine is the longest path and query that is read, in bytes: that of
// a common web server in front of a PHP application.
const maxRequestLine = 8190

// call is one request for an operation.
type call struct {
	op     Op
	id     string // the order id in the path; "": none
	base   string // scheme, host and prefix under which we were reached
	params params
}

// route is one operation: its method, its path below the prefix with ":id" for
// a segment that may be anything, and what carries it out.
type route struct {
	method, path string
	op           Op
	carryOut     func(*Service, *call) answer
}

func routes() []route {
	return []route{
		{http.MethodGet, "/account/balance", Balance, (*Service).balance},
		{http.MethodGet, "/orders", List, (*Service).list},
		{http.MethodPost, "/orders/create", Create, (*Service).create},
		{http.MethodDelete, "/orders/cancel", Cancel, (*Service).cancel},
		{http.MethodGet, "/orders/:id", Fetch, (*Service).fetch},
		{http.MethodPost, "/orders/:id/revise", Revise, (*Service).revise},
		{http.MethodPost, "/orders/:id/approve", Approve, (*Service).approve},
		{http.MethodPost, "/orders/:id/message", Message, (*Service).message},
		{http.MethodPost, "/orders/:id/refimages/create", References, (*Service).addReferences},
	}
}

// ServeHTTP answers one request, or misbehaves as it was told to.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.begin() {
		reset(w)
		return
	}
	defer s.busy.Done()
	w.Header().Set("Date", s.opts.Now().UTC().Format(http.TimeFormat))
	path, below := strings.CutPrefix(r.URL.Path, prefix)
	if below && strings.HasPrefix(path, filesPath) {
		s.serveFile(w, r, path)
		return
	}
	for _, route := range routes() {
		id, ok := match(route.path, path)
		if below && ok && route.method == r.Method {
			s.serveOperation(w, r, route, id)
			return
		}
	}
	s.log.unknown(r)
	writeHTML(w, http.StatusNotFound, "Not Found")
}

// serveOperation reads the parameters first, so that a call which hangs is a
// call that was received, then lets a queued fault come before, after or in
// place of what the service would have done.
func (s *Service) serveOperation(w http.ResponseWriter, r *http.Request, to route, id string) {
	if len(r.URL.RequestURI()) > maxRequestLine {
		writeHTML(w, http.StatusRequestURITooLong, "Request-URI Too Long")
		return
	}
	c := &call{op: to.op, id: id, base: base(r)}
	var in Placement
	var err error
	c.params, in, err = s.readParams(w, r)
	fault := s.faults.take(to.op)
	entry := s.log.begin(r, c, in, fault, s.opts.Now())
	if fault.before != nil && fault.before(s, w) {
		return
	}
	a := s.decide(to, c, r, err)
	s.log.end(entry, a.status)
	if fault.after != nil && fault.after(s, w, a) {
		return
	}
	a.write(w)
}

func (s *Service) decide(to route, c *call, r *http.Request, unreadable error) answer {
	if unreadable != nil {
		return answer{status: http.StatusBadRequest, body: envelope{Errors: []string{unreadable.Error()}}}
	}
	if err := s.verify(c.params, r); err != nil {
		return answer{status: http.StatusUnauthorized, body: envelope{Errors: []string{err.Error()}}}
	}
	a := to.carryOut(s, c)
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a
}

// match compares a path with a pattern, segment by segment.
func match(pattern, path string) (id string, ok bool) {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return "", false
	}
	for i, segment := range want {
		switch {
		case segment == ":id" && have[i] != "":
			id = have[i]
		case segment != have[i]:
			return "", false
		}
	}
	return id, true
}

// base is where the client reaches us, for the URLs of files.
func base(r *http.Request) string {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	return scheme + "://" + r.Host + prefix
}

func writeHTML(w http.ResponseWriter, status int, title string) {
	page := fmt.Sprintf("<html><head><title>%[1]d %[2]s</title></head><body><h1>%[2]s</h1></body></html>\n", status, title)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	w.WriteHeader(status)
	_, _ = w.Write([]byte(page))
}
