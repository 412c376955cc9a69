//go:build production

package main

import "errors"

// demoCommand says where the demo is: this binary is built without it, and without the
// sandbox that it plays in.
type demoCommand struct {
	Demo noDemo `cmd:"" hidden:"" passthrough:""`
}

// beginning is how the help begins.
const beginning = `To install it: paste the output of`

type noDemo struct {
	Args []string `arg:"" optional:""`
}

var errNoDemo = errors.New(`this binary is built for production, without the demo: "go run ./cmd/darkroom demo" in the source tree runs it`)

// Run says how to get the demo, whatever was asked of it.
func (noDemo) Run() error { return errNoDemo }
