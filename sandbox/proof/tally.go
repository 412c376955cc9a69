package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// event is a line of go test -json; see go doc test2json.
type event struct {
	Action     string
	Package    string
	ImportPath string // of a build
	Test       string // "" for a package
	Output     string
	Elapsed    float64 // seconds
}

// mostOutput bounds the bytes that are kept of one test's output, and of one package's.
const mostOutput = 1 << 20

// tally counts what the tests of all packages proved. Several may read into it at the same time.
type tally struct {
	mu       sync.Mutex
	out      io.Writer
	output   map[string]*strings.Builder // by package and test, until it passes
	passed   map[string]int              // tests by package, without their subtests
	leftOut  map[string]int              // tests that were skipped, by the reason
	failed   []string
	packages int
	// unchanged are those of the packages that had passed before, and were not tested again.
	unchanged int
}

func newTally(out io.Writer) *tally {
	return &tally{out: out, output: map[string]*strings.Builder{}, passed: map[string]int{}, leftOut: map[string]int{}}
}

// read counts the events of go test -json until they end.
func (t *tally) read(events io.Reader) error {
	decode := json.NewDecoder(events)
	for {
		var e event
		switch err := decode.Decode(&e); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("go test -json: %w", err)
		}
		t.count(e)
	}
}

func (t *tally) count(e event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := e.Package + e.ImportPath + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		t.keep(key, e.Output)
		return
	case "pass", "skip", "fail", "build-fail":
	default:
		return
	}
	if e.Test == "" {
		t.endPackage(e, t.of(key))
	} else {
		t.endTest(e, t.of(key))
	}
	delete(t.output, key)
}

func (t *tally) keep(key, output string) {
	b := t.output[key]
	if b == nil {
		b = &strings.Builder{}
		t.output[key] = b
	}
	if b.Len() < mostOutput {
		b.WriteString(output)
	}
}

func (t *tally) of(key string) string {
	if b := t.output[key]; b != nil {
		return b.String()
	}
	return ""
}

func (t *tally) endTest(e event, output string) {
	switch e.Action {
	case "pass":
		if !strings.Contains(e.Test, "/") {
			t.passed[e.Package]++
		}
	case "skip":
		t.leftOut[reason(output)]++
	case "fail":
		t.failed = append(t.failed, e.Package+" "+e.Test)
		fmt.Fprintf(t.out, "%s\n", strings.TrimRight(output, "\n"))
	}
}

// endPackage writes a package's line as go test does.
func (t *tally) endPackage(e event, output string) {
	switch e.Action {
	case "pass":
		t.packages++
		took := fmt.Sprintf("%.3fs", e.Elapsed)
		if strings.Contains(output, "\t(cached)\n") {
			took = "unchanged"
			t.unchanged++
		}
		fmt.Fprintf(t.out, "ok  \t%s\t%s\t%d tests\n", e.Package, took, t.passed[e.Package])
	case "fail":
		t.failed = append(t.failed, e.Package)
		fmt.Fprintf(t.out, "%s%s\nFAIL\t%s\t%.3fs\n", t.unfinished(e.Package), strings.TrimRight(output, "\n"), e.Package, e.Elapsed)
	case "build-fail":
		fmt.Fprint(t.out, output)
	}
}

// unfinished is the output of the tests that were running when their package ended.
func (t *tally) unfinished(pkg string) string {
	var all strings.Builder
	for _, key := range slices.Sorted(maps.Keys(t.output)) {
		if strings.HasPrefix(key, pkg+" ") && key != pkg+" " {
			all.WriteString(t.output[key].String())
			delete(t.output, key)
		}
	}
	return all.String()
}

// logged is a line that a test logged: a place in the code, then the words.
var logged = regexp.MustCompile(`^\s+\S+\.go:\d+: (.*)$`)

// reason is the last thing that a skipped test logged.
func reason(output string) string {
	why := "no reason given"
	for line := range strings.Lines(output) {
		if found := logged.FindStringSubmatch(strings.TrimRight(line, "\n")); found != nil {
			why = found[1]
		}
	}
	return why
}

// proved tells whether no test failed.
func (t *tally) proved() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.failed) == 0
}

// stories is the package whose tests are the stories of a person.
const stories = "darkroom/sandbox/stories"

// summary says what was left out, then in one line what was proved.
func (t *tally) summary(took time.Duration) {
	for _, why := range slices.Sorted(maps.Keys(t.leftOut)) {
		fmt.Fprintf(t.out, "left out: %d × %s\n", t.leftOut[why], why)
	}
	tests := 0
	for _, n := range t.passed {
		tests += n
	}
	took = took.Round(time.Second)
	if !t.proved() {
		fmt.Fprintf(t.out, "NOT proved: %s (%d tests passed, in %s)\n", strings.Join(t.failed, ", "), tests, took)
		return
	}
	unchanged := ""
	if t.unchanged > 0 {
		unchanged = fmt.Sprintf(" (%d unchanged since they passed)", t.unchanged)
	}
	fmt.Fprintf(t.out, "proved: %d tests of %d packages%s, %d of them stories of a person, in %s\n", tests, t.packages, unchanged, t.passed[stories], took)
}
