package kit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Capital makes half a sentence begin like a whole one.
func Capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// Thousands is "1,234,567".
func Thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return Thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// FullStop ends a sentence that somebody left open.
func FullStop(s string) string {
	return s + OnlyIf(s != "" && strings.TrimRight(s, ".!?") == s, ".")
}

// Dots joins what is known of something: "Paused · 3 images · 12 credits".
func Dots(parts ...string) string { return Join(" · ", parts...) }

// Join leaves out what is "".
func Join(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), between)
}

// OnlyIf is words that are said only when something is so, else "": which is left out wherever
// words are put together.
func OnlyIf(so bool, words string) string {
	if so {
		return words
	}
	return ""
}

// Prefixed puts words of ours in front of a value, unless that is "".
func Prefixed(words, value string) string { return OnlyIf(value != "", words+value) }

// Count is "1 image", "2 images".
func Count(n int, one, many string) string { return strconv.Itoa(n) + " " + Plural(n, one, many) }

// Plural is the word for so many.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
