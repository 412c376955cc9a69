package order

import (
	"strings"
	"unicode/utf8"
)

// NameLength is the length of a project name that a service proved to keep. A service may cut by characters or by
// bytes, so both count.
type NameLength struct{ Letters, Bytes int }

// ProvenLength returns the length that a name from the service proves; zero without a reference in it.
func ProvenLength(name string) NameLength {
	if ReferenceIn(name) == "" {
		return NameLength{}
	}
	return sizeOf(strings.TrimSpace(name))
}

// NeededLength returns the length that the service must keep so that the reference in the name survives.
func NeededLength(name, reference string) NameLength {
	mark := "[" + reference + "]"
	if strings.HasPrefix(name, mark) {
		return sizeOf(mark)
	}
	return sizeOf(name)
}

func sizeOf(text string) NameLength { return NameLength{utf8.RuneCountInString(text), len(text)} }

// And returns the length that two names prove together.
func (k NameLength) And(other NameLength) NameLength {
	return NameLength{max(k.Letters, other.Letters), max(k.Bytes, other.Bytes)}
}

// Covers reports whether a proven length is at least the needed one.
func (k NameLength) Covers(needed NameLength) bool {
	return k.Letters >= needed.Letters && k.Bytes >= needed.Bytes
}
