package storetest

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Server is a redis-server that a test can freeze, kill and restart. It keeps its
// port and its append-only file.
type Server struct {
	tb   testing.TB
	port int
	dir  string
	cmd  *exec.Cmd
}

// starts bounds the tries to get a port: another process may take it first.
const starts = 5

// Start runs a redis-server until the test ends. Without one on PATH the test is skipped,
// or fails when DARKROOM_TEST_REQUIRE_REDIS=1 requires it.
func Start(tb testing.TB) *Server {
	tb.Helper()
	Need(tb)
	s := &Server{tb: tb, dir: tb.TempDir()}
	tb.Cleanup(s.Kill)
	var problem error
	for range starts {
		var err error
		if s.port, err = freePort(tb); err != nil {
			tb.Fatal(err)
		}
		if problem = s.serve(); problem == nil {
			tb.Logf("redis: %s on port %d", Real, s.port)
			return s
		}
	}
	tb.Fatal(problem)
	return nil
}

// URL returns the server's address, also while it does not run.
func (s *Server) URL() string { return fmt.Sprintf("redis://127.0.0.1:%d", s.port) }

// Freeze suspends the process: connections stay open, and the server reads what was
// sent meanwhile when it thaws.
func (s *Server) Freeze() { s.signal(syscall.SIGSTOP) }

// Thaw ends Freeze.
func (s *Server) Thaw() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	s.tb.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.tb.Fatalf("redis-server: %v", err)
	}
}

// Kill kills the process as kill -9 does; a second call does nothing.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	s.cmd = nil
}

// Restart starts the server again with the data of its file.
func (s *Server) Restart() {
	s.tb.Helper()
	s.Kill()
	s.try(s.serve())
}

// Client returns a client of the server.
func (s *Server) Client() *redis.Client {
	s.tb.Helper()
	return single(s.tb, s.URL())
}

// serve runs the process and returns when it accepts connections. Its file survives a
// kill without being flushed; dozens of servers flushing at once would wait for one disk.
func (s *Server) serve() error { return s.serveWith("yes") }

// serveWith is serve, with an append-only file or without.
func (s *Server) serveWith(appendonly string) error {
	s.cmd = exec.CommandContext(context.Background(), Program(), //nolint:gosec // the tester names the program
		"--bind", "127.0.0.1", "--port", strconv.Itoa(s.port), "--dir", s.dir,
		"--appendonly", appendonly, "--appendfsync", "no", "--save", "", "--daemonize", "no")
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		s.cmd = nil
		return err
	}
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return err
	}
	if err := ready(out); err != nil {
		s.Kill()
		return err
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return nil
}
