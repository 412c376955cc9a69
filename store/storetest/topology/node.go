package topology

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	host = "127.0.0.1"
	// busOffset is the distance of a node's cluster port from its client port. Versions before 7
	// cannot change it.
	busOffset = 10_000
	// starts bounds the tries to get a port: another process may take it first.
	starts = 5
	// answerTime bounds the time until a server answers.
	answerTime = 20 * time.Second
)

// Node is one process of Redis.
type Node struct {
	Addr    string
	Dir     string // has redis.log and the data
	program []string

	mu    sync.Mutex
	cmd   *exec.Cmd     // nil: not running
	ended chan struct{} // closed when cmd has ended
	said  int64         // the log's length before cmd
}

var errEnded = errors.New("ended at once")

// start runs a server on a free port, with these lines of configuration and those of every node.
func start(ctx context.Context, program, dir string, settings []string, args ...string) (*Node, error) {
	for try := 1; ; try++ {
		port, err := freePort(ctx)
		if err != nil {
			return nil, err
		}
		n := &Node{Addr: net.JoinHostPort(host, strconv.Itoa(port)), Dir: dir}
		n.program = append([]string{cmp.Or(program, "redis-server"), filepath.Join(dir, "redis.conf")}, args...)
		own := []string{"bind " + host, "port " + strconv.Itoa(port), "dir " + dir, "daemonize no", "protected-mode no"}
		if err := write(n.program[1], append(own, settings...)); err != nil {
			return nil, err
		}
		if err = n.run(ctx); err == nil {
			return n, nil
		}
		n.Kill()
		if !errors.Is(err, errEnded) || try == starts {
			return nil, err
		}
	}
}

func (n *Node) port() string {
	_, port, _ := net.SplitHostPort(n.Addr)
	return port
}

// Client returns a client of this node, which the caller closes.
func (n *Node) Client() *redis.Client { return newClient(n.Addr) }

// Restart starts the node, after stopping it, and returns when it answers, even with an error such as LOADING. It
// waits for a port that another process holds: that may be a short connection.
func (n *Node) Restart(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var err error
	held := until(ctx, n.Addr+" is held by somebody else", func() bool {
		err = n.run(ctx)
		return !errors.Is(err, errEnded) || !strings.Contains(err.Error(), "Address already in use")
	})
	return errors.Join(held, err)
}

// run is Restart without waiting for the port.
func (n *Node) run(ctx context.Context) error {
	n.Kill()
	n.mu.Lock()
	defer n.mu.Unlock()
	log, err := os.OpenFile(filepath.Join(n.Dir, "redis.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if n.said, err = log.Seek(0, io.SeekEnd); err != nil {
		return errors.Join(err, log.Close())
	}
	cmd := exec.CommandContext(context.Background(), n.program[0], n.program[1:]...) //nolint:gosec // the program that a test names
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = log, log, mortal()
	if err := errors.Join(cmd.Start(), log.Close()); err != nil {
		return err
	}
	n.cmd, n.ended = cmd, make(chan struct{})
	go func(ended chan struct{}) { _ = cmd.Wait(); close(ended) }(n.ended)
	return n.answers(ctx)
}

// answers waits until the node, and not another process at its port, answers; n.mu is held.
func (n *Node) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	rdb := n.Client()
	defer func() { _ = rdb.Close() }()
	over := false
	err := until(ctx, n.Addr+" does not answer", func() bool {
		select {
		case <-n.ended:
			over = true
			return true
		default:
		}
		info, err := rdb.Info(ctx, "server").Result()
		_, answered := errors.AsType[redis.Error](err)
		return answered || err == nil && strings.Contains(info, fmt.Sprintf("process_id:%d\r", n.cmd.Process.Pid))
	})
	if over {
		n.cmd = nil
		return fmt.Errorf("%s: %w: %s", n.program[0], errEnded, n.lastWords())
	}
	return err
}

// lastWords returns the end of its log since it was last started.
func (n *Node) lastWords() string {
	log, err := os.Open(filepath.Join(n.Dir, "redis.log"))
	if err != nil {
		return err.Error()
	}
	defer func() { _ = log.Close() }()
	if info, err := log.Stat(); err == nil {
		_, _ = log.Seek(max(n.said, info.Size()-500), io.SeekStart)
	}
	text, _ := io.ReadAll(log)
	return string(text)
}

// Kill kills the process as kill -9 does; a second call does nothing.
func (n *Node) Kill() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cmd == nil {
		return
	}
	_ = kill(n.cmd.Process)
	<-n.ended
	n.cmd = nil
}

// Freeze suspends the process: connections stay open and get no answer.
func (n *Node) Freeze() { n.signal(syscall.SIGSTOP) }

// Thaw ends Freeze.
func (n *Node) Thaw() { n.signal(syscall.SIGCONT) }

func (n *Node) signal(sig syscall.Signal) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cmd != nil {
		_ = n.cmd.Process.Signal(sig)
	}
}

// Runs reports whether the node was started and not killed.
func (n *Node) Runs() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cmd != nil
}

// freePort returns a free port whose cluster port is free, too.
func freePort(ctx context.Context) (int, error) {
	var listen net.ListenConfig
	for range 100 {
		l, err := listen.Listen(ctx, "tcp", net.JoinHostPort(host, "0"))
		if err != nil {
			return 0, err
		}
		port := l.Addr().(*net.TCPAddr).Port
		bus, err := listen.Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa((port+busOffset)%65536)))
		if err == nil {
			_ = bus.Close()
		}
		_ = l.Close()
		if err == nil && port+busOffset < 65536 {
			return port, nil
		}
	}
	return 0, errors.New("no free port")
}
