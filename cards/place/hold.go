package place

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Action ids of the buttons that answer a question to approvers.
const (
	ActionAllow   = "hold:allow"
	ActionDecline = "hold:decline"
	// ActionHoldCredits shows credits to people who may read them.
	ActionHoldCredits = "hold:credits"
)

// MaxFailed bounds how many failed orders are named. The file has all.
const MaxFailed = 15

// HoldOf returns the name of a question to approvers, or "" for other messages. Anybody may write such
// metadata.
func HoldOf(m slack.Message) string { return kit.MetadataText(m, cards.HoldMetadata, "hold") }

// HoldQuestion asks approvers whether orders may be placed. With a decision it says who decided, when, and how
// the drafts ended.
func HoldQuestion(h store.Hold, decision *store.HoldDecision, drafts ...store.Draft) kit.Message {
	p := &kit.Page{}
	if decision == nil {
		may := kit.Either(len(h.Orders) > 1, "*May these orders be placed?*", "*May this order be placed?*")
		addHoldFacts(p.Say(kit.Join(" ", kit.MentionAll(h.Asks), may, kit.OnlyIf(h.Why == store.HoldAccount, "An operator decides."))), h)
		buttons := []slack.BlockElement{kit.PrimaryButton("Allow", ActionAllow, h.ID()), kit.Button("Decline", ActionDecline, h.ID())}
		if h.Hides {
			buttons = append(buttons, kit.Button("Show Credits", ActionHoldCredits, h.ID()))
		}
		p.Buttons(buttons...)
		placed, it := kit.Either(len(h.Orders) > 1, "They are placed", "It is placed"), kit.Either(len(h.Orders) > 1, "them", "it")
		p.Note(placed + " once " + whoAllows(h) + " " + it + ". Nothing was sent yet. This question closes after 7 days.")
	} else {
		addHoldDecided(p, h, *decision, drafts)
	}
	m := p.Message()
	m.Metadata = &slack.SlackMetadata{EventType: cards.HoldMetadata, EventPayload: map[string]any{"hold": h.ID()}}
	return m
}

// addHoldDecided says how a question ended.
func addHoldDecided(p *kit.Page, h store.Hold, decision store.HoldDecision, drafts []store.Draft) {
	if decision.Spent.Valid {
		h.Spent = decision.Spent.Decimal
	}
	switch {
	case decision.Anew:
		p.Say(holdName(h) + " was submitted again. I ask again if it needs approval.").Note("Nothing was sent.")
	case decision.Became == store.DraftDiscarded:
		addHoldFacts(p.Say(":wastebasket: Discarded "+kit.Names(h.Names).By(h.User)+": "+holdName(h)), h).Note("You need not decide any more.")
	case decision.Became == store.DraftPlaced:
		addHoldFacts(p.Say(":white_check_mark: Placed: "+holdName(h)), h).Note("The photo service had it already. You need not decide any more.")
	case decision.Ended:
		addHoldFacts(p.Say(":hourglass: Nobody decided within 7 days: "+holdName(h)), h).Note("Nothing was sent. The requester can submit it again.")
	case decision.Allowed:
		addHoldFacts(p.Say(":white_check_mark: Allowed "+kit.Names(h.Names).By(decision.By)+" "+kit.When(decision.At)+": "+holdName(h)), h).Say(holdOutcome(h, drafts))
	default:
		addHoldFacts(p.Say(":no_entry_sign: Declined "+kit.Names(h.Names).By(decision.By)+" "+kit.When(decision.At)+": "+holdName(h)), h)
	}
}

// holdOutcome says how the allowed orders ended, or returns "" if unknown.
func holdOutcome(h store.Hold, drafts []store.Draft) string {
	var said []string
	for _, outcome := range []struct {
		one, many string
		is        func(d store.Draft) bool
	}{
		{"It is placed.", "placed", func(d store.Draft) bool { return d.State == store.DraftPlaced }},
		{"It is on its way.", "on the way", func(d store.Draft) bool { return d.State == store.DraftPlacing }},
		{"I asked an operator: it also passes the account's limit.", "waiting for an operator", func(d store.Draft) bool { return d.IsHeld() && d.Hold.Why == store.HoldAccount }},
		{"I ask again, for another reason.", "asked about again", func(d store.Draft) bool { return d.IsHeld() && d.Hold.Why != store.HoldAccount }},
		{":warning: Nobody knows whether it was placed. The requester decides.", "not known", func(d store.Draft) bool { return d.State == store.DraftUnknown }},
		{":no_entry_sign: It was not allowed when I asked again. The requester has it back.", "not allowed in the end", func(d store.Draft) bool { return d.State == store.DraftRefused && HoldAnswer(d) != "" }},
		{":warning: It could not be placed. The requester has it back.", "not placed", func(d store.Draft) bool { return d.State == store.DraftRefused && !d.IsHeld() && HoldAnswer(d) == "" }},
		{":warning: It could not be placed, and was discarded.", "discarded", func(d store.Draft) bool { return d.State == store.DraftDiscarded }},
	} {
		switch n := kit.CountFunc(drafts, func(d store.Draft) bool { return allowedBy(h, d) && outcome.is(d) }); {
		case n > 0 && len(h.Orders) == 0:
			return outcome.one
		case n > 0:
			said = append(said, strconv.Itoa(n)+" "+outcome.many)
		}
	}
	switch changed := kit.CountFunc(drafts, func(d store.Draft) bool { return !allowedBy(h, d) }); {
	case changed > 0 && len(h.Orders) == 0:
		return ":warning: It was changed, placed or discarded before. Nothing was placed now."
	case changed > 0:
		said = append(said, strconv.Itoa(changed)+" changed before")
	}
	return kit.FullStop(strings.Join(said, ", "))
}

// allowedBy reports whether this question's answer submitted the draft.
func allowedBy(h store.Hold, d store.Draft) bool {
	return d.Allowed != nil && slices.Contains(d.Allowed.Questions(), h.ID())
}

// whoAllows names who must allow the order. A single user group counts as several people.
func whoAllows(h store.Hold) string {
	switch {
	case h.Why == store.HoldAccount:
		return "an operator allows"
	case len(h.Asks) == 1 && !kit.IsGroup(h.Asks[0]):
		return kit.Names(h.Names).Person(h.Asks[0]) + " allows"
	}
	return "one of them allows"
}

func holdName(h store.Hold) string { return "*" + kit.Inline(cmp.Or(h.Name, "an order"), 100) + "*" }

// addHoldFacts says what is ordered, by whom, and why approval is needed.
func addHoldFacts(p *kit.Page, h store.Hold) *kit.Page {
	several := kit.OnlyIf(len(h.Orders) > 0, kit.Count(len(h.Orders), "order", "orders"))
	p.Say(kit.Names(h.Names).Subject(h.User) + " wants to order " + holdName(h) + ": " + kit.Join(", ", several, kit.Count(h.Images, "photo", "photos")) + ".")
	p.Say(kit.OnlyIf(!h.Hides, holdCost(h)))
	return p.Say(HoldWhy(h))
}

// holdCost says the order's cost and where it comes from.
func holdCost(h store.Hold) string {
	if h.Guessed {
		return "I count " + kit.CreditCount(h.Cost) + ". No order in this channel has a price yet."
	}
	return "About " + kit.CreditCount(h.Cost) + ", " + kit.Either(h.Listed, bySource(order.FromList), "by recent orders") + "."
}

// canceledCount says that limits and reports skip canceled orders.
const canceledCount = "Canceled orders do not count."

// HoldWhy says why an approver is asked.
func HoldWhy(h store.Hold) string {
	switch spent := " spent " + kit.CreditCount(h.Spent) + " this month (UTC). "; {
	case h.Why == store.HoldOrder && h.Hides:
		return "It passes this channel's limit for one order."
	case h.Why == store.HoldOrder && len(h.Orders) > 1:
		return "Each passes the limit of " + kit.CreditsOf(h.Limit) + " for one order."
	case h.Why == store.HoldOrder:
		return "It passes the limit of " + kit.CreditsOf(h.Limit) + " for one order."
	case h.Why == store.HoldMonth && h.Hides:
		return "It passes this channel's limit for the month (UTC). " + canceledCount
	case h.Why == store.HoldMonth:
		return "This channel" + spent + "This order would pass its limit of " + kit.CreditsOf(h.Limit) + ". " + canceledCount
	case h.Why == store.HoldAccount && h.Hides:
		return "It passes the account's limit for the month (UTC). " + canceledCount
	case h.Why == store.HoldAccount:
		return "All channels" + spent + "This order would pass the account's limit of " + kit.CreditsOf(h.Limit) + ". " + canceledCount
	}
	return "All their orders need approval."
}

// HoldCredits shows the credits that a question hides, to somebody who may read them.
func HoldCredits(h store.Hold) kit.Message {
	h.Hides = false
	return addHoldFacts(&kit.Page{}, h).Message()
}

// HoldCreditsDenied answers somebody who may not read credits.
const HoldCreditsDenied = "You cannot see credits. Only operators see them on this account."

// AwaitingApproval tells the requester that an approver is asked first.
func AwaitingApproval(d store.Draft, externalID string) slack.ModalViewRequest {
	h := *d.Hold
	p := addHoldFacts(kit.NewPage("*Needs approval*: I ask an approver first. Your order is not placed yet."), h)
	p.Say("I asked " + cmp.Or(kit.MentionAll(h.Asks), "for an operator") + " in " + kit.ChannelLink(h.Channel) + ". " + kit.OnlyIf(h.Why == store.HoldAccount, "An operator there decides, or raises the limit. ") +
		"I tell you what they decide. Nothing was charged. Everything you typed is saved.")
	return addDraftButtons(p, "Open the Form", d).Modal(titleApproval, externalID, draftMeta(d))
}

// HoldRefused tells the requester that an approver declined, or nobody answered.
func HoldRefused(h store.Hold, decision store.HoldDecision) kit.Message {
	what := kit.Either(len(h.Orders) > 0, kit.Count(len(h.Orders), "order", "orders")+" of your batch ", "your order ") + holdName(h) + " in " + kit.ChannelLink(h.Channel)
	p := kit.NewPage(kit.Either(decision.Ended, "Nobody decided about "+what+" within 7 days.", kit.Mention(decision.By)+" declined "+what+"."))
	if len(h.Orders) > 0 {
		return p.Say("Nothing was charged. Everything you typed is saved. Open each form from the batch's message.").Message()
	}
	return addDraftButtons(p.Say("Nothing was charged. Everything you typed is saved. Open the form to change it."), "Open the Form", store.Draft{ID: h.Draft}).Message()
}

// HoldAnswer says in plain text why an order was not allowed, or returns "" for other orders.
func HoldAnswer(d store.Draft) string {
	switch h := d.Hold; {
	case h == nil || h.Answer == nil || d.Attempt != h.Attempt:
		return ""
	case h.Answer.Ended:
		return "Nobody decided about it within 7 days."
	}
	return "An approver declined it."
}

// HoldNotPlaced tells an approver why allowed orders were not placed.
func HoldNotPlaced(drafts ...store.Draft) kit.Message {
	p := &kit.Page{}
	for _, d := range drafts[:min(len(drafts), MaxFailed)] {
		p.Say(":warning: The order *" + kit.Inline(d.ProjectName, 100) + "* that you allowed is not placed. " + kit.EscapeTo(whyNotAllowed(d), 600))
	}
	more := len(drafts) - MaxFailed
	p.Note(kit.OnlyIf(more > 0, "And "+strconv.Itoa(more)+" more."))
	return p.Say(kit.Either(len(drafts) > 1, "They are", "It is") + " saved for " + kit.Mention(drafts[0].User) + ". You need not do anything.").Message()
}

// whyNotAllowed says in plain text why an allowed order was not placed.
func whyNotAllowed(d store.Draft) string {
	switch {
	case d.State == store.DraftUnknown:
		return "I do not know whether the photo service has it."
	case d.Unpostable != "":
		return "The requester may no longer order in its channel, or I cannot post there."
	}
	return cmp.Or(strings.Join(Named(d, d.Problems), " "), "It was taken back.")
}

// HoldChanged tells an approver that allowed orders had changed before.
func HoldChanged(h store.Hold, changed int) kit.Message {
	which := kit.Either(len(h.Orders) > 0, kit.Count(changed, "order", "orders")+" of the batch ", "The order ") + holdName(h)
	return kit.NewPage(which + " of " + kit.Mention(h.User) + " " + kit.Plural(changed, "was", "were") + " changed, placed or discarded before. Nothing was placed now.").Message()
}

// OpsLimit tells operators, once a day, that orders wait for them.
func OpsLimit(h store.Hold) string {
	return "An order in " + kit.ChannelLink(h.Channel) + " waits for an operator there. It would pass the account's limit of " + kit.CreditsOf(h.Limit) +
		" this month. All orders wait until the month ends (UTC) or an operator raises the limit in `/order settings`."
}

// HoldGone answers a question that is unknown, or not for this person.
const HoldGone = "This question is closed, or you cannot answer it. Nothing changed."

// HoldDecided says that somebody else decided first.
func HoldDecided(decision store.HoldDecision) kit.Message {
	switch {
	case decision.Ended:
		return kit.Say("This question closed after 7 days. Nothing changed. The requester can submit the order again.")
	case decision.Became == store.DraftDiscarded:
		return kit.Say("The requester discarded this order. Nothing changed.")
	case decision.Became == store.DraftPlaced:
		return kit.Say("This order is placed already. Nothing changed.")
	case decision.Anew:
		return kit.Say("This order was submitted again. Answer the newer question. Nothing changed.")
	case decision.Allowed:
		return kit.Say(kit.Subject(decision.By) + " has already allowed this order.")
	}
	return kit.Say(kit.Subject(decision.By) + " has already declined this order.")
}

// NotAllower says who may answer a question. Without approvers only operators may.
func NotAllower(channel string, approvers []string) string {
	if len(approvers) == 0 {
		return "Only operators decide about the account's limit. Nothing changed. Ask an operator."
	}
	return "In " + kit.ChannelLink(channel) + " only " + kit.MentionAll(approvers) + kit.Plural(len(approvers), " decides", " decide") +
		" about this. Nothing changed. Ask " + kit.Plural(len(approvers), "them", "one of them") + "."
}

// NotOwnHold answers a person who tries to allow their own order.
const NotOwnHold = "This is your own order. Another approver must decide. Nothing changed."
