package cards

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// HelpRow is one verb of the table that routes.
type HelpRow struct {
	Verb    string
	Usage   string // what follows "/order": "approve ID"
	Does    string // half a sentence: "accepts the images and closes the order"
	Example string // what follows "/order" in an example
}

// Help lists every verb there is.
func Help(rows []HelpRow) Message {
	p := &page{}
	p.say("Order photo editing without leaving Slack:")
	var list []string
	for _, row := range rows {
		line := "`/order " + code(row.Usage) + "` " + inline(row.Does, 300)
		if joined := strings.Join(append(list, line), "\n"); units(joined) > maxSection {
			p.say(strings.Join(list, "\n"))
			list = nil
		}
		list = append(list, line)
	}
	p.say(strings.Join(list, "\n"))
	p.note("ID is the order's number or its reference, both on its card. More about one of them: `/order help approve`")
	return p.message()
}

// HelpFor explains one verb.
func HelpFor(row HelpRow) Message {
	p := &page{}
	p.say("`/order " + code(row.Usage) + "`")
	p.say(finished(capital(inline(row.Does, 1000))))
	if row.Example != "" {
		p.say("For example: `/order " + code(row.Example) + "`")
	}
	return p.message()
}

// Suggest answers a verb that does not exist with the nearest one, if any.
func Suggest(verb, nearest string) Message {
	p := &page{}
	answer := "I do not know “" + inline(verb, 40) + "”."
	if nearest != "" {
		answer += " Did you mean `/order " + code(nearest) + "`?"
	}
	p.say(answer + " `/order help` lists everything I can do.")
	return p.message()
}

// code is text for between two backticks.
func code(s string) string {
	return strings.ReplaceAll(inline(strings.ReplaceAll(s, "`", "'"), 200), zeroWidth, "")
}

// capital makes half a sentence begin like a whole one.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
