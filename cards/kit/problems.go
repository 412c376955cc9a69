package kit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"darkroom/order"
)

// Problems are reasons in the service's own words, or in ours: shown escaped.
type Problems []string

// Problems adds the reasons as a list under a headline of ours, and what can be done.
func (p *Page) Problems(headline string, problems Problems, next string) *Page {
	if len(problems) == 0 {
		return p
	}
	return p.Bullets(":warning: "+headline, InlineAll(problems, 600)).Say(next)
}

// InlineAll makes what others wrote safe, each at most so long.
func InlineAll(words []string, limit int) []string {
	return Map(words, func(_ int, one string) string { return Inline(one, limit) })
}

// LengthProblem says that a text is too long, "" if it is not.
func LengthProblem(s string, limit int, what string) string {
	n := utf8.RuneCountInString(s)
	return OnlyIf(n > limit, fmt.Sprintf("%s has %d characters; at most %d fit.", what, n, limit))
}

// Addresses are the words typed into the images box: a URL has no spaces, so
// a line with two of them is two.
func Addresses(text string) []string {
	var urls []string
	for word := range strings.FieldsSeq(text) {
		if word = strings.Trim(word, "<>,"); word != "" {
			urls = append(urls, word)
		}
	}
	return urls
}

// URLProblem names every address that cannot be ordered, by its place in the list.
func URLProblem(urls []string) string {
	var wrong, twice []string
	for i, u := range urls {
		switch first := slices.Index(urls[:i], u); {
		case !order.WebAddress(u):
			wrong = append(wrong, u)
		case first >= 0 && !slices.Contains(twice, u):
			twice = append(twice, u)
		}
	}
	return Join(" ",
		OnlyIf(len(wrong) > 0, "Not a web address (http:// or https://): "+SomeOf(wrong)+"."),
		OnlyIf(len(twice) > 0, "Listed more than once: "+SomeOf(twice)+"."))
}

// SomeOf names the first few, and how many more there are.
func SomeOf(names []string) string {
	const few = 5
	shown := Map(names[:min(few, len(names))], func(_ int, name string) string { return Plain(name, 80) })
	more := len(names) - few
	return strings.Join(shown, ", ") + OnlyIf(more > 0, " and "+strconv.Itoa(more)+" more")
}

// InQuotes are the service's words, each reason between quotation marks.
func InQuotes(reasons []string) string {
	said := Map(reasons, func(_ int, reason string) string { return "“" + FullStop(Inline(reason, 600)) + "”" })
	return Cut(strings.Join(said, " "), 2000)
}
