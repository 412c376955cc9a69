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

// safeName is the length, in characters, of a whole project name that no service shortens:
// a longer one carries its reference in front, where cutting cannot reach it.
const safeName = 32

// FullName is the project name of an order at the service: the words and the reference,
// "Smith wedding [K7Q2XM]". Long words come behind it, "[K7Q2XM] The wedding of …": a
// service that keeps only so many characters takes them from the end. So do words that
// themselves begin like a reference: it is the first that counts; and words with an emoji,
// at which some databases end a text.
func FullName(words, reference string) string {
	mark := "[" + reference + "]"
	behind := strings.TrimSpace(words + " " + mark)
	if beginsMarked(behind) || utf8.RuneCountInString(behind) > safeName || strings.ContainsFunc(words, isEmoji) {
		return strings.TrimSpace(mark + " " + words)
	}
	return behind
}

// isEmoji says that a character is beyond what two bytes of UTF-16 hold.
func isEmoji(r rune) bool { return r > '\uffff' }

// ProjectName are the words of a project name without the reference, as far as the service
// kept them.
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

// Carries tells whether a project name carries the reference where [FullName] puts it. One in
// the middle is something that a person wrote about another order; so is one at the end of
// a name that begins with another. Case does not matter, nor blanks around it.
func Carries(name, reference string) bool {
	name, mark := strings.ToUpper(strings.TrimSpace(name)), "["+strings.ToUpper(reference)+"]"
	return reference != "" && (strings.HasPrefix(name, mark) || !beginsMarked(name) && strings.HasSuffix(name, mark))
}

// ReferenceIn is the reference that a project name carries where [FullName] puts it, "" when it
// carries none.
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

// ReferencesIn are the references that words hold in square brackets, each once and in the order of the words, at
// most so many. Case does not matter. Whether they are any order's is not known here.
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

// isReference says that a word looks like a reference.
func isReference(mark string) bool {
	return len(mark) >= referenceLength && strings.Trim(mark, referenceAlphabet) == ""
}

// beginsMarked says that a name begins with something that looks like a reference.
func beginsMarked(name string) bool {
	rest, opened := strings.CutPrefix(name, "[")
	mark, _, closed := strings.Cut(rest, "]")
	return opened && closed && isReference(strings.ToUpper(mark))
}

// referenceAlphabet has no letters and digits that look alike: of 0 O D, 1 I L,
// 2 Z, 5 S, 6 G, 8 B, U V at most one is in it.
const (
	referenceAlphabet = "23456789ACDEFHJKMNPQRTVWXY"
	referenceLength   = 6 // the shortest keyword the service searches for
)

// GenerateReference returns a new reference of ours, made of the randomness of
// r. It is unique only once [Drafts.ReserveReference] says so.
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

// FriendlyName returns two friendly words for a project without a name, made
// of the randomness of r.
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

// IsFriendlyName tells a name that [FriendlyName] may have made: nobody chose it.
func IsFriendlyName(name string) bool {
	first, second, _ := strings.Cut(name, " ")
	return slices.Contains(friendlyFirst, first) && slices.Contains(friendlySecond, second)
}

// pick returns one of them, each as likely as the others.
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
