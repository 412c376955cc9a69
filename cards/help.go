package cards

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/slack-go/slack"
)

// HelpRow is one verb of the table that routes.
type HelpRow struct {
	Verb    string
	Usage   string // what follows "/order": "approve ID"
	Does    string // half a sentence: "accepts the images and closes the order"
	Example string // what follows "/order" in an example

	More      []string // what else there is to say of it, a sentence each
	Operators bool     // only they may
}

// helpFields is how many verbs stand in one block: Slack's limit of its fields.
const helpFields = 10

// Help lists every verb there is, in two columns, which a phone puts below each other.
func Help(rows []HelpRow) Message {
	p := says("Order photo editing without leaving Slack:")
	for part := range slices.Chunk(rows, helpFields) {
		var fields []*slack.TextBlockObject
		var words []string
		for _, row := range part {
			does := inline(row.Does, 200) + onlyIf(row.Operators, " _(operators)_")
			usage := "`/order " + code(row.Usage) + "`"
			fields, words = append(fields, mrkdwn(usage+"\n"+does)), append(words, usage+" "+does)
		}
		p.add(slack.NewSectionBlock(nil, fields, nil), strings.Join(words, "\n"))
	}
	return p.note("ID is the reference on the order's card, such as `K7Q2XM`, or the project's name when only one order is called so; leave it out when only one order fits. More about one of them: `/order help approve`").
		message()
}

// HelpFor explains one verb.
func HelpFor(row HelpRow) Message {
	p := says("`/order " + code(row.Usage) + "`").say(finished(capital(inline(row.Does, 1000))))
	for _, more := range row.More {
		p.say(inline(more, 600))
	}
	return p.say(onlyIf(row.Operators, "Only operators may do this.")).
		say(onlyIf(row.Example != "", "For example: `/order "+code(row.Example)+"`")).message()
}

// Suggest answers a verb that does not exist with the nearest one, if any; line is all that
// was typed, to be copied, or "".
func Suggest(verb, nearest, line string) Message {
	answer := "I do not know “" + inline(verb, 40) + "”." + onlyIf(nearest != "", " Did you mean `/order "+code(nearest)+"`?")
	return says(answer+" `/order help` lists everything I can do.").kept("Your words:", line).message()
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
