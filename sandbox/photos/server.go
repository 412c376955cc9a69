package photos

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// server is the port on which a service started by Start is reached.
type server struct {
	mu   sync.Mutex
	addr string // host:port once started; kept while down
	http *http.Server

	listener net.Listener
	done     sync.WaitGroup // the goroutines that accept connections
}

const anyPort = "127.0.0.1:0"

// Start listens on a port of 127.0.0.1 and serves in the background.
func (s *Service) Start() error {
	return s.listen(anyPort)
}

// URL is the base URL, prefix included, once the service was started.
func (s *Service) URL() string {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.server.addr == "" {
		return ""
	}
	return "http://" + s.server.addr + prefix
}

// Down takes the service off the network: connections break and new ones are
// refused, until Up. What was being carried out is still carried out.
func (s *Service) Down() {
	s.server.mu.Lock()
	serving, listener := s.server.http, s.server.listener
	s.server.http = nil
	s.server.mu.Unlock()
	if serving != nil {
		_ = listener.Close() // a server that has hardly begun does not know it yet
		_ = serving.Close()
		s.wake()
	}
}

// Running tells whether the service is on the network.
func (s *Service) Running() bool {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	return s.server.http != nil
}

// Up listens again on the port the service had before Down.
func (s *Service) Up() error {
	s.server.mu.Lock()
	addr := s.server.addr
	s.server.mu.Unlock()
	defer s.wake()
	return s.listen(or(addr, anyPort))
}

// Close stops serving, releases requests that hang and ends the editor's work.
// It returns when nothing is carried out any more.
func (s *Service) Close() {
	s.mu.Lock()
	s.closed = true
	for _, o := range s.orders {
		o.forgetTimer()
	}
	s.mu.Unlock()
	s.stop()
	s.Down()
	s.server.done.Wait()
	s.busy.Wait()
	s.client.CloseIdleConnections()
}

func (s *Service) listen(addr string) error {
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	if s.ctx.Err() != nil {
		return fmt.Errorf("photo service: %w", http.ErrServerClosed)
	}
	if s.server.http != nil {
		return nil
	}
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return fmt.Errorf("photo service: %w", err)
	}
	s.server.addr, s.server.listener = listener.Addr().String(), listener
	s.server.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	serving := s.server.http
	s.server.done.Go(func() { _ = serving.Serve(listener) })
	return nil
}

// begin counts a piece of work that Close waits for; false: closed already.
func (s *Service) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.busy.Add(1)
	return true
}
