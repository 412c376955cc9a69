package storetest

import (
	"net"
	"sync"

	"github.com/alicebob/miniredis/v2"
)

// InProcess is a Redis in this process that is dialled by pipes. Its keys expire by the clock of its synctest bubble.
// Unlike miniredis it may be closed while a client dials.
type InProcess struct {
	*miniredis.Miniredis

	mu     sync.Mutex
	closed bool
}

// NewInProcess returns an empty Redis.
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

// Close closes the Redis and all connections.
func (p *InProcess) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.Miniredis.Close()
}
