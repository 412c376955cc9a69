//go:build !production

package demo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"

	"darkroom/sandbox/embedded"
)

// ownRedis is the demo's own Redis.
type ownRedis interface {
	URL() string
	Close()
}

// startRedis starts the embedded Redis, or a redis-server.
func (d demo) startRedis(ctx context.Context) (ownRedis, error) {
	if d.redis {
		return startRedisServer(ctx)
	}
	m, err := embedded.Start(embedded.Step)
	return embeddedRedis{m}, err
}

// embeddedRedis is the embedded Redis. It saves nothing to disk, and supports only some of INFO.
type embeddedRedis struct{ *miniredis.Miniredis }

func (e embeddedRedis) URL() string { return "redis://" + e.Addr() }

// redisStart is how long a redis-server may take to start.
const redisStart = 10 * time.Second

// redisServer is a redis-server with recommended settings, in its own folder.
type redisServer struct {
	folder string
	cmd    *exec.Cmd
}

// startRedisServer starts the redis-server on PATH. It listens only at a socket in its folder.
func startRedisServer(ctx context.Context) (*redisServer, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		return nil, errors.New("--redis-server: there is no redis-server on PATH; install it, or leave the flag out for the embedded Redis")
	}
	folder, err := os.MkdirTemp("", "darkroom-demo-")
	if err != nil {
		return nil, err
	}
	s := &redisServer{folder: folder}
	s.cmd = exec.CommandContext(context.WithoutCancel(ctx), path, "--port", "0", "--unixsocket", s.socket(), "--dir", folder, //nolint:gosec // the redis-server on PATH
		"--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction", "--save", "", "--daemonize", "no")
	ownGroup(s.cmd)
	out, err := s.cmd.StdoutPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err == nil {
		err = listening(out)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("--redis-server: %w", err)
	}
	return s, nil
}

func (s *redisServer) socket() string { return filepath.Join(s.folder, "redis.sock") }

// URL returns its address.
func (s *redisServer) URL() string { return "unix://" + s.socket() }

// Close kills it and removes its data.
func (s *redisServer) Close() {
	if s.cmd.Process != nil {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
	}
	_ = os.RemoveAll(s.folder)
}

// listening reads a redis-server's log until it listens. It reads on, so that the server never blocks.
func listening(out io.Reader) error {
	result := make(chan error, 1)
	go func() {
		defer func() { _, _ = io.Copy(io.Discard, out) }()
		last := ""
		for lines := bufio.NewScanner(out); lines.Scan(); last = lines.Text() {
			if text := strings.ToLower(lines.Text()); strings.Contains(text, "ready to accept connections") {
				result <- nil
				return
			}
		}
		result <- errors.New("it did not start: " + last)
	}()
	select {
	case err := <-result:
		return err
	case <-time.After(redisStart):
		return errors.New("it did not start in time")
	}
}
