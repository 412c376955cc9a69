package kit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Capital makes the first letter upper case.
func Capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// Thousands formats a number as "1,234,567".
func Thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return Thousands(n/1000) + fmt.Sprintf(",%03d", n%1000)
}

// FullStop ends a sentence with a period unless it has an end. It keeps "".
func FullStop(s string) string {
	return s + OnlyIf(s != "" && strings.TrimRight(s, ".!?") == s, ".")
}

// Dots joins facts: "Paused · 3 images · 12 credits". It skips "".
func Dots(parts ...string) string { return Join(" · ", parts...) }

// Join joins parts and skips "".
func Join(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), between)
}

// OnlyIf returns words if so, else "". The builders skip "".
func OnlyIf(so bool, words string) string { return Either(so, words, "") }

// Either returns yes if so, else no.
func Either[T any](so bool, yes, no T) T {
	if so {
		return yes
	}
	return no
}

// Prefixed puts words before a value, unless the value is "".
func Prefixed(words, value string) string { return OnlyIf(value != "", words+value) }

// Count formats "1 image" or "2 images".
func Count(n int, one, many string) string { return strconv.Itoa(n) + " " + Plural(n, one, many) }

// Plural returns one if n is 1, else many.
func Plural(n int, one, many string) string { return Either(n == 1, one, many) }
