package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// replica is one place at which `darkroom serve` runs; whoever dies there is started
// again at once.
type replica struct {
	name    string // as the conductor knows it
	addr    string
	binary  string
	environ []string
	log     *os.File

	mu       sync.Mutex
	cmd      *exec.Cmd
	starts   atomic.Int32
	stopping atomic.Bool // it was told to stop, and should go in peace
	unclean  atomic.Int32
}

// replicas are all of them.
type replicas struct {
	all  []*replica
	stop context.CancelFunc
	done sync.WaitGroup
}

// Build builds the real binary into a folder: as for production, with failpoints.
func Build(dir string) (string, error) {
	binary := filepath.Join(dir, "darkroom")
	build := exec.Command("go", "build", "-tags", "production,failpoint", "-o", binary, "darkroom/cmd/darkroom") //nolint:noctx // it ends by itself
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w", out, err)
	}
	return binary, nil
}

func startReplicas(ctx context.Context, n int, dir, binary, conductor string, environ []string) (*replicas, error) {
	ctx, stop := context.WithCancel(ctx)
	r := &replicas{stop: stop}
	for i := range n {
		addr, err := freeAddress(ctx)
		if err != nil {
			stop()
			return nil, err
		}
		log, err := os.Create(filepath.Join(dir, "replica-"+strconv.Itoa(i)+".log"))
		if err != nil {
			stop()
			return nil, err
		}
		one := &replica{name: strconv.Itoa(i), addr: addr, binary: binary, log: log}
		one.environ = append([]string{"LISTEN_ADDR=" + addr, "ADMIN_ADDR=127.0.0.1:0", "DARKROOM_FAILPOINTS=" + conductor + one.name}, environ...)
		r.all = append(r.all, one)
		r.done.Go(func() { one.live(ctx) })
	}
	return r, nil
}

// close kills them all.
func (r *replicas) close() {
	r.stop()
	for _, one := range r.all {
		one.kill()
	}
	r.done.Wait()
	for _, one := range r.all {
		_ = one.log.Close()
	}
}

// live runs the app again and again.
func (r *replica) live(ctx context.Context) {
	for ctx.Err() == nil {
		began := time.Now()
		err := r.run(ctx)
		if r.stopping.Swap(false) && err != nil && !killed(err) && ctx.Err() == nil {
			r.unclean.Add(1)
			_, _ = fmt.Fprintln(r.log, "chaos: did not stop cleanly:", err)
		}
		if time.Since(began) < time.Second { // Redis may be down: do not spin
			pause(ctx, 100*time.Millisecond)
		}
	}
}

func (r *replica) run(ctx context.Context) error {
	cmd := exec.Command(r.binary, "serve") //nolint:noctx // killed by kill
	cmd.Env, cmd.Stderr, cmd.Stdout = r.environ, r.log, io.Discard
	r.mu.Lock()
	if ctx.Err() != nil {
		r.mu.Unlock()
		return ctx.Err()
	}
	err := cmd.Start()
	r.cmd = cmd
	r.mu.Unlock()
	if err != nil {
		return err
	}
	r.starts.Add(1)
	return cmd.Wait()
}

// killed tells whether it ended by kill -9.
func killed(err error) bool {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return false
	}
	status, ok := exit.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// kill is kill -9.
func (r *replica) kill() { r.signal(syscall.SIGKILL) }

// stall stops a replica where it stands for longer than its lease: it comes back to lanes
// that others have taken over.
func (r *replica) stall(d time.Duration) {
	r.signal(syscall.SIGSTOP)
	time.AfterFunc(d, func() { r.signal(syscall.SIGCONT) })
}

// retire is a rolling restart's SIGTERM.
func (r *replica) retire() {
	r.stopping.Store(true)
	r.signal(syscall.SIGTERM)
}

func (r *replica) signal(sig syscall.Signal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cmd != nil && r.cmd.Process != nil {
		if err := r.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
			_, _ = fmt.Fprintln(r.log, "chaos:", err)
		}
	}
}
