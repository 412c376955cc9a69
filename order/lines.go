package order

import "strings"

// Lines splits what a person typed into the arrays that the service takes: one
// line is one element, trimmed, blank lines dropped. Nothing typed is nil.
func Lines(text string) []string {
	return NonBlank(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }))
}

// NonBlank drops blank elements and trims the others; nil when none is left.
func NonBlank(lines []string) []string {
	var kept []string
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}
