package photos

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxLogged is how many requests the log keeps.
const maxLogged = 10_000

// Request is one call as the service received it. No secret, key or signature
// is in it.
type Request struct {
	Op     Op
	Method string
	Path   string            // without the query
	In     Placement         // Query, FormBody or JSONBody: where the parameters travelled
	Params map[string]string // arrays and maps as JSON; api_key and signature as ***
	Header http.Header       // Authorization and Cookie as ***
	Fault  string            // the misbehaviour it met, "" = none
	Status int               // of the service's own answer; 0 = none yet, or none at all
	At     time.Time
}

// requestLog remembers what was asked.
type requestLog struct {
	mu       sync.Mutex
	requests []*Request
	strange  []string
}

// Requests returns the calls received so far, oldest first, those that hang
// included. The log keeps the last ten thousand.
func (s *Service) Requests() []Request {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	all := make([]Request, 0, len(s.log.requests))
	for _, r := range s.log.requests {
		all = append(all, *r)
	}
	return all
}

// Unknown returns "METHOD path" of every request that no operation matched.
func (s *Service) Unknown() []string {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return slices.Clone(s.log.strange)
}

func (l *requestLog) begin(r *http.Request, c *call, in Placement, fault Fault, now time.Time) *Request {
	entry := &Request{
		Op: c.op, Method: r.Method, Path: r.URL.Path, In: in, Fault: fault.name, At: now,
		Params: masked(c.params),
		Header: r.Header.Clone(),
	}
	for _, secret := range []string{"Authorization", "Cookie"} {
		if entry.Header.Get(secret) != "" {
			entry.Header.Set(secret, "***")
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.requests) >= maxLogged {
		l.requests = slices.Delete(l.requests, 0, maxLogged/10)
	}
	l.requests = append(l.requests, entry)
	return entry
}

func (l *requestLog) end(entry *Request, status int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry.Status = status
}

func (l *requestLog) unknown(r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.strange) < maxLogged {
		l.strange = append(l.strange, r.Method+" "+r.URL.Path)
	}
}

func masked(p params) map[string]string {
	words := make(map[string]string, len(p))
	for name, value := range p {
		words[name] = plain(value)
		if name == "api_key" || name == "signature" {
			words[name] = "***"
		}
	}
	return words
}

// plain is a parameter as text, in JSON when it is an array or a map.
func plain(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	var b strings.Builder
	signer{dialect: Plain, numbers: true}.value(&b, value)
	return b.String()
}
