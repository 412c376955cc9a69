package kv

import (
	"context"
	"fmt"
)

// maxConflicts bounds how often a step is done again because somebody else was faster: each
// time one of them gets through. In an order's lane that happens once or twice.
const maxConflicts = 20

// ErrBusy says that others were faster each time.
var ErrBusy = fmt.Errorf("changed by others %d times: %w", maxConflicts, context.DeadlineExceeded)

// Result is what became of a step that was read, thought about and then written, if nobody was first.
type Result int

// The results.
const (
	Stale   Result = iota // another version, or no such order
	Written               // as it was meant
	Raced                 // only what goes along with the order is another than it was: look again
)

// RetryOnConflict does a step again, from its reading on, until it is written. When others
// are always faster it returns gaveUp.
func RetryOnConflict(gaveUp error, step func() (Result, error)) error {
	for range maxConflicts {
		if result, err := step(); err != nil || result == Written {
			return err
		}
	}
	return gaveUp
}
