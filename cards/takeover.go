package cards

import (
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// labelTakeOver is what it is called everywhere to become whose order it is.
const labelTakeOver = "Take over"

// toWhom is whom news asks to look: the requester, or that they are no longer here.
func toWhom(t store.Tracked) string {
	if t.Owner.Departed != "" {
		return isGoneFromHere(t)
	}
	return kit.Notify(t.Owner.Requester)
}

// isGoneFromHere says of the requester that they are no longer here: by their name, as long as anybody knows it.
func isGoneFromHere(t store.Tracked) string {
	if who := t.Owner.Departed; who != "" && who != order.FormerPerson {
		return "*" + kit.Inline(who, 80) + "* is no longer here."
	}
	return "*Who asked for this order* is no longer here."
}

// takeOver is the button beside that, none while the requester is here.
func takeOver(t store.Tracked) []slack.BlockElement {
	if t.Owner.Departed == "" {
		return nil
	}
	return []slack.BlockElement{takeOverButton(t)}
}

func takeOverButton(t store.Tracked) slack.BlockElement {
	return PressOf(t, labelTakeOver, labelTakeOver, ActionTakeOver, Value(t.ID, t.Order.Rev()))
}

// TakenOver tells who took an order over that it is theirs. One whose channel is out of reach can be moved.
func TakenOver(t store.Tracked, adrift bool) kit.Message {
	p := kit.NewPage(Expand(":white_check_mark: {order} is yours now: when it needs somebody, I call you.", t))
	if adrift {
		p.Say("I still cannot post in " + kit.ChannelLink(t.Owner.Channel) + ": bring it back, or hand the order to another channel.").Buttons(moveElsewhere(t))
	}
	return p.Message()
}

// Owned tells somebody whose an order is that they wanted to take over.
func Owned(t store.Tracked, user string) kit.Message {
	if t.Owner.Requester == user {
		return kit.Say(Expand("{order} is yours already.", t))
	}
	return kit.Say(kit.Subject(t.Owner.Requester) + Expand(" has {order}, and is here. Nothing was changed.", t))
}
