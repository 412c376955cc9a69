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

// Server is a redis-server that a test can freeze, kill and start again: it keeps its
// port and its append-only file.
type Server struct {
	tb   testing.TB
	port int
	dir  string
	cmd  *exec.Cmd
}

// starts bounds the tries to get a port that nobody else takes meanwhile.
const starts = 5

// Start runs a redis-server until the test ends. Without one on PATH the test is skipped,
// or fails when DARKROOM_TEST_REQUIRE_REDIS=1 requires it.
func Start(tb testing.TB) *Server {
	tb.Helper()
	if !found(tb) {
		tb.Skip("no redis-server on PATH")
	}
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

// URL is where it is, also while it is not there.
func (s *Server) URL() string { return fmt.Sprintf("redis://127.0.0.1:%d", s.port) }

// Freeze stops the process where it is: connections stay, nobody answers, and what is
// sent meanwhile is read when it thaws.
func (s *Server) Freeze() { s.signal(syscall.SIGSTOP) }

// Thaw ends Freeze.
func (s *Server) Thaw() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	s.tb.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.tb.Fatalf("redis-server: %v", err)
	}
}

// Kill ends it as kill -9 does; a second time does nothing.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	s.cmd = nil
}

// Restart starts it again with what its file has.
func (s *Server) Restart() {
	s.tb.Helper()
	s.Kill()
	if err := s.serve(); err != nil {
		s.tb.Fatal(err)
	}
}

// Client is a client of it.
func (s *Server) Client() *redis.Client {
	s.tb.Helper()
	return single(s.tb, s.URL())
}

// serve runs the process and returns when it accepts connections. Its file outlives the
// process without being flushed, and dozens of servers flushing at once would wait for
// one disk.
func (s *Server) serve() error { return s.serveWith("yes") }

// serveWith is serve, with an append-only file or without.
func (s *Server) serveWith(appendonly string) error {
	s.cmd = exec.CommandContext(context.Background(), Program(), //nolint:gosec // the program that whoever tests names
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
