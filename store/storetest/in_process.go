package storetest

import (
	"net"
	"sync"

	"github.com/alicebob/miniredis/v2"
)

// InProcess is a Redis in this process that is dialled by pipes, whose keys end by the clock of the bubble that it is in. Unlike miniredis itself
// it may be closed while somebody dials, as a client's pool does on its own: from then on nobody gets through.
type InProcess struct {
	*miniredis.Miniredis

	mu     sync.Mutex
	closed bool
}

// NewInProcess returns one that is empty.
func NewInProcess() *InProcess {
	m := miniredis.NewMiniRedis()
	m.ClockTTL(true)
	return &InProcess{Miniredis: m}
}

// Dial returns a connection, or [net.ErrClosed].
func (e *InProcess) Dial() (net.Conn, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, net.ErrClosed
	}
	return e.Miniredis.Dial()
}

// Close ends it, and all connections.
func (e *InProcess) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	e.Miniredis.Close()
}
