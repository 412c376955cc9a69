package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// benchmark is what the runs of one said, by unit.
type benchmark map[string][]float64

// benchmarks are those of all packages, by [name].
type benchmarks map[name]benchmark

// name is what a benchmark is called, where.
type name struct{ pkg, of string }

func (n name) String() string { return n.pkg + ": Benchmark" + n.of }

// The units of what is guarded, and of what is written in place of a figure that varies.
const (
	allocs = "allocs/op"
	space  = "B/op"
	least  = "least-"
	most   = "most-"
)

// guarded tells whether there is a figure to hold a benchmark to.
func (b benchmark) guarded() bool { return len(b[allocs]) > 0 || len(b[space]) > 0 }

// read reads results in the format of Go's benchmarks. A line that begins like one and is none, as
// when something was logged in the middle of it, is an error: that benchmark would be unguarded.
func read(r io.Reader, file string) (benchmarks, error) {
	found := benchmarks{}
	var all []error
	lines := benchfmt.NewReader(r, file)
	for lines.Scan() {
		switch record := lines.Result().(type) {
		case *benchfmt.SyntaxError:
			all = append(all, record)
		case *benchfmt.Result:
			found.add(record)
		}
	}
	return found, errors.Join(append(all, lines.Err())...)
}

func (all benchmarks) add(r *benchfmt.Result) {
	n := name{pkg: r.GetConfig("pkg"), of: string(r.Name.Full())}
	if all[n] == nil {
		all[n] = benchmark{}
	}
	for _, v := range r.Values {
		all[n][v.Unit] = append(all[n][v.Unit], v.Value)
	}
}

// warm leaves the first run of each out.
func (all benchmarks) warm() {
	for _, b := range all {
		for unit, runs := range b {
			b[unit] = runs[1:]
		}
	}
}

// sorted are the names by package.
func (all benchmarks) sorted() []name {
	return slices.SortedFunc(maps.Keys(all), func(a, b name) int { return strings.Compare(a.String(), b.String()) })
}

// settled is the file of what is accepted: medians, and the least and the most of what varied.
func settled(all benchmarks) []byte {
	var text bytes.Buffer
	fmt.Fprintln(&text, "# What each benchmark allocates, as it was accepted: the medians of", acceptRuns, "runs.")
	fmt.Fprintln(&text, "# A figure that varied by more than a tenth is not guarded: its least and its most stand in its place.")
	fmt.Fprintln(&text, "# Written by make bench-allocs-accept, checked by make bench-allocs.")
	pkg := ""
	for _, n := range all.sorted() {
		if n.pkg != pkg {
			pkg = n.pkg
			fmt.Fprintf(&text, "\npkg: %s\n", pkg)
		}
		runs := all[n]
		fmt.Fprintf(&text, "Benchmark%s %d%s%s\n", n.of, len(runs[allocs]), figure(space, runs[space]), figure(allocs, runs[allocs]))
	}
	return text.Bytes()
}

// figure is the median of some runs, or their least and their most.
func figure(unit string, runs []float64) string {
	if len(runs) == 0 {
		return ""
	}
	slices.Sort(runs)
	low, high := runs[0], runs[len(runs)-1]
	if high-low > max(low/10, slack[unit]) {
		return fmt.Sprintf("\t%.0f %s%s\t%.0f %s%s", low, least, unit, high, most, unit)
	}
	return fmt.Sprintf("\t%.0f %s", runs[len(runs)/2], unit)
}
