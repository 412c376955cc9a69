package cards

import (
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// labelTakeOver labels the button that makes its user the requester.
const labelTakeOver = "Take Over"

// mentionRequester mentions the requester, unless they get it by direct message, or says that they have left.
func mentionRequester(t store.Tracked) string {
	return kit.Either(t.Owner.Deactivated != "", requesterLeft(t), kit.OnlyIf(!t.Owner.Direct, kit.Notify(t.Owner.Requester)))
}

// requesterLeft says that the requester has left, by name if it is known.
func requesterLeft(t store.Tracked) string {
	if who := t.Owner.Deactivated; who != "" && who != order.FormerPerson {
		return "*" + kit.Inline(who, 80) + "* has left this workspace."
	}
	return "*The requester* has left this workspace."
}

// takeOver returns the take-over button, or none while the requester is here.
func takeOver(t store.Tracked) []slack.BlockElement {
	if t.Owner.Deactivated == "" {
		return nil
	}
	return []slack.BlockElement{takeOverButton(t)}
}

func takeOverButton(t store.Tracked) slack.BlockElement {
	return OrderButton(t, labelTakeOver, labelTakeOver, ActionTakeOver, Value(t.ID, t.Order.Rev()))
}

// TakenOver confirms a take-over. An order whose channel is unreachable can be moved.
func TakenOver(t store.Tracked, unreachable bool) kit.Message {
	p := kit.NewPage(Expand(":white_check_mark: {order} is yours now. I call you when it needs somebody.", t))
	if unreachable {
		p.Say("I still cannot post in " + kit.ChannelLink(t.Owner.Channel) + ". Unarchive it, or move the order to another channel.").Buttons(moveElsewhere(t))
	}
	return p.Message()
}

// AlreadyOwned says that the order has a requester who is here.
func AlreadyOwned(t store.Tracked, user string) kit.Message {
	if t.Owner.Requester == user {
		return kit.Say(Expand("{order} is yours already.", t))
	}
	return kit.Say(kit.Subject(t.Owner.Requester) + Expand(" is the requester of {order}, and has not left. Nothing was changed.", t))
}

// Unreachable offers an order to somebody who worked on it. Its channel is unreachable and its requester has
// left.
func Unreachable(t store.Tracked, why order.Denial) kit.Message {
	return kit.NewPage("I cannot post an update of *"+Project(t)+"* ("+statusWords(t.Order.Status)+"). "+requesterLeft(t)+" You have worked on it, so I ask you.").
		Say(CannotPost(t.Owner.Channel, why)).
		Say("Take it over, or move it to a channel that I can post in. I keep trying, and nothing is lost.").Note(factLine(t)).
		Buttons(takeOverButton(t), moveElsewhere(t)).Message()
}

// UnreachableOps tells operators about an order that nobody can be asked about. It names only the order code,
// because operators may not know the channel.
func UnreachableOps(t store.Tracked) string {
	return "I cannot post updates on order " + OrderCode(t) + ". Its requester has left, and I found nobody who worked on it. " +
		"Nothing is lost. Operators: `/order move " + kit.Code(Handle(t)) + " #channel`"
}

// moveElsewhere returns the button that moves an order out of an unreachable channel.
func moveElsewhere(t store.Tracked) slack.BlockElement {
	return OrderButton(t, "Move This Order", "Move This Order:", ActionMove, Value(t.ID, t.Order.Rev()))
}

// ChannelUnreachable tells the requester that the order's channel is unreachable, and offers to move it.
func ChannelUnreachable(t store.Tracked, why order.Denial) kit.Message {
	p := kit.NewPage("I cannot post an update of *" + Project(t) + "* (" + statusWords(t.Order.Status) + ").").
		Say(CannotPost(t.Owner.Channel, why)).
		Say("I keep trying. When this is fixed, the update follows within minutes.").Note(factLine(t))
	if why != order.DeniedTokenRevoked {
		p.Buttons(moveButton(t))
	}
	return p.Message()
}
