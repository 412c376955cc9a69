package cards

import (
	"regexp"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/order"
	"darkroom/store"
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
func FoundAgain(t store.Tracked) Message {
	return says("I had lost my record of *" + project(t) + "*, and have found the order again by its card. It goes on here as before.").
		note("What I no longer know is the brief, and who did what meanwhile: this thread has it.").message()
}

// OpsForgotten tells operators that Redis came back as it was before.
func OpsForgotten() string {
	return ":warning: Redis came back as it was before: an order that was placed since is not in it, and was found again by its card. " +
		"I order nothing again before I have looked for it at the service. Others like it are found as soon as somebody presses a button of their card or mentions me in its thread; " +
		"until then I do not follow them, and their channels hear nothing of them: look at `/order list account` for that time, and use each card once. " +
		"What people set, moved or untracked since then is as it was before, and must be done again."
}
