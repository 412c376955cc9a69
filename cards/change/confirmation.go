// Package change has the forms of the three verbs that change an order: approve, revise and cancel.
package change

import (
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Confirmation is a submitted approve or cancel form, bound to what its user saw.
type Confirmation struct {
	kit.Meta
	Words string // the feedback or the reason
}

// decodeConfirmation reads the form. button is the label that opens it again.
func decodeConfirmation(view slack.View, field, button string) (Confirmation, map[string]string) {
	c := Confirmation{kit.DecodeMeta(view.PrivateMetadata), kit.TextOf(view, field)}
	if c.Order != "" {
		return c, nil
	}
	return c, kit.Beside(view, field, "I cannot tell which order this is. Copy your text, close this window and press "+button+" again.")
}

// addConfirmation adds the inputs for the feedback or the reason.
func addConfirmation(p *kit.Page, t store.Tracked, field, label, hint, words string) *kit.Page {
	return p.Boxes(field, label, hint, kit.Parts(words, kit.MaxInput, kit.MaxTextBoxes), func(part int) string { return kit.BlockID(field, t.Order.Rev(), part) })
}

// addRefusal begins a form that the service refused.
func addRefusal(p *kit.Page, what string, t store.Tracked, problems kit.Problems) *kit.Page {
	return p.Problems(cards.Expand("{order} was not "+what+". The photo service says:", t), problems,
		cards.Expand("Your text is saved. Try again, or look at the order first: `/order show {handle}`", t))
}

// newer says that the order has newer images than the person saw.
func newer(t store.Tracked, seen int) string {
	if seen < t.Order.Rev() {
		return "You saw " + cards.Round(seen) + ". *" + cards.Project(t) + "* has newer photos: " + cards.Round(t.Order.Rev()) + "."
	}
	return "*" + cards.Project(t) + "* has other photos now than those you saw."
}
