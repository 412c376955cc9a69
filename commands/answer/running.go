package answer

import (
	"context"
	"sync"
)

// Running counts the read-only requests that run in a process, so that a stopping process can wait for their end: also
// for those of workspaces that are no longer kept. The zero value is ready. It is no [sync.WaitGroup], since a late
// handler may begin one more during the wait.
type Running struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // closed when nothing runs; nil: nobody waits
}

// begin counts one until it ends.
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

// Wait returns when no request runs any more, or with ctx's error. Call it after the last request.
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
