package commandstest

import (
	"io"
	"net"
	"sync"

	"darkroom/store/storetest"
)

// buffered dials a miniredis over a buffered connection, like a TCP one. miniredis's own connection is a [net.Pipe]: a
// client that writes a long pipeline before reading, and a server that answers before reading on, would deadlock.
func buffered(m *storetest.InProcess) (net.Conn, error) {
	server, err := m.Dial()
	if err != nil {
		return nil, err
	}
	client, ours := net.Pipe()
	answers := &buffer{}
	answers.some.L = &answers.mu
	go func() { // server to client
		_, _ = io.Copy(answers, server)
		answers.close()
	}()
	go func() {
		_, _ = io.Copy(ours, answers)
		_ = ours.Close()
	}()
	go func() { // client to server
		_, _ = io.Copy(server, ours)
		_ = server.Close()
	}()
	return client, nil
}

// buffer is a pipe with unlimited capacity.
type buffer struct {
	mu   sync.Mutex
	some sync.Cond
	held []byte
	over bool
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held = append(b.held, p...)
	b.some.Signal()
	return len(p), nil
}

func (b *buffer) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.held) == 0 && !b.over {
		b.some.Wait()
	}
	if len(b.held) == 0 {
		return 0, io.EOF
	}
	n := copy(p, b.held)
	b.held = b.held[n:]
	return n, nil
}

func (b *buffer) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = true
	b.some.Signal()
}
