package workspace

import (
	"maps"
	"slices"
	"time"
)

// Request is one call the app made to the Web API. Its token is not kept.
type Request struct {
	Method string
	Args   map[string]any
	At     time.Time
	Status int    // of the answer; 0: none yet, or the connection was reset
	Error  string // Slack's error string, or the fault it met
}

// book is what tests read afterwards.
type book struct {
	requests   []*Request
	deliveries []Delivery
	unknown    []string
	violations []string
}

// Requests are the calls the app made, in order of arrival.
func (w *Workspace) Requests() []Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := make([]Request, 0, len(w.book.requests))
	for _, r := range w.book.requests {
		copied := *r
		copied.Args = maps.Clone(r.Args)
		out = append(out, copied)
	}
	return out
}

// Unknown are the methods and paths asked for that do not exist here.
func (w *Workspace) Unknown() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.book.unknown)
}

// Violations are the payloads that Slack would have rejected, or accepted and
// handled in a way nobody wants, each as a sentence.
func (w *Workspace) Violations() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.book.violations)
}

// Deliveries are the requests sent to the app, retries and replays included,
// in the order they were answered.
func (w *Workspace) Deliveries() []Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.book.deliveries)
}

func (w *Workspace) noteRequest(method string, args object) *Request {
	defer w.change()()
	r := &Request{Method: method, Args: args, At: w.now()}
	w.book.requests = append(w.book.requests, r)
	return r
}

func (w *Workspace) noteAnswer(r *Request, status int, problem string) {
	defer w.change()()
	r.Status, r.Error = status, problem
}

func (w *Workspace) noteUnknown(what string) {
	defer w.change()()
	w.book.unknown = append(w.book.unknown, what)
}

func (w *Workspace) noteRejected(where string, err error) {
	defer w.change()()
	w.violate(where, err.Error())
}

// violate records a violation; the caller holds the lock.
func (w *Workspace) violate(where, what string) {
	w.book.violations = append(w.book.violations, where+": "+what)
}
