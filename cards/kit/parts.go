package kit

import (
	"strings"
	"unicode/utf16"
)

// Parts splits words, at most limit units each and at a line's end or a space where
// there is one near; always at least one, at most so many.
func Parts(words string, limit, most int) []string {
	var all []string
	for len(all) < most-1 && Units(words) > limit {
		end := partEnd(words[:unitsEnd(words, limit)])
		all, words = append(all, strings.TrimSpace(words[:end])), strings.TrimSpace(words[end:])
	}
	return append(all, words)
}

// partEnd is where a part ends best: at a line's end, else at a space, but not so early
// that more parts are needed.
func partEnd(head string) int {
	for _, at := range []string{"\n", " "} {
		if i := strings.LastIndex(head, at); i > len(head)*5/6 {
			return i
		}
	}
	return len(head)
}

// unitsEnd is where the first limit units of s end, in bytes.
func unitsEnd(s string, limit int) int {
	size := 0
	for i, r := range s {
		if size += utf16.RuneLen(r); size > limit {
			return i
		}
	}
	return len(s)
}

// packed joins lines to as few texts as hold them, each of at most limit units unless a single
// line is longer; always at least one.
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
