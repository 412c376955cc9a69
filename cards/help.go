package cards

import (
	"slices"
	"strings"

	"darkroom/cards/kit"

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

// Suggest answers a verb that does not exist with the nearest one, if any; line is all that
// was typed, to be copied, or "".
func Suggest(verb, nearest, line string) kit.Message {
	answer := "I do not know “" + kit.Inline(verb, 40) + "”." + kit.OnlyIf(nearest != "", " Did you mean `/order "+kit.Code(nearest)+"`?")
	return kit.NewPage(answer+" `/order help` lists everything I can do.").Typed("Your words:", line).Message()
}
