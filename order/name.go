package order

import (
	"strings"
	"unicode/utf8"
)

// safeName is the length, in characters, of a whole project name that no service shortens:
// a longer one carries its reference in front, where cutting cannot reach it.
const safeName = 32

// FullName is the project name of an order at the service: the words and the reference,
// "Smith wedding [K7Q2XM]". Long words come behind it, "[K7Q2XM] The wedding of …": a
// service that keeps only so many characters takes them from the end. So do words that
// themselves begin like a reference: it is the first that counts.
func FullName(words, reference string) string {
	mark := "[" + reference + "]"
	behind := strings.TrimSpace(words + " " + mark)
	if _, _, marked := leadingMark(behind); marked || utf8.RuneCountInString(behind) > safeName {
		return strings.TrimSpace(mark + " " + words)
	}
	return behind
}

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
	if reference == "" {
		return false
	}
	name, mark := strings.ToUpper(strings.TrimSpace(name)), "["+strings.ToUpper(reference)+"]"
	if strings.HasPrefix(name, mark) {
		return true
	}
	_, _, another := leadingMark(name)
	return !another && strings.HasSuffix(name, mark)
}

// leadingMark parts a name that begins with something that looks like a reference.
func leadingMark(name string) (mark, words string, marked bool) {
	rest, found := strings.CutPrefix(name, "[")
	if !found {
		return "", "", false
	}
	mark, words, found = strings.Cut(rest, "]")
	if !found || len(mark) < referenceLength || strings.Trim(strings.ToUpper(mark), referenceAlphabet) != "" {
		return "", "", false
	}
	return mark, strings.TrimSpace(words), true
}
