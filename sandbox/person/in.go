package person

import (
	"fmt"
	"path"
	"runtime"
	"strings"
	"testing"

	"darkroom/sandbox/workspace"
)

// T is a person in a test: what they do not find fails the test with a
// description of what they see instead.
type T struct {
	p  *Person
	tb testing.TB
}

// In is the named person in a test, standing in the first channel they are in.
func In(tb testing.TB, ws *workspace.Workspace, name string, o ...Options) *T {
	tb.Helper()
	var options Options
	if len(o) > 0 {
		options = o[0]
	}
	return &T{p: New(ws, name, options), tb: tb}
}

func (x *T) must(err error) {
	if err != nil {
		x.tb.Fatalf("%s: %v", where(), err)
	}
}

// where are the lines of tests that led here, the nearest first.
func where() string {
	var lines []string
	pcs := make([]uintptr, 32)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		if strings.HasSuffix(frame.File, "_test.go") {
			lines = append(lines, fmt.Sprintf("%s:%d", path.Base(frame.File), frame.Line))
		}
	}
	return strings.Join(lines, " < ")
}

// SecondWindow is another window of the same person.
func (x *T) SecondWindow() *T { return &T{p: x.p.SecondWindow(), tb: x.tb} }

// Person is the same person with errors instead of failures.
func (x *T) Person() *Person { return x.p }

// Screen is what the person sees now.
func (x *T) Screen() string { return x.p.Screen() }
