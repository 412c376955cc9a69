package kit

import (
	"strings"
)

// Quote adds what somebody wrote, as a quotation, in as many paragraphs as it
// needs and with at most limit characters in all; what was cut is said.
func (p *Page) Quote(text string, limit int) *Page {
	if !p.Rows(Quotation(text, limit)...) {
		p.Note(RestTooLong)
	}
	return p
}

// RestTooLong ends what was cut.
const RestTooLong = "The rest is too long to show here."

// Quotation is what somebody wrote, cut to limit characters, as lines of a quotation, none
// longer than a paragraph: a line that is gets split between characters. So that less is cut, signs that
// would format are then others that look alike.
func Quotation(text string, limit int) []string {
	var quoted []string
	text = strings.TrimSpace(text)
	if limit >= 0 && Units(EscapeTo(text, -1)) > limit {
		text = lookAlikes.Replace(text)
	}
	for line := range strings.Lines(EscapeTo(text, limit)) {
		line = strings.TrimSuffix(line, "\n")
		for Units(line)+len("> \n") > MaxSection {
			head := strings.TrimSuffix(Cut(line, MaxSection-100), ellipsis)
			quoted, line = append(quoted, "> "+head), line[len(head):]
		}
		quoted = append(quoted, "> "+line)
	}
	return quoted
}

// MaxQuote is how much of a text is quoted in a message. The service takes 5,000 characters; escaped
// they may be longer.
const MaxQuote = 8000
