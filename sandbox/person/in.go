package person

import (
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
	x.tb.Helper()
	if err != nil {
		x.tb.Fatal(err)
	}
}

// SecondWindow is another window of the same person.
func (x *T) SecondWindow() *T { return &T{p: x.p.SecondWindow(), tb: x.tb} }

// Person is the same person with errors instead of failures.
func (x *T) Person() *Person { return x.p }

// Screen is what the person sees now.
func (x *T) Screen() string { return x.p.Screen() }
