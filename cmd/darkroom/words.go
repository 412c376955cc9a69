package main

import (
	"fmt"
	"strings"
)

// count is a number with the word for as many.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// inWords lists names as in a sentence.
func inWords(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// oneLine is a text without line breaks, for a table.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
