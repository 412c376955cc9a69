// Proof runs go test and says what was proved: a line for each package, the output of what failed, what was left out and
// why, and one line at the end.
//
//	go run ./sandbox/proof -p=4 ./...                          # the arguments are those of go test
//	go run ./sandbox/proof -count=1 ./a -- ./b ./c             # ./b and ./c beside ./a, unless they passed before
//
// The packages after -- run at the same time with the same flags, but for -count=1: those that have not changed since they
// passed are told from Go's cache. They give way to the ones before, in which people wait in real time.
// It exits as go test does. It imports nothing but the standard library, so that it starts at once on a new machine.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"slices"
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
	t := newTally(out)
	commands := commandsOf(args)
	ended := make(chan error, len(commands))
	for _, argv := range commands {
		go func() { ended <- test(ctx, argv, t, problems) }()
	}
	var failed []error
	for range commands {
		failed = append(failed, <-ended)
	}
	t.summary(time.Since(start))
	return t.proved(), errors.Join(failed...)
}

// commandsOf are the commands for these arguments: one, or with -- two. The second has a lower priority.
func commandsOf(args []string) [][]string {
	before, after, two := args, []string(nil), slices.Index(args, "--")
	if two >= 0 {
		before, after = args[:two], args[two+1:]
	}
	all := [][]string{slices.Concat([]string{"go", "test", "-json"}, before)}
	if len(after) == 0 {
		return all
	}
	beside := []string{"go", "test", "-json"}
	if nice, err := exec.LookPath("nice"); err == nil {
		beside = slices.Concat([]string{nice, "-n", "10"}, beside)
	}
	for _, flag := range before {
		if strings.HasPrefix(flag, "-") && flag != "-count=1" {
			beside = append(beside, flag)
		}
	}
	return append(all, slices.Concat(beside, after))
}

// test runs one go test and has the tally count its events.
func test(ctx context.Context, argv []string, t *tally, problems io.Writer) error {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...) //nolint:gosec // the arguments are the developer's own
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	cmd.Stderr = problems
	events, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = t.read(events)
	if err != nil {
		_, _ = io.Copy(io.Discard, events)
	}
	failed := cmd.Wait()
	if err == nil && failed != nil && t.proved() { // go test failed before any test did
		return fmt.Errorf("go test: %w", failed)
	}
	return err
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
