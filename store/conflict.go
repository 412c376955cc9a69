package store

// maxConflicts bounds how often a step is done again because somebody else was faster: each
// time one of them gets through. In an order's lane that happens once or twice.
const maxConflicts = 20

// What became of a step that was read, thought about and then written, if nobody was first.
type result int

const (
	stale   result = iota // another version, or no such order
	written               // as it was meant
	raced                 // only what goes along with the order is another than it was: look again
)

// retryOnConflict does a step again, from its reading on, until it is written. When others
// are always faster it returns gaveUp.
func retryOnConflict(gaveUp error, step func() (result, error)) error {
	for range maxConflicts {
		if result, err := step(); err != nil || result == written {
			return err
		}
	}
	return gaveUp
}
