package order

import (
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// safeName is the length, in characters, of a whole project name that no service shortens. A longer name has
// its reference in front, where cutting the end does not reach it.
const safeName = 32

// FullName returns the project name that the service gets: the text and the reference, "Smith wedding
// [K7Q2XM]". The reference goes in front, "[K7Q2XM] The wedding of …", in three cases. A long name may lose
// its end at the service. A text that starts like a reference would count as one. Some databases end a text at
// an emoji.
func FullName(text, reference string) string {
	mark := "[" + reference + "]"
	marked := strings.TrimSpace(text + " " + mark)
	emoji := func(r rune) bool { return r > '\uffff' } // in UTF-16 a surrogate pair
	if beginsMarked(marked) || utf8.RuneCountInString(marked) > safeName || strings.ContainsFunc(text, emoji) {
		return strings.TrimSpace(mark + " " + text)
	}
	return marked
}

// ProjectName returns the project name without its reference.
func ProjectName(name, reference string) string {
	name = strings.TrimSpace(name)
	if !Carries(name, reference) {
		return name
	}
	if mark := len(reference) + 2; strings.EqualFold(name[:mark], "["+reference+"]") {
		return strings.TrimSpace(name[mark:])
	}
	return strings.TrimSpace(name[:len(name)-len(reference)-2])
}

// Carries reports whether a project name has the reference where [FullName] puts it. A reference in the middle
// does not count, since a person wrote it about another order. Nor does one at the end of a name that starts
// with another. Case and surrounding blanks do not matter.
func Carries(name, reference string) bool {
	name, mark := strings.ToUpper(strings.TrimSpace(name)), "["+strings.ToUpper(reference)+"]"
	return reference != "" && (strings.HasPrefix(name, mark) || !beginsMarked(name) && strings.HasSuffix(name, mark))
}

// ReferenceIn returns the reference of a project name where [FullName] puts it; "" if it has none.
func ReferenceIn(name string) string {
	name = strings.TrimSpace(name)
	for _, at := range []int{strings.Index(name, "["), strings.LastIndex(name, "[")} {
		mark, _, closed := strings.Cut(name[max(at, 0):], "]")
		mark = strings.ToUpper(strings.TrimPrefix(mark, "["))
		if closed && isReference(mark) && Carries(name, mark) {
			return mark
		}
	}
	return ""
}

// ReferencesIn returns the distinct references in square brackets in a text, in order, most at most. Case does
// not matter. The orders may not exist.
func ReferencesIn(words string, most int) []string {
	var found []string
	for len(found) < most {
		_, rest, opened := strings.Cut(words, "[")
		if !opened {
			break
		}
		words = rest
		mark, _, closed := strings.Cut(rest, "]")
		if mark = strings.ToUpper(mark); closed && isReference(mark) && !slices.Contains(found, mark) {
			found = append(found, mark)
		}
	}
	return found
}

// isReference reports whether a word has the shape of a reference.
func isReference(mark string) bool {
	return len(mark) >= referenceLength && strings.Trim(mark, referenceAlphabet) == ""
}

// beginsMarked reports whether a name starts with the shape of a reference in brackets.
func beginsMarked(name string) bool {
	rest, opened := strings.CutPrefix(name, "[")
	mark, _, closed := strings.Cut(rest, "]")
	return opened && closed && isReference(strings.ToUpper(mark))
}

// referenceAlphabet has no letters and digits that look alike: of 0 O D, 1 I L, 2 Z, 5 S, 6 G, 8 B, U V it has
// at most one.
const (
	referenceAlphabet = "23456789ACDEFHJKMNPQRTVWXY"
	referenceLength   = 6 // the minimum length of a search keyword at the service
)

// GenerateReference returns a new random reference. The store reserves it, so that it is unique.
func GenerateReference(r io.Reader) (string, error) {
	reference := make([]byte, referenceLength)
	for i := range reference {
		letter, err := pick(r, []byte(referenceAlphabet))
		if err != nil {
			return "", fmt.Errorf("reference: %w", err)
		}
		reference[i] = letter
	}
	return string(reference), nil
}

// FriendlyName returns two random friendly words as the name of a project without one.
func FriendlyName(r io.Reader) (string, error) {
	first, err := pick(r, friendlyFirst)
	if err != nil {
		return "", fmt.Errorf("friendly name: %w", err)
	}
	second, err := pick(r, friendlySecond)
	if err != nil {
		return "", fmt.Errorf("friendly name: %w", err)
	}
	return first + " " + second, nil
}

// IsFriendlyName reports whether [FriendlyName] may have made the name, so that no person chose it.
func IsFriendlyName(name string) bool {
	first, second, _ := strings.Cut(name, " ")
	return slices.Contains(friendlyFirst, first) && slices.Contains(friendlySecond, second)
}

// pick returns a random element, each with the same probability.
func pick[T any](r io.Reader, from []T) (one T, err error) {
	n, err := rand.Int(r, big.NewInt(int64(len(from))))
	if err != nil {
		return one, err
	}
	return from[n.Int64()], nil
}

var friendlyFirst = []string{
	"Amber", "Bright", "Calm", "Cheerful", "Clear", "Cosy", "Crisp", "Gentle",
	"Golden", "Happy", "Kind", "Lively", "Lucky", "Mellow", "Merry", "Misty",
	"Quiet", "Rosy", "Silver", "Smiling", "Soft", "Sunny", "Velvet", "Warm",
}

var friendlySecond = []string{
	"Beach", "Breeze", "Brook", "Cloud", "Dawn", "Forest", "Garden", "Harbor",
	"Hill", "Island", "Lake", "Lantern", "Meadow", "Morning", "Mountain", "Orchard",
	"Pebble", "River", "Shore", "Sky", "Spring", "Summer", "Valley", "Willow",
}
