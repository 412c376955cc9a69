package store

import "errors"

// errNotBuilt is what the methods still to come return.
var errNotBuilt = errors.New("not built yet")
