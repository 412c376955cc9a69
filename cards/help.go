package cards

import (
	"slices"
	"strings"

	"darkroom/cards/kit"

	"github.com/slack-go/slack"
)

// HelpRow is the help of one verb.
type HelpRow struct {
	Verb    string
	Usage   string // text after "/order": "approve ID"
	Does    string // a verb phrase: "accepts the images and closes the order"
	Example string // text after "/order" in an example

	More      []string // more sentences
	Operators bool     // only operators may
}

// helpFields is how many verbs one block shows: Slack's limit for fields.
const helpFields = 10

// Help lists all verbs in two columns, which a phone stacks.
func Help(rows []HelpRow) kit.Message {
	p := kit.NewPage("Order photo editing without leaving Slack:")
	for part := range slices.Chunk(rows, helpFields) {
		var fields []*slack.TextBlockObject
		var words []string
		for _, row := range part {
			does := kit.Inline(row.Does, 200) + kit.OnlyIf(row.Operators, " _(operators)_")
			usage := "`/order " + kit.Code(row.Usage) + "`"
			fields, words = append(fields, kit.Mrkdwn(usage+"\n"+does)), append(words, usage+" "+does)
		}
		p.Add(slack.NewSectionBlock(nil, fields, nil), strings.Join(words, "\n"))
	}
	return p.Note("ID is the reference on the order's card, such as `K7Q2XM`, or the project's name when only one order is called so; leave it out when only one order fits. More about one of them: `/order help approve`").
		Message()
}

// HelpFor explains one verb.
func HelpFor(row HelpRow) kit.Message {
	p := kit.NewPage("`/order " + kit.Code(row.Usage) + "`").Say(kit.FullStop(kit.Capital(kit.Inline(row.Does, 1000))))
	for _, more := range row.More {
		p.Say(kit.Inline(more, 600))
	}
	return p.Say(kit.OnlyIf(row.Operators, "Only operators may do this.")).
		Say(kit.OnlyIf(row.Example != "", "For example: `/order "+kit.Code(row.Example)+"`")).Message()
}

// Suggest answers an unknown verb with the nearest known one, if any. line is the typed line to copy, or "".
func Suggest(verb, nearest, line string) kit.Message {
	answer := "I do not know “" + kit.Inline(verb, 40) + "”." + kit.OnlyIf(nearest != "", " Did you mean `/order "+kit.Code(nearest)+"`?")
	return kit.NewPage(answer+" `/order help` lists everything I can do.").Typed("Your words:", line).Message()
}
