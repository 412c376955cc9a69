//go:build failpoint

// Package failpoints is where the chaos suite may kill the process.
package failpoints

import "darkroom/sandbox/failpoint"

// Points are where the chaos suite may kill the process; only its own binary, built
// with the tag failpoint, has any.
type Points = failpoint.Points

// New reads from the environment where to kill the process; nil without failpoints.
func New(environ []string) (*Points, error) { return failpoint.New(environ) }
