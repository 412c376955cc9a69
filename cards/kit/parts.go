package kit

import (
	"strings"
	"unicode/utf16"
)

// Parts splits text into 1 to most parts of at most limit units. It splits at a line end or space if one is
// near. The last part holds the rest.
func Parts(words string, limit, most int) []string {
	var all []string
	for len(all) < most-1 && Units(words) > limit {
		end := partEnd(words[:unitsEnd(words, limit)])
		all, words = append(all, strings.TrimSpace(words[:end])), strings.TrimSpace(words[end:])
	}
	return append(all, words)
}

// partEnd returns the best place to split: a line end, else a space, in the last sixth of head. Earlier places
// would need more parts.
func partEnd(head string) int {
	for _, at := range []string{"\n", " "} {
		if i := strings.LastIndex(head, at); i > len(head)*5/6 {
			return i
		}
	}
	return len(head)
}

// unitsEnd returns the byte offset after the first limit units of s.
func unitsEnd(s string, limit int) int {
	size := 0
	for i, r := range s {
		if size += utf16.RuneLen(r); size > limit {
			return i
		}
	}
	return len(s)
}

// packed joins lines into as few texts as possible, at least one. A text has at most limit units, unless one
// line is longer.
func packed(lines []string, limit int) []string {
	texts := []string{""}
	for _, line := range lines {
		last := len(texts) - 1
		if longer := texts[last] + "\n" + line; texts[last] == "" {
			texts[last] = line
		} else if Units(longer) <= limit {
			texts[last] = longer
		} else {
			texts = append(texts, line)
		}
	}
	return texts
}
