package cards

import (
	"github.com/slack-go/slack"

	"darkroom/order"
	"darkroom/store"
)

// labelTakeOver is what it is called everywhere to become whose order it is.
const labelTakeOver = "Take over"

// toWhom is whom news asks to look: the requester, or that they are no longer here.
func toWhom(t store.Tracked) string {
	if t.Owner.Departed != "" {
		return isGoneFromHere(t)
	}
	return called(t.Owner.Requester)
}

// isGoneFromHere says of the requester that they are no longer here: by their name, as long as anybody knows it.
func isGoneFromHere(t store.Tracked) string {
	if who := t.Owner.Departed; who != "" && who != order.FormerPerson {
		return "*" + inline(who, 80) + "* is no longer here."
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
	return pressOf(t, labelTakeOver, labelTakeOver, ActionTakeOver, Value(t.ID, t.Order.Rev()))
}

// TakenOver tells who took an order over that it is theirs. One whose channel is out of reach can be moved.
func TakenOver(t store.Tracked, adrift bool) Message {
	p := says(expand(":white_check_mark: {order} is yours now: when it needs somebody, I call you.", t))
	if adrift {
		p.say("I still cannot post in " + channelLink(t.Owner.Channel) + ": bring it back, or hand the order to another channel.").buttons(moveElsewhere(t))
	}
	return p.message()
}

// Owned tells somebody whose an order is that they wanted to take over.
func Owned(t store.Tracked, user string) Message {
	if t.Owner.Requester == user {
		return Say(expand("{order} is yours already.", t))
	}
	return Say(begun(t.Owner.Requester) + expand(" has {order}, and is here. Nothing was changed.", t))
}

// Adrift offers an order to somebody who did something to it before: it cannot be shown in its channel, and
// who asked for it is gone.
func Adrift(t store.Tracked, why order.Denial) Message {
	return says("I have news of *"+project(t)+"* ("+statusWords(t.Order.Status)+") and cannot post it. "+isGoneFromHere(t)+" You have worked on it, so I ask you.").
		say(CannotPost(t.Owner.Channel, why)).
		say("Take it over, or give it a channel that I can post in. I keep trying meanwhile, and nothing is lost.").note(factLine(t)).
		buttons(takeOverButton(t), moveElsewhere(t)).message()
}

// AdriftOps tells the operations channel that nobody is left to be told of an order. Who reads it there need not
// know the order's channel: it says the id alone.
func AdriftOps(t store.Tracked) string {
	return "The order " + said(t) + " belongs to nobody: I cannot post in its channel, and who asked for it is no longer here, nor did I find anybody who worked on it. " +
		"Its news waits, and nothing is lost. An operator gives it a channel with `/order move " + code(handle(t)) + " #channel`."
}

// moveElsewhere opens the form that moves an order whose channel is out of reach.
func moveElsewhere(t store.Tracked) slack.BlockElement {
	return pressOf(t, "Move to another channel", "Move to another channel:", ActionMove, Value(t.ID, t.Order.Rev()))
}
