package kit

import (
	"strings"
)

// Quote adds text as a quotation of at most limit characters. It says if text was cut.
func (p *Page) Quote(text string, limit int) *Page {
	if !p.Rows(Quotation(text, limit)...) {
		p.Note(RestTooLong)
	}
	return p
}

// RestTooLong follows text that was cut.
const RestTooLong = "The rest is too long to show."

// Quotation returns text as quoted lines, cut to limit characters. It splits lines longer than a paragraph.
// Text that would be cut uses look-alikes for formatting signs, which are shorter.
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

// MaxQuote bounds a quotation in a message. The service takes 5,000 characters, and escaping lengthens them.
const MaxQuote = 8000
