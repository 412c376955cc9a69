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
func (p *InProcess) Dial() (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, net.ErrClosed
	}
	return p.Miniredis.Dial()
}

// Close ends it, and all connections.
func (p *InProcess) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.Miniredis.Close()
}
