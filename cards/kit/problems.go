package kit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"darkroom/order"
)

// Problems are reasons for a refusal, the service's or ours. They are escaped when shown.
type Problems []string

// Problems adds the reasons under a headline, then what to do next.
func (p *Page) Problems(headline string, problems Problems, next string) *Page {
	if len(problems) == 0 {
		return p
	}
	return p.Bullets(":warning: "+headline, InlineAll(problems, 600)).Say(next)
}

// InlineAll escapes each text and cuts it to limit. Equal texts become one with a count.
func InlineAll(words []string, limit int) []string {
	times := map[string]int{}
	var once []string
	for _, one := range words {
		if times[one]++; times[one] == 1 {
			once = append(once, one)
		}
	}
	return Map(once, func(_ int, one string) string {
		return Inline(one, limit) + OnlyIf(times[one] > 1, " ("+strconv.Itoa(times[one])+" times)")
	})
}

// LengthProblem says that a text is too long, or returns "".
func LengthProblem(s string, limit int, what string) string {
	n := utf8.RuneCountInString(s)
	return OnlyIf(n > limit, fmt.Sprintf("%s has %d characters, but at most %d fit.", what, n, limit))
}

// Addresses splits typed text into URLs at any space.
func Addresses(text string) []string {
	var urls []string
	for word := range strings.FieldsSeq(text) {
		if word = strings.Trim(word, "<>,"); word != "" {
			urls = append(urls, word)
		}
	}
	return urls
}

// URLProblem names each invalid or repeated address, or returns "".
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
		OnlyIf(len(wrong) > 0, "Not a link (http:// or https://): "+SomeOf(wrong)+"."),
		OnlyIf(len(twice) > 0, "Listed more than once: "+SomeOf(twice)+"."))
}

// SomeOf names the first five, and says how many more there are.
func SomeOf(names []string) string {
	return FirstOf(5, Map(names, func(_ int, name string) string { return Plain(name, 80) }))
}

// FirstOf lists the first names, at most so many, and says how many more there are.
func FirstOf(most int, names []string) string {
	more := len(names) - most
	return strings.Join(names[:min(most, len(names))], ", ") + OnlyIf(more > 0, " and "+strconv.Itoa(more)+" more")
}

// InQuotes puts each of the service's reasons in quotation marks.
func InQuotes(reasons []string) string {
	said := Map(InlineAll(reasons, 600), func(_ int, reason string) string { return "“" + FullStop(reason) + "”" })
	return Cut(strings.Join(said, " "), 2000)
}
