package chaos

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// redisServer is a real redis-server with an append-only file, which can be killed, frozen
// and started again.
//
// It syncs its file always: with "everysec" Redis answers up to two seconds before it
// writes when the disk is busy, and a killed Redis then forgets what it has confirmed.
type redisServer struct {
	dir  string
	port int
	rdb  *redis.Client // the harness's own eyes

	mu  sync.Mutex // one thing is done to it at a time
	cmd *exec.Cmd
	log *os.File

	ended chan struct{} // closed when the process has ended
}

// tempDir is a folder in memory where there is one: a chaos suite is no test of the disk.
func tempDir() (string, error) {
	if dir, err := os.MkdirTemp("/dev/shm", "darkroom-chaos"); err == nil {
		return dir, nil
	}
	return os.MkdirTemp("", "darkroom-chaos")
}

// startRedis starts one on a free port. Another program may be given the same one a moment before, so a few
// are tried.
func startRedis(ctx context.Context, dir string) (*redisServer, error) {
	const tries = 3
	for try := 1; ; try++ {
		r, err := startAnywhere(ctx, dir)
		if !errors.Is(err, errEnded) || try == tries {
			return r, err
		}
	}
}

func startAnywhere(ctx context.Context, dir string) (*redisServer, error) {
	addr, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	r := &redisServer{dir: dir}
	if r.port, err = strconv.Atoi(port); err != nil {
		return nil, err
	}
	if r.log, err = os.Create(filepath.Join(dir, "redis.log")); err != nil {
		return nil, err
	}
	r.rdb = redis.NewClient(&redis.Options{Addr: addr, ContextTimeoutEnabled: true, DialTimeout: time.Second, MaxRetries: -1})
	return r, r.start(ctx)
}

var errEnded = errors.New("redis-server ended at once: redis.log says why")

func (r *redisServer) url() string { return "redis://127.0.0.1:" + strconv.Itoa(r.port) + "/0" }

// start runs it and waits until it answers; the mutex is held, or nobody else knows it.
func (r *redisServer) start(ctx context.Context) error {
	r.cmd = exec.Command("redis-server", "--port", strconv.Itoa(r.port), "--bind", "127.0.0.1", "--dir", r.dir, //nolint:noctx // killed by name
		"--save", "", "--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction", "--daemonize", "no")
	r.cmd.Stdout, r.cmd.Stderr = r.log, r.log
	if err := r.cmd.Start(); err != nil {
		return fmt.Errorf("redis-server: %w", err)
	}
	ended := make(chan struct{})
	r.ended = ended
	go func() { _ = r.cmd.Wait(); close(ended) }()
	answers := false
	_ = poll(ctx, 30*time.Second, 10*time.Millisecond, func() bool {
		answers = r.rdb.Ping(ctx).Err() == nil
		return answers || r.over()
	})
	switch {
	case r.over():
		return errEnded // what answers is another
	case !answers:
		return errors.New("redis-server does not answer")
	}
	return nil
}

// over says that the process has ended.
func (r *redisServer) over() bool {
	select {
	case <-r.ended:
		return true
	default:
		return false
	}
}

// kill is kill -9.
func (r *redisServer) kill() {
	_ = r.cmd.Process.Kill()
	<-r.ended
}

// bounce kills Redis, leaves it down for a while, does something to its files, and starts
// it again.
func (r *redisServer) bounce(ctx context.Context, down time.Duration, meanwhile func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kill()
	pause(ctx, down)
	if meanwhile != nil {
		if err := meanwhile(); err != nil {
			return err
		}
	}
	return r.start(context.WithoutCancel(ctx))
}

// freeze stops Redis where it stands, for a while: connections stay, nothing answers.
func (r *redisServer) freeze(ctx context.Context, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.cmd.Process.Signal(syscall.SIGSTOP)
	pause(ctx, d)
	_ = r.cmd.Process.Signal(syscall.SIGCONT)
}

// tail is the append-only file that is being written.
func (r *redisServer) tail() (string, error) {
	found, err := filepath.Glob(filepath.Join(r.dir, "appendonlydir", "*.incr.aof"))
	if err != nil || len(found) == 0 {
		return "", errors.Join(err, errors.New("redis has no append-only file"))
	}
	newest := found[0]
	for _, f := range found {
		if len(f) > len(newest) || len(f) == len(newest) && f > newest {
			newest = f
		}
	}
	return newest, nil
}

// size is how long that file is.
func (r *redisServer) size() (int64, error) {
	file, err := r.tail()
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// cut shortens that file; only while Redis is down.
func (r *redisServer) cut(to int64) error {
	file, err := r.tail()
	if err != nil {
		return err
	}
	return os.Truncate(file, to)
}

func (r *redisServer) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.rdb.Close()
	_ = r.cmd.Process.Signal(syscall.SIGCONT)
	r.kill()
	_ = r.log.Close()
}

// freeAddress is where nobody listens.
func freeAddress(ctx context.Context) (string, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// pause waits for d or the end of ctx.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// poll looks every now and then until something holds, at most for so long.
func poll(ctx context.Context, patience, every time.Duration, holds func() bool) bool {
	deadline := time.Now().Add(patience)
	for !holds() {
		if ctx.Err() != nil || time.Now().After(deadline) {
			return false
		}
		pause(ctx, every)
	}
	return true
}
