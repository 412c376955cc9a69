package cards

import (
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// The buttons of a question to approvers.
const (
	ActionAllow   = "hold:allow"
	ActionDecline = "hold:decline"
)

// HoldMetadata marks a question to approvers; the payload holds its name.
const HoldMetadata = "darkroom_hold"

// HoldOf is the name of the question that a message is, "" when it is none. Anybody may write such metadata.
func HoldOf(m slack.Message) string {
	if m.Metadata.EventType != HoldMetadata {
		return ""
	}
	return metaText(m.Metadata.EventPayload["hold"])
}

// HoldQuestion asks the approvers in the channel whether an order may be placed; once that is decided, it says
// by whom and when, and asks for nothing. decision nil: nobody has decided.
func HoldQuestion(h store.Hold, decision *store.HoldDecision) Message {
	p := &builder{}
	switch {
	case decision == nil:
		p.say(joined(" ", mentions(h.Asks), "*May this order be placed?*", onlyIf(h.Why == store.HoldAccount, "An operator decides."))).holdFacts(h)
		p.buttons(primary("Allow", ActionAllow, h.ID()), press("Decline", ActionDecline, h.ID()))
		p.note("It is placed once " + whoAllows(h) + " it. Nothing was sent yet.")
	case decision.Anew:
		p.say("This was submitted again and is asked anew, if it must be: " + holdName(h)).note("Nothing was sent of this one.")
	case decision.Allowed:
		p.say(":white_check_mark: Allowed by " + mention(decision.By) + " " + when(decision.At) + ": " + holdName(h)).holdFacts(h)
	default:
		p.say(":no_entry_sign: Declined by " + mention(decision.By) + " " + when(decision.At) + ": " + holdName(h)).holdFacts(h)
	}
	m := p.message()
	m.Metadata = &slack.SlackMetadata{EventType: HoldMetadata, EventPayload: map[string]any{"hold": h.ID()}}
	return m
}

// whoAllows is who must allow it; a group alone is several people.
func whoAllows(h store.Hold) string {
	switch {
	case h.Why == store.HoldAccount:
		return "an operator allows"
	case len(h.Asks) == 1 && !isGroup(h.Asks[0]):
		return mention(h.Asks[0]) + " allows"
	}
	return "one of them allows"
}

// allowed says who let an order be placed, and when; "" when nobody was asked.
func allowed(b order.Brief) string {
	return onlyIf(b.AllowedBy != "", dots("Allowed by "+mention(b.AllowedBy), whenKnown(b.AllowedAt)))
}

func holdName(h store.Hold) string { return "*" + inline(orElse(h.Name, "an order"), 100) + "*" }

// holdFacts say what is to be ordered, by whom, and why that is asked.
func (p *builder) holdFacts(h store.Hold) *builder {
	p.say(mention(h.User) + " wants to order " + holdName(h) + ": " + count(h.Images, "image", "images") + ", " + holdCost(h) + ".")
	return p.say(holdWhy(h))
}

// holdCost is what the order will cost, as far as that can be said before it is placed.
func holdCost(h store.Hold) string {
	if h.Guessed {
		return "counted as " + credits(h.Cost) + " because no order has told yet what such images cost"
	}
	return "about " + credits(h.Cost) + " by what images cost here lately"
}

// canceledCount says of canceled orders what limits and reports make of them.
const canceledCount = "Canceled orders do not count."

// holdWhy is why an approver is asked.
func holdWhy(h store.Hold) string {
	switch h.Why {
	case store.HoldOrder:
		return "That is more than " + creditsOf(h.Limit) + ", the limit of one order."
	case store.HoldMonth:
		return "With the " + credits(h.Spent) + " that this channel spent this month (UTC) that is more than " + creditsOf(h.Limit) + ", its limit of a month. " + canceledCount
	case store.HoldAccount:
		return "With the " + credits(h.Spent) + " that all channels spent this month (UTC) that is more than " + creditsOf(h.Limit) + ", the account's limit of a month. " + canceledCount
	}
	return "An approver is asked about every order of theirs."
}

// Held tells who ordered that an approver is asked first.
func Held(d store.Draft, externalID string) slack.ModalViewRequest {
	h := *d.Held
	p := says("*Not placed yet*: an approver is asked first.").holdFacts(h)
	p.say("I asked " + orElse(mentions(h.Asks), "for an operator") + " in " + channelLink(h.Channel) + ". " + onlyIf(h.Why == store.HoldAccount, "An operator who is there decides, and any operator may raise the limit. ") +
		"You are told what they decide. Nothing was charged, and everything you typed is kept.")
	return p.draftButtons("Open the form", d).modal(TitleNew, externalID, draftMeta(d))
}

// HoldDeclined tells who ordered that an approver said no.
func HoldDeclined(h store.Hold, decision store.HoldDecision) Message {
	return says(mention(decision.By)+" declined your order "+holdName(h)+" in "+channelLink(h.Channel)+".").
		say("Nothing was charged, and everything you typed is kept: open the form to change it.").
		draftButtons("Open the form", store.Draft{ID: h.Draft}).message()
}

// HoldChanged tells an approver that there is no longer what they allowed.
func HoldChanged(h store.Hold) Message {
	return says("The order " + holdName(h) + " of " + mention(h.User) + " was changed, placed or discarded before you allowed it. Nothing was placed now.").message()
}

// OpsLimit tells the operations channel, once a day, that orders wait for an operator.
func OpsLimit(h store.Hold) string {
	return "An order in " + channelLink(h.Channel) + " waits for an operator there: with it the account's month would cost more than " + creditsOf(h.Limit) +
		", its limit. So do all others until the month is over (UTC), or an operator raises the limit in `/order settings`."
}

// HoldGone answers the button of a question that is no longer known, or not for this person.
const HoldGone = "There is no such question any more, or it is not for you. Nothing was done: whoever ordered may submit the order again."

// HoldDecided tells somebody that another was first.
func HoldDecided(decision store.HoldDecision) Message {
	switch {
	case decision.Anew:
		return Say("This order was submitted again meanwhile: look for the newer question. Nothing was done.")
	case decision.Allowed:
		return Say(begun(decision.By) + " has already allowed this order.")
	}
	return Say(begun(decision.By) + " has already declined this order.")
}

// NotAllower says who alone may answer such a question; nobody is an operator.
func NotAllower(channel string, approvers []string) string {
	if len(approvers) == 0 {
		return "The account's limit is the operators': only one of them decides about this. Nothing was done: ask an operator."
	}
	return "In " + channelLink(channel) + " only " + mentions(approvers) + plural(len(approvers), " decides", " decide") +
		" about this. Nothing was done: ask " + plural(len(approvers), "them", "one of them") + "."
}
