//go:build failpoint

package main

import "darkroom/sandbox/failpoint"

// failpoints are where the chaos suite may kill the process; only its own binary, built
// with the tag failpoint, has any.
type failpoints = failpoint.Points

func newFailpoints(environ []string) (*failpoints, error) { return failpoint.New(environ) }
