package person

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	reference = regexp.MustCompile(`<([^<>]+)>`)
	dateField = regexp.MustCompile(`\{\w+\}`)
	quoteMark = regexp.MustCompile(`(?m)^&gt; ?`)
	marks     = []mark{markOf("*"), markOf("_"), markOf("~")}
	entities  = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "`", "")
)

// mark makes what stands between two of it bold, italic or struck out.
type mark struct {
	sign    string
	between *regexp.Regexp
}

// markOf finds text between two of the marks that stand at the edge of words, as a zero-width space is.
func markOf(sign string) mark {
	m := regexp.QuoteMeta(sign)
	return mark{sign, regexp.MustCompile(`(^|[\s\x{200b}(\[{"'>*_~])` + m + `(\S|\S[^\n]*?\S)` + m + `($|[\s\x{200b}.,;:!?)\]}"'*_~])`)}
}

// readable is Slack's markup as it looks on the screen. The same screen is read again after
// every change of anything, so what a text looks like is worked out once.
func (p *Person) readable(text string) string {
	if strings.Contains(text, "&gt;") {
		text = quoteMark.ReplaceAllString(text, "")
	}
	text = reference.ReplaceAllStringFunc(text, func(token string) string {
		return p.token(token[1 : len(token)-1])
	})
	looks, known := p.looks[text]
	if !known {
		looks = unmarked(text)
		p.looks[text] = looks
	}
	return looks
}

// unmarked is a text without its marks, whose references have been named.
func unmarked(text string) string {
	for _, m := range marks {
		if strings.Count(text, m.sign) < 2 {
			continue
		}
		for range 2 { // neighbours share the space between them
			text = m.between.ReplaceAllString(text, "$1$2$3")
		}
	}
	return asSaid.Replace(entities.Replace(text))
}

// aside keeps the marks in what a date says instead of itself from counting, which is only text; asSaid
// brings them back.
var (
	aside  = strings.NewReplacer("*", "\ue000", "_", "\ue001", "~", "\ue002", "`", "\ue003")
	asSaid = strings.NewReplacer("\ue000", "*", "\ue001", "_", "\ue002", "~", "\ue003", "`")
)

// token is what stands between angle brackets.
func (p *Person) token(token string) string {
	body, label, labelled := strings.Cut(token, "|")
	switch {
	case strings.HasPrefix(body, "@"):
		return p.person(body[1:])
	case strings.HasPrefix(body, "#"):
		return p.conversation(body[1:])
	case strings.HasPrefix(body, "!date^"):
		return aside.Replace(date(body, label))
	case labelled:
		return label
	case strings.HasPrefix(body, "!subteam^"):
		return p.group(strings.TrimPrefix(body, "!subteam^"))
	case strings.HasPrefix(body, "!"):
		return "@" + body[1:]
	}
	return strings.TrimPrefix(body, "mailto:")
}

func (p *Person) person(id string) string {
	if u := p.ws.User(id); u.ID != "" {
		return "@" + u.RealName
	}
	return "@" + id
}

func (p *Person) group(id string) string {
	if g := p.ws.UserGroup(id); g.ID != "" {
		return "@" + g.Handle
	}
	return "@" + id
}

// conversation is a channel's name; that of a private one the person is not
// in stays hidden.
func (p *Person) conversation(id string) string {
	c := p.ws.Channel(id)
	switch {
	case c.IM != "":
		return p.person(c.IM)
	case c.ID == "", c.Private && !c.Has(p.user.ID):
		return "#private"
	}
	return "#" + c.Name
}

// dateLayouts are of the fields that the app writes.
var dateLayouts = map[string]string{"{date_short_pretty}": "Jan 2, 2006", "{time}": "3:04 PM"}

// date is a date token as a clock in UTC shows it.
// Slack: docs.slack.dev/messaging/formatting-message-text#date-formatting.
func date(body, fallback string) string {
	parts := strings.SplitN(body, "^", 4)
	if len(parts) < 3 {
		return fallback
	}
	seconds, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || !slices.ContainsFunc(dateField.FindAllString(parts[2], -1), isDateField) {
		return fallback
	}
	at := time.Unix(seconds, 0).UTC()
	return dateField.ReplaceAllStringFunc(parts[2], func(field string) string {
		if layout, known := dateLayouts[field]; known {
			return at.Format(layout)
		}
		return field
	})
}

func isDateField(field string) bool { return dateLayouts[field] != "" }

// collapsed is text without the differences that do not show.
func collapsed(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\u200b", "")), " ")
}

func holds(text, part string) bool { return strings.Contains(collapsed(text), collapsed(part)) }
