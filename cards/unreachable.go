package cards

import (
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Unreachable offers an order to somebody who worked on it. Its channel is unreachable and its requester has
// left.
func Adrift(t store.Tracked, why order.Denial) kit.Message {
	return kit.NewPage("I have news of *"+Project(t)+"* ("+statusWords(t.Order.Status)+") and cannot post it. "+requesterLeft(t)+" You have worked on it, so I ask you.").
		Say(CannotPost(t.Owner.Channel, why)).
		Say("Take it over, or give it a channel that I can post in. I keep trying meanwhile, and nothing is lost.").Note(factLine(t)).
		Buttons(takeOverButton(t), moveElsewhere(t)).Message()
}

// UnreachableOps tells operators about an order that nobody can be asked about. It names only the order code,
// because operators may not know the channel.
func AdriftOps(t store.Tracked) string {
	return "The order " + Said(t) + " belongs to nobody: I cannot post in its channel, and who asked for it is no longer here, nor did I find anybody who worked on it. " +
		"Its news waits, and nothing is lost. An operator gives it a channel with `/order move " + kit.Code(Handle(t)) + " #channel`."
}

// moveElsewhere returns the button that moves an order out of an unreachable channel.
func moveElsewhere(t store.Tracked) slack.BlockElement {
	return PressOf(t, "Move to another channel", "Move to another channel:", ActionMove, Value(t.ID, t.Order.Rev()))
}

// Trouble tells the requester that the order's channel is unreachable, and offers to move it.
func Trouble(t store.Tracked, why order.Denial) kit.Message {
	p := kit.NewPage("I have news of *" + Project(t) + "* (" + statusWords(t.Order.Status) + ") and cannot post it.").
		Say(CannotPost(t.Owner.Channel, why)).
		Say("I keep trying: when that is mended, the news is there a few minutes later.").Note(factLine(t))
	if why != order.DeniedTokenRevoked {
		p.Buttons(moveButton(t))
	}
	return p.Message()
}
