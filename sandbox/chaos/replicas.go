package chaos

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"darkroom/sandbox/shipped"
)

// replica is one place at which `darkroom serve` runs; whoever dies there is started
// again at once.
type replica struct {
	name    string // as the conductor knows it
	addr    string
	environ []string
	points  string // where its failpoints are told, but for the binary; "" is nowhere
	log     *os.File

	mu       sync.Mutex
	binary   string // that it runs from its next start on
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

// buildTags are those of a binary for production, with failpoints.
const buildTags = "production,failpoint"

// Build builds the real binary into a folder. More flags of go build may be given, such as [shipped.Race].
func Build(dir string, more ...string) (string, error) {
	binary := filepath.Join(dir, "darkroom")
	return binary, shipped.Build(context.Background(), "", binary, buildTags, more...)
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
		one.environ, one.points = append([]string{"LISTEN_ADDR=" + addr, "ADMIN_ADDR=127.0.0.1:0"}, environ...), "DARKROOM_FAILPOINTS="+conductor+one.name+"/"
		if conductor == "" {
			one.points = ""
		}
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
	r.mu.Lock()
	if ctx.Err() != nil {
		r.mu.Unlock()
		return ctx.Err()
	}
	cmd := exec.Command(r.binary, "serve") //nolint:noctx // killed by kill
	cmd.Env = slices.Clone(r.environ)
	if r.points != "" {
		cmd.Env = append(cmd.Env, r.points+filepath.Base(r.binary))
	}
	cmd.Stderr, cmd.Stdout = r.log, io.Discard
	err := cmd.Start()
	r.cmd = cmd
	r.mu.Unlock()
	if err != nil {
		return err
	}
	r.starts.Add(1)
	return cmd.Wait()
}

// runs is the binary that it runs, or is about to.
func (r *replica) runs() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.binary
}

// as has it run that binary from its next start on.
func (r *replica) as(binary string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.binary = binary
}

// with has it run with that variable from its next start on.
func (r *replica) with(name, value string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.environ = append(slices.DeleteFunc(slices.Clone(r.environ), func(line string) bool { return strings.HasPrefix(line, name+"=") }), name+"="+value)
}

// serves tells whether it says that it is ready.
func (r *replica) serves(ctx context.Context) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.addr+"/readyz", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	return resp.Body.Close() == nil && resp.StatusCode == http.StatusOK
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
