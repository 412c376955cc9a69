package cards

import (
	"regexp"
	"slices"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// HasMenu tells whether a card speaks for its order still: one in a channel that no longer has the
// order has no menu.
func HasMenu(card slack.Message) bool {
	return slices.ContainsFunc(card.Blocks.BlockSet, func(b slack.Block) bool {
		section, is := b.(*slack.SectionBlock)
		return is && section.Accessory != nil && section.Accessory.OverflowElement != nil
	})
}

// forWhom is how a card names its requester. What people wrote cannot look so: it is escaped.
var forWhom = regexp.MustCompile(`\bfor <@([UW][A-Z0-9]+)>`)

// Requester is whom a card says that its order is for, "" when it does not say.
func Requester(card slack.Message) string {
	if found := forWhom.FindStringSubmatch(card.Text); found != nil {
		return found[1]
	}
	return ""
}

// codeOnCard is how a card ends its line of facts: with what people call the order by.
var codeOnCard = regexp.MustCompile("(?m)`([0-9A-Za-z]+)`$")

// ReferenceOn is the reference that a card shows of its order, "" when it shows none.
func ReferenceOn(card slack.Message, about About) string {
	found := codeOnCard.FindAllStringSubmatch(card.Text, -1)
	if len(found) == 0 {
		return ""
	}
	code := found[len(found)-1][1]
	if code == about.Order || order.ReferenceIn("["+code+"]") != code {
		return ""
	}
	return code
}

// FoundAgain tells who used the card of an order that had been forgotten.
func FoundAgain(t store.Tracked) kit.Message {
	return kit.NewPage("I had lost my record of *" + Project(t) + "*, and have found the order again by its card. It goes on here as before.").
		Note("What I no longer know is the brief, and who did what meanwhile: this thread has it.").Message()
}
