// Command bench measures the real binary, beside others in one run, and writes what it found
// into docs/benchmarks.md: ratios first, with the machine named.
//
//	go run ./sandbox/bench                 # everything, some twelve minutes
//	go run ./sandbox/bench -run door,poll  # some parts; the figures of the others stay
//	go run ./sandbox/bench -run none       # the tables anew, from the figures that are kept
//
// It is a program and not a test: nothing of it passes or fails, it wants cores of its own, and
// what it finds is written down. It needs Linux (taskset, /proc), redis-server, and for the door
// node and npm. Everything it starts is on free ports of 127.0.0.1 and ends with it.
//
// What is measured has the first core for itself. Redis, the generator and the pretended outsides
// have the others.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// options are what the command line says.
type options struct {
	run     string  // the parts, comma separated
	rounds  int     // alternating, of the door
	seconds float64 // of one measurement in a round
	docs    string  // the folder of benchmarks.md
	dir     string  // where everything is built and kept; set: this is the pinned process
	most    int     // active orders of the largest poll

	workspaces string // of the crowds, comma separated
	orders     string // of each workspace, of the part polls, comma separated
}

// parts are what can be run, in this order.
var parts = []struct {
	name    string
	measure func(*bench) error
}{
	{"door", (*bench).door},
	{"open", (*bench).open},
	{"start", (*bench).starts},
	{"poll", (*bench).poll},
	{"delivery", (*bench).delivery},
	{"crowd", (*bench).crowds},
	{"polls", (*bench).polls},
}

func main() {
	log.SetFlags(log.Ltime)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	var o options
	flag.StringVar(&o.run, "run", "door,open,start,poll,delivery", "the parts to run")
	flag.IntVar(&o.rounds, "rounds", 5, "alternating rounds of the door")
	flag.Float64Var(&o.seconds, "seconds", 2.5, "length of one measurement in a round")
	flag.StringVar(&o.docs, "docs", "docs", "folder of benchmarks.md and benchmarks.json")
	flag.StringVar(&o.dir, "dir", "", "used by the program itself")
	flag.IntVar(&o.most, "most", 100_000, "active orders of the largest poll")
	flag.StringVar(&o.orders, "orders", "0,10,100", "active orders of each workspace, of the part polls")
	flag.StringVar(&o.workspaces, "workspaces", "10,100,1000,10000", "sizes of the crowds; the figures of others stay")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if o.dir == "" && o.run != "none" {
		return prepare(ctx, o)
	}
	return measure(ctx, o)
}

// wants says whether a part is to be run.
func (o options) wants(part string) bool { return slices.Contains(strings.Split(o.run, ","), part) }

// prepare builds what is measured, and runs this program again on the cores that are left to it.
func prepare(ctx context.Context, o options) error {
	dir, err := os.MkdirTemp("", "darkroom-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	log.Print("building the production binary")
	if err := command(ctx, "env", "CGO_ENABLED=0", "go", "build", "-tags", "production", "-ldflags", "-s -w", "-o", filepath.Join(dir, "darkroom"), "darkroom/cmd/darkroom"); err != nil {
		return err
	}
	if err := command(ctx, "go", "build", "-o", filepath.Join(dir, "floor"), "darkroom/sandbox/bench/floor"); err != nil {
		return err
	}
	if o.wants("door") || o.wants("start") {
		if err := installBolt(ctx); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	args := append([]string{"-c", machineCores().harness, self, "-dir", dir}, os.Args[1:]...)
	again := exec.CommandContext(ctx, "taskset", args...)
	again.Stdout, again.Stderr = os.Stdout, os.Stderr
	again.Cancel = func() error { return again.Process.Signal(syscall.SIGTERM) }
	again.WaitDelay = 30 * time.Second
	return again.Run()
}

// command runs a command to its end; its words are in the error.
func command(ctx context.Context, name string, args ...string) error {
	out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// bench is one run.
type bench struct {
	ctx     context.Context
	o       options
	cores   cores
	results *results
	running []*process // to be killed at the end
	serial  int        // of folders

	save func() error // writes the results so far
}

// measure runs the parts and writes what they found after each of them.
func measure(ctx context.Context, o options) error {
	kept, err := readResults(o.docs)
	if err != nil {
		return err
	}
	b := &bench{ctx: ctx, o: o, cores: machineCores(), results: kept}
	b.save = func() error { return b.results.write(o.docs) }
	defer b.killAll()
	if o.run == "none" {
		return b.results.write(o.docs)
	}
	began := time.Now()
	for _, part := range parts {
		if !o.wants(part.name) {
			continue
		}
		log.Printf("== %s", part.name)
		if err := part.measure(b); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
		b.killAll()
		b.results.Machine = describeMachine(ctx, b.cores)
		b.results.Measured[part.name] = time.Now().UTC().Format("2006-01-02 15:04 UTC")
		if err := b.results.write(o.docs); err != nil {
			return err
		}
	}
	log.Printf("done in %s", time.Since(began).Round(time.Second))
	return nil
}

// folder makes a new one for one server.
func (b *bench) folder(name string) (string, error) {
	b.serial++
	dir := filepath.Join(b.o.dir, fmt.Sprintf("%03d-%s", b.serial, name))
	return dir, os.Mkdir(dir, 0o755)
}

// pause waits for d, or returns why the run ends.
func (b *bench) pause(d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-b.ctx.Done():
		return context.Cause(b.ctx)
	}
}

// until looks every now and then until something holds, at most for so long.
func (b *bench) until(what string, patience, every time.Duration, holds func() bool) error {
	deadline := time.Now().Add(patience)
	for !holds() {
		if time.Now().After(deadline) {
			return errors.New(what + ": not within " + patience.String())
		}
		if err := b.pause(every); err != nil {
			return err
		}
	}
	return nil
}
