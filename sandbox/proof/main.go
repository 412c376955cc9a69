// Proof runs go test and says what was proved: a line for each package, the output of what failed, what was left out and
// why, and one line at the end.
//
//	go run ./sandbox/proof -p 4 ./...   # the arguments are those of go test
//
// It exits as go test does. It imports nothing but the standard library, so that it starts at once on a new machine.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	proved, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
	}
	if err != nil || !proved {
		os.Exit(1)
	}
}

// run runs go test with the arguments and writes what it proves as it goes. False means that a test failed.
func run(ctx context.Context, args []string, out, problems io.Writer) (bool, error) {
	start := time.Now()
	uses(ctx, out)
	cmd := exec.CommandContext(ctx, "go", append([]string{"test", "-json"}, args...)...) //nolint:gosec // the arguments are the developer's own
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	cmd.Stderr = problems
	events, err := cmd.StdoutPipe()
	if err != nil {
		return false, err
	}
	if err := cmd.Start(); err != nil {
		return false, err
	}
	t := newTally(out)
	err = t.read(events)
	if err != nil {
		_, _ = io.Copy(io.Discard, events)
	}
	failed := cmd.Wait()
	t.summary(time.Since(start))
	if err != nil {
		return false, err
	}
	if failed != nil && t.proved() { // go test failed before any test did
		return false, fmt.Errorf("go test: %w", failed)
	}
	return failed == nil && t.proved(), nil
}

// uses says what the tests find on this machine. Each test chooses for itself; this only tells people.
func uses(ctx context.Context, out io.Writer) {
	fmt.Fprintf(out, "Go:         %s, %d processors\n", runtime.Version(), runtime.GOMAXPROCS(0))
	for _, u := range []struct{ what, without string }{
		{"Redis", "embedded: no redis-server on PATH"},
		{"Browser", "none: no chromium on PATH, no story is played in a browser"},
		{"Prometheus", "none: no promtool on PATH, the alert rules are not loaded"},
	} {
		fmt.Fprintf(out, "%-11s %s\n", u.what+":", found(ctx, u.what, u.without))
	}
}

// programs are the names that each is looked for by, as the tests do.
var programs = map[string][]string{
	"Redis":      {"redis-server"},
	"Browser":    {"chromium", "chromium-browser", "google-chrome"},
	"Prometheus": {"promtool"},
}

// found is the version of a program, or what tests do without it.
func found(ctx context.Context, what, without string) string {
	for _, name := range programs[what] {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		version, err := exec.CommandContext(ctx, path, "--version").Output() //nolint:gosec // one of three names
		if err != nil {
			return path
		}
		first, _, _ := strings.Cut(string(version), "\n")
		return strings.TrimSpace(first)
	}
	return without
}
