package cards

import (
	"regexp"
	"slices"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// HasMenu reports whether a card is current. A card in a channel that lost the order has no menu.
func HasMenu(card slack.Message) bool {
	return slices.ContainsFunc(card.Blocks.BlockSet, func(b slack.Block) bool {
		section, ok := b.(*slack.SectionBlock)
		return ok && section.Accessory != nil && section.Accessory.OverflowElement != nil
	})
}

// forWhom matches the requester on a card. Escaped text cannot match it.
var forWhom = regexp.MustCompile(`\bfor <@([UW][A-Z0-9]+)>`)

// Requester returns the requester on a card, or "".
func Requester(card slack.Message) string {
	if found := forWhom.FindStringSubmatch(card.Text); found != nil {
		return found[1]
	}
	return ""
}

// codeOnCard matches the order code at the end of a card's fact line.
var codeOnCard = regexp.MustCompile("(?m)`([0-9A-Za-z]+)`$")

// ReferenceOn returns the order code on a card, or "".
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

// FoundAgain tells the person who used a forgotten order's card that the order was found.
func FoundAgain(t store.Tracked) kit.Message {
	return kit.NewPage("I had lost my record of *" + Project(t) + "*. I found the order again by its card. It goes on as before.").
		Note("Its instructions and its history are only in this thread.").Message()
}
