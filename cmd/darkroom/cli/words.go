package cli

import (
	"fmt"
	"strings"
)

// Count returns a number with its singular or plural.
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// List joins names as in a sentence.
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// OneLine returns a text without line breaks, for a table.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
