// Command allocs runs Go benchmarks and fails when one allocates half as much again as it did when its
// figures were last accepted. Allocations are stable where times are not: what a busy machine cannot
// tell about speed, it can tell about these.
//
// What was accepted is a file in the benchmarks' own format, so that benchstat reads it as well.
// With -accept the benchmarks run ten times and the file is written anew.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
)

// acceptRuns are as many as it takes to see what varies.
const acceptRuns = 10

func main() {
	file := flag.String("baseline", "docs/benchmarks/allocations.txt", "what was accepted")
	accept := flag.Bool("accept", false, "write what is measured as accepted")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *file, *accept, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "allocs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, file string, accept bool, packages []string) error {
	if accept {
		found, err := measure(ctx, packages, acceptRuns)
		if err != nil {
			return err
		}
		return os.WriteFile(file, settled(found), 0o644)
	}
	text, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = text.Close() }()
	accepted, err := read(text, file)
	if err != nil {
		return err
	}
	found, err := measure(ctx, packages, 1)
	if err != nil {
		return err
	}
	return judge(os.Stdout, accepted, found)
}

// measure runs all benchmarks of some packages so many times, and once before: the first run finds
// everything cold. Twenty iterations are enough for what is counted; one CPU leaves less to chance, and
// names without its number; -short is for a benchmark whose preparations take long.
func measure(ctx context.Context, packages []string, runs int) (benchmarks, error) {
	args := append([]string{"test", "-run", "^$", "-bench", ".", "-benchmem", "-benchtime", "20x", "-cpu", "1", "-short", "-count", strconv.Itoa(1 + runs)}, packages...)
	test := exec.CommandContext(ctx, "go", args...)
	test.Stderr = os.Stderr
	out, err := test.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := test.Start(); err != nil {
		return nil, err
	}
	found, problem := read(io.TeeReader(out, os.Stdout), "go test")
	_, _ = io.Copy(io.Discard, out) // whatever is left, so that it can end
	if err := test.Wait(); err != nil {
		return nil, fmt.Errorf("go test: %w", err)
	}
	found.warm()
	return found, problem
}

// judge says what differs from what was accepted, and fails when that must not be.
func judge(w io.Writer, accepted, found benchmarks) error {
	wrong, lower := compare(accepted, found)
	guarded := 0
	for _, b := range accepted {
		if b.guarded() {
			guarded++
		}
	}
	fmt.Fprintf(w, "\nallocations: %d benchmarks, %d of them guarded\n", len(found), guarded)
	for _, line := range lower {
		fmt.Fprintln(w, "  less:", line)
	}
	for _, line := range wrong {
		fmt.Fprintln(w, "  wrong:", line)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%d of the benchmarks are not as they were accepted; when that is meant: make bench-allocs-accept, and commit what it writes", len(wrong))
	}
	return nil
}
