package cards

import (
	"strings"

	"darkroom/cards/kit"
)

// HelpRow is the help of one verb.
type HelpRow struct {
	Verb    string
	Usage   string // text after "/order": "approve ID"
	Does    string // a verb phrase: "accepts the photos and closes the order"
	Example string // text after "/order" in an example

	More      []string // more sentences
	Operators bool     // only operators may
}

// Help shows the verbs that people use most, each with an example, and names the others.
func Help(main []HelpRow, others []string) kit.Message {
	p := kit.NewPage("Order photo editing without leaving Slack:")
	for _, row := range main {
		p.Say("*" + kit.Capital(kit.Inline(row.Does, 200)) + "*\n`/order " + kit.Code(row.Example) + "`")
	}
	return p.Note("`K7Q2XM` is the order code on the order's card. Leave it out if only one order fits.").
		Note("More: " + strings.Join(others, ", ") + ". To read about one: `/order help " + others[0] + "`").Message()
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
	return kit.NewPage(answer+" `/order help` lists everything I can do.").Typed("Your text:", line).Message()
}
