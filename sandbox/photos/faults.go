package photos

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Fault is one way to misbehave. Every fault belongs to one of two moments:
// before the service carries the call out, so that nothing happened, or after,
// so that it happened and only the answer is wrong.
type Fault struct {
	name   string
	before func(*Service, http.ResponseWriter) (answered bool)
	after  func(*Service, http.ResponseWriter, answer) (answered bool)
}

// instead makes a fault that answers in place of the service: nothing happened.
func instead(name string, answers func(*Service, http.ResponseWriter)) Fault {
	return Fault{name: name, before: func(s *Service, w http.ResponseWriter) bool { answers(s, w); return true }}
}

// afterwards makes a fault that carries the call out and answers something else.
func afterwards(name string, answers func(*Service, http.ResponseWriter)) Fault {
	return Fault{name: name, after: func(s *Service, w http.ResponseWriter, _ answer) bool { answers(s, w); return true }}
}

// faults are the misbehaviours that are queued, and what hangs.
type faults struct {
	mu      sync.Mutex
	queue   map[Op][]queued
	release chan struct{} // closed by Release; nil until something hangs
	lose    bool          // the answer to the next write
}

type queued struct {
	fault Fault
	left  int // calls; negative = every call
}

// Misbehave queues a fault for the next calls of an operation: that many times,
// or until Behave when times is negative. Faults queued for the operation come
// before those queued for [Any]. It panics when there is no such operation.
func (s *Service) Misbehave(op Op, fault Fault, times int) {
	known := []Op{Balance, List, Create, Cancel, Fetch, Revise, Approve, Message, References, File, Any}
	if !slices.Contains(known, op) {
		panic(fmt.Sprintf("photos: unknown operation %q", op))
	}
	if times != 0 {
		s.faults.add(op, queued{fault: fault, left: times})
	}
}

// Behave forgets every queued fault.
func (s *Service) Behave() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.queue = nil
}

// Release lets every call that hangs go on.
func (s *Service) Release() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	if s.faults.release != nil {
		close(s.faults.release)
		s.faults.release = nil
	}
}

func (f *faults) add(op Op, q queued) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.queue == nil {
		f.queue = map[Op][]queued{}
	}
	f.queue[op] = append(f.queue[op], q)
}

// LoseNextAnswer makes the service carry the next write out and break the
// connection, once, or not after all.
func (s *Service) LoseNextAnswer(lose bool) {
	s.faults.mu.Lock()
	s.faults.lose = lose
	s.faults.mu.Unlock()
	s.wake()
}

// LosesNextAnswer tells whether LoseNextAnswer waits for a write still.
func (s *Service) LosesNextAnswer() bool {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	return s.faults.lose
}

// writes are the operations that change something.
var writes = []Op{Create, Cancel, Revise, Approve, Message, References}

// take removes the next fault for a call; the zero fault: none is left.
func (f *faults) take(op Op) Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.lose && slices.Contains(writes, op) {
		f.lose = false
		return ResetAfterCommit()
	}
	for _, name := range []Op{op, Any} {
		waiting := f.queue[name]
		if len(waiting) == 0 {
			continue
		}
		fault := waiting[0].fault
		waiting[0].left--
		if waiting[0].left == 0 {
			f.queue[name] = waiting[1:]
		}
		return fault
	}
	return Fault{}
}

// hang waits for Release; false: the service was closed.
func (s *Service) hang() bool {
	s.faults.mu.Lock()
	if s.faults.release == nil {
		s.faults.release = make(chan struct{})
	}
	release := s.faults.release
	s.faults.mu.Unlock()
	select {
	case <-release:
		return true
	case <-s.ctx.Done():
		return false
	}
}

// Slow carries the call out only after d, whether or not the client still waits.
func Slow(d time.Duration) Fault {
	return Fault{name: "slow", before: func(s *Service, w http.ResponseWriter) bool {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return false
		case <-s.ctx.Done():
			reset(w)
			return true
		}
	}}
}

// Hang carries the call out only when Release is called, whether or not the
// client still waits: a request that arrives very late.
func Hang() Fault {
	return Fault{name: "hang", before: func(s *Service, w http.ResponseWriter) bool {
		if s.hang() {
			return false
		}
		reset(w)
		return true
	}}
}

// HangAfterCommit carries the call out at once and answers when Release is
// called.
func HangAfterCommit() Fault {
	return Fault{name: "hang_after_commit", after: func(s *Service, w http.ResponseWriter, _ answer) bool {
		if s.hang() {
			return false
		}
		reset(w)
		return true
	}}
}

// ResetBeforeCommit breaks the connection; nothing happened.
func ResetBeforeCommit() Fault {
	return instead("reset_before_commit", func(_ *Service, w http.ResponseWriter) { reset(w) })
}

// ResetAfterCommit carries the call out and breaks the connection.
func ResetAfterCommit() Fault {
	return afterwards("reset_after_commit", func(_ *Service, w http.ResponseWriter) { reset(w) })
}

// TooMany answers 429; nothing happened. A retryAfter of less than a second
// leaves the header out.
func TooMany(retryAfter time.Duration) Fault {
	return instead("too_many", func(_ *Service, w http.ResponseWriter) {
		if seconds := int(retryAfter / time.Second); seconds > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(seconds))
		}
		writeJSON(w, http.StatusTooManyRequests, []byte(`{"errors":["too many requests"]}`))
	})
}
