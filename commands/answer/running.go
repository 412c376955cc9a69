package answer

import (
	"context"
	"sync"
)

// Running counts the read-only requests of a process, including those of unloaded workspaces. A stopping process waits
// for them. The zero value is ready. It is no [sync.WaitGroup], since a late handler may begin another request during
// the wait.
type Running struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // closed when no request runs; nil without a waiter
}

// begin counts a request until end is called.
func (r *Running) begin() (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	return r.end
}

func (r *Running) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n--
	if r.n == 0 && r.none != nil {
		close(r.none)
		r.none = nil
	}
}

// Wait returns when no request runs, or with ctx's error. Call it after the last request.
func (r *Running) Wait(ctx context.Context) error {
	r.mu.Lock()
	if r.n == 0 {
		r.mu.Unlock()
		return nil
	}
	if r.none == nil {
		r.none = make(chan struct{})
	}
	none := r.none
	r.mu.Unlock()
	select {
	case <-none:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
