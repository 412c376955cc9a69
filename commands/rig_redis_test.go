package commands

import (
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
)

// buffered dials a miniredis over a connection that has a buffer, as one of TCP has.
// miniredis's own is a [net.Pipe]: a client that writes a long pipeline before it reads,
// and a server that answers before it reads on, would wait for each other for ever.
func buffered(m *miniredis.Miniredis) (net.Conn, error) {
	server, err := m.Dial()
	if err != nil {
		return nil, err
	}
	client, ours := net.Pipe()
	answers := &buffer{}
	answers.some.L = &answers.mu
	go func() { // what the server says
		_, _ = io.Copy(answers, server)
		answers.close()
	}()
	go func() {
		_, _ = io.Copy(ours, answers)
		_ = ours.Close()
	}()
	go func() { // what the client says
		_, _ = io.Copy(server, ours)
		_ = server.Close()
	}()
	return client, nil
}

// buffer is a pipe that takes any number of bytes at once.
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

func TestAThousandOrdersAreListedSearchedAndShownInTheHome(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		for i := range 1000 {
			r.owns(fmt.Sprint("order", i), "C1", "maria", nil)
		}
		require.Contains(t, r.says("maria", "C1", "list"), "1000 orders, page 1 of 100")
		require.Contains(t, r.says("maria", "C1", "list order7 project"), "111 orders")
		require.Len(t, r.suggests("message", "order99", bot.Request{User: "maria", Channel: "C1"}), 11)
		require.Len(t, r.suggests("message", "", bot.Request{User: "maria", Channel: "C1"}), cards.MaxChoices)
		require.Contains(t, r.says("maria", "C1", "message hello there"), "Which order?")
		require.Contains(t, r.comes("maria"), "In progress* · 1000 orders")
	})
}
