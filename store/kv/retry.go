package kv

import (
	"context"
	"fmt"
)

// maxConflicts bounds the tries of a step that loses to concurrent writers: one of them wins
// each time. In an order's lane that happens once or twice.
const maxConflicts = 20

// ErrBusy says that another writer won each time.
var ErrBusy = fmt.Errorf("changed by others %d times: %w", maxConflicts, context.DeadlineExceeded)

// Result is the outcome of a compare-and-set step.
type Result int

// The results.
const (
	Stale   Result = iota // another version, or no such order
	Written               // as intended
	Raced                 // the version is the same, a related document changed: read again
)

// RetryOnConflict repeats a step, with its read, until it is written. It returns gaveUp after
// too many conflicts.
func RetryOnConflict(gaveUp error, step func() (Result, error)) error {
	for range maxConflicts {
		if result, err := step(); err != nil || result == Written {
			return err
		}
	}
	return gaveUp
}
