package order

import (
	"strings"
	"unicode/utf8"
)

// Kept is how much of a project name a service keeps, as far as its answers prove.
// A service may cut by characters or by bytes, so both count.
type Kept struct{ Letters, Bytes int }

// KeptOf returns what a name proves that a service shows: nothing without a reference in it.
func KeptOf(name string) Kept {
	if ReferenceIn(name) == "" {
		return Kept{}
	}
	return sizeOf(strings.TrimSpace(name))
}

// NeededFor returns how much of a project name must be kept for its reference to survive.
func NeededFor(name, reference string) Kept {
	mark := "[" + reference + "]"
	if strings.HasPrefix(name, mark) {
		return sizeOf(mark)
	}
	return sizeOf(name)
}

func sizeOf(text string) Kept { return Kept{utf8.RuneCountInString(text), len(text)} }

// And returns what two names prove together.
func (k Kept) And(other Kept) Kept {
	return Kept{max(k.Letters, other.Letters), max(k.Bytes, other.Bytes)}
}

// Covers reports whether that much is proven.
func (k Kept) Covers(needed Kept) bool {
	return k.Letters >= needed.Letters && k.Bytes >= needed.Bytes
}
