package commands

import (
	"context"
	"sync"
)

// Looks counts what is done behind an acknowledgement, in all rooms of a process, so that whoever stops it can wait for
// the end: of what began in rooms that are kept no longer, too. The zero value is ready. It is no [sync.WaitGroup] since a
// late handler may begin one more while the end is waited for.
type Looks struct {
	mu   sync.Mutex
	n    int
	none chan struct{} // closed when there are none; nil: nobody waits
}

// begin counts one until it ends.
func (l *Looks) begin() (end func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	return l.end
}

func (l *Looks) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n--
	if l.n == 0 && l.none != nil {
		close(l.none)
		l.none = nil
	}
}

// Wait returns when no look runs any more, or with ctx's error. Call it after the last request.
func (l *Looks) Wait(ctx context.Context) error {
	l.mu.Lock()
	if l.n == 0 {
		l.mu.Unlock()
		return nil
	}
	if l.none == nil {
		l.none = make(chan struct{})
	}
	none := l.none
	l.mu.Unlock()
	select {
	case <-none:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
