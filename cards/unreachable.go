package cards

import (
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Adrift offers an order to somebody who did something to it before: it cannot be shown in its channel, and
// who asked for it is gone.
func Adrift(t store.Tracked, why order.Denial) kit.Message {
	return kit.NewPage("I have news of *"+Project(t)+"* ("+statusWords(t.Order.Status)+") and cannot post it. "+isGoneFromHere(t)+" You have worked on it, so I ask you.").
		Say(CannotPost(t.Owner.Channel, why)).
		Say("Take it over, or give it a channel that I can post in. I keep trying meanwhile, and nothing is lost.").Note(factLine(t)).
		Buttons(takeOverButton(t), moveElsewhere(t)).Message()
}

// AdriftOps tells the operations channel that nobody is left to be told of an order. Who reads it there need not
// know the order's channel: it says the id alone.
func AdriftOps(t store.Tracked) string {
	return "The order " + Said(t) + " belongs to nobody: I cannot post in its channel, and who asked for it is no longer here, nor did I find anybody who worked on it. " +
		"Its news waits, and nothing is lost. An operator gives it a channel with `/order move " + kit.Code(Handle(t)) + " #channel`."
}

// moveElsewhere opens the form that moves an order whose channel is out of reach.
func moveElsewhere(t store.Tracked) slack.BlockElement {
	return PressOf(t, "Move to another channel", "Move to another channel:", ActionMove, Value(t.ID, t.Order.Rev()))
}

// Trouble tells the requester, in a direct message, that the order's channel
// cannot be reached; another channel can have the order.
func Trouble(t store.Tracked, why order.Denial) kit.Message {
	p := kit.NewPage("I have news of *" + Project(t) + "* (" + statusWords(t.Order.Status) + ") and cannot post it.").
		Say(CannotPost(t.Owner.Channel, why)).
		Say("I keep trying: when that is mended, the news is there a few minutes later.").Note(factLine(t))
	if why != order.DeniedTokenRevoked {
		p.Buttons(moveButton(t))
	}
	return p.Message()
}
