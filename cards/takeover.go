package cards

import (
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// labelTakeOver labels the button that makes its user the requester.
const labelTakeOver = "Take over"

// mentionRequester mentions the requester, or says that they have left.
func mentionRequester(t store.Tracked) string {
	return kit.Either(t.Owner.Departed != "", requesterLeft(t), kit.Notify(t.Owner.Requester))
}

// requesterLeft says that the requester has left, by name if it is known.
func requesterLeft(t store.Tracked) string {
	if who := t.Owner.Departed; who != "" && who != order.FormerPerson {
		return "*" + kit.Inline(who, 80) + "* is no longer here."
	}
	return "*Who asked for this order* is no longer here."
}

// takeOver returns the take-over button, or none while the requester is here.
func takeOver(t store.Tracked) []slack.BlockElement {
	if t.Owner.Departed == "" {
		return nil
	}
	return []slack.BlockElement{takeOverButton(t)}
}

func takeOverButton(t store.Tracked) slack.BlockElement {
	return PressOf(t, labelTakeOver, labelTakeOver, ActionTakeOver, Value(t.ID, t.Order.Rev()))
}

// TakenOver confirms a take-over. An order whose channel is unreachable can be moved.
func TakenOver(t store.Tracked, unreachable bool) kit.Message {
	p := kit.NewPage(Expand(":white_check_mark: {order} is yours now: when it needs somebody, I call you.", t))
	if unreachable {
		p.Say("I still cannot post in " + kit.ChannelLink(t.Owner.Channel) + ": bring it back, or hand the order to another channel.").Buttons(moveElsewhere(t))
	}
	return p.Message()
}

// AlreadyOwned says that the order has a requester who is here.
func Owned(t store.Tracked, user string) kit.Message {
	if t.Owner.Requester == user {
		return kit.Say(Expand("{order} is yours already.", t))
	}
	return kit.Say(kit.Subject(t.Owner.Requester) + Expand(" has {order}, and is here. Nothing was changed.", t))
}
