package order

import "strings"

// Lines splits typed text into the arrays that the service takes: one element for each line, trimmed, without
// blank lines. An empty text is nil.
func Lines(text string) []string {
	return NonBlank(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }))
}

// NonBlank drops blank elements and trims the others; nil if all are blank.
func NonBlank(lines []string) []string {
	var kept []string
	for _, line := range lines {
		if line = strings.TrimSpace(line); line != "" {
			kept = append(kept, line)
		}
	}
	return kept
}
