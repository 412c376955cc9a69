package place

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
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
		p.Note(placed + " once " + whoAllows(h) + " " + it + ". Nothing was sent yet. Without an answer this ends after 7 days.")
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
		p.Say("This was submitted again and is asked anew, if it must be: " + holdName(h)).Note("Nothing was sent of this one.")
	case decision.Became == store.DraftDiscarded:
		addHoldFacts(p.Say(":wastebasket: Discarded "+kit.Names(h.Names).By(h.User)+": "+holdName(h)), h).Note("There is nothing left to decide.")
	case decision.Became == store.DraftPlaced:
		addHoldFacts(p.Say(":white_check_mark: Placed: "+holdName(h)), h).Note("An earlier submission of it turned up at the service. There is nothing left to decide.")
	case decision.Ended:
		addHoldFacts(p.Say(":hourglass: Nobody decided within 7 days: "+holdName(h)), h).Note("Nothing was sent. Whoever ordered may submit it again.")
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
		{"An operator is asked now: it goes over the account's limit, too.", "asked of an operator", func(d store.Draft) bool { return d.IsHeld() && d.Hold.Why == store.HoldAccount }},
		{"It is asked about once more, for another reason.", "asked about once more", func(d store.Draft) bool { return d.IsHeld() && d.Hold.Why != store.HoldAccount }},
		{":warning: Nobody knows whether it was placed. Whoever ordered decides.", "not known", func(d store.Draft) bool { return d.State == store.DraftUnknown }},
		{":no_entry_sign: It was not allowed when it was asked about once more. Whoever ordered has it back.", "not allowed in the end", func(d store.Draft) bool { return d.State == store.DraftRefused && HoldAnswer(d) != "" }},
		{":warning: It could not be placed. Whoever ordered has it back.", "not placed", func(d store.Draft) bool { return d.State == store.DraftRefused && !d.IsHeld() && HoldAnswer(d) == "" }},
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
		return ":warning: It was changed, placed or discarded before that. Nothing was placed by this."
	case changed > 0:
		said = append(said, strconv.Itoa(changed)+" changed before that")
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
	p.Say(kit.Names(h.Names).Subject(h.User) + " wants to order " + holdName(h) + ": " + kit.Join(", ", several, kit.Count(h.Images, "image", "images"), kit.OnlyIf(!h.Hides, holdCost(h))) + ".")
	return p.Say(HoldWhy(h))
}

// holdCost estimates the order's cost.
func holdCost(h store.Hold) string {
	if h.Guessed {
		return "counted as " + kit.CreditCount(h.Cost) + " because no order has told yet what such images cost"
	}
	return "about " + kit.CreditCount(h.Cost) + " by what images cost here lately"
}

// canceledCount says that limits and reports skip canceled orders.
const canceledCount = "Canceled orders do not count."

// HoldWhy says why an approver is asked.
func HoldWhy(h store.Hold) string {
	switch month := "With the " + kit.CreditCount(h.Spent) + " that "; {
	case h.Why == store.HoldOrder && h.Hides:
		return "That is more than one order may cost here."
	case h.Why == store.HoldOrder && len(h.Orders) > 1:
		return "Each is more than " + kit.CreditsOf(h.Limit) + ", the limit of one order."
	case h.Why == store.HoldOrder:
		return "That is more than " + kit.CreditsOf(h.Limit) + ", the limit of one order."
	case h.Why == store.HoldMonth && h.Hides:
		return "With it this channel's month (UTC) costs more than it may. " + canceledCount
	case h.Why == store.HoldMonth:
		return month + "this channel spent this month (UTC) that is more than " + kit.CreditsOf(h.Limit) + ", its limit of a month. " + canceledCount
	case h.Why == store.HoldAccount && h.Hides:
		return "With it the account's month (UTC) costs more than it may, in all channels together. " + canceledCount
	case h.Why == store.HoldAccount:
		return month + "all channels spent this month (UTC) that is more than " + kit.CreditsOf(h.Limit) + ", the account's limit of a month. " + canceledCount
	}
	return "An approver is asked about every order of theirs."
}

// HoldCredits shows the credits that a question hides, to somebody who may read them.
func HoldCredits(h store.Hold) kit.Message {
	h.Hides = false
	return addHoldFacts(&kit.Page{}, h).Message()
}

// HoldCreditsDenied answers somebody who may not read credits.
const HoldCreditsDenied = "Credits are not shown to you: on this account only operators read them, and guests never do."

// AwaitingApproval tells the requester that an approver is asked first.
func AwaitingApproval(d store.Draft, externalID string) slack.ModalViewRequest {
	h := *d.Hold
	p := addHoldFacts(kit.NewPage("*Not placed yet*: an approver is asked first."), h)
	p.Say("I asked " + cmp.Or(kit.MentionAll(h.Asks), "for an operator") + " in " + kit.ChannelLink(h.Channel) + ". " + kit.OnlyIf(h.Why == store.HoldAccount, "An operator who is there decides, and any operator may raise the limit. ") +
		"You are told what they decide. Nothing was charged, and everything you typed is kept.")
	return addDraftButtons(p, "Open the Form", d).Modal(Title, externalID, draftMeta(d))
}

// HoldRefused tells the requester that an approver declined, or nobody answered.
func HoldRefused(h store.Hold, decision store.HoldDecision) kit.Message {
	what := kit.Either(len(h.Orders) > 0, kit.Count(len(h.Orders), "order", "orders")+" of your batch ", "your order ") + holdName(h) + " in " + kit.ChannelLink(h.Channel)
	p := kit.NewPage(kit.Either(decision.Ended, "Nobody decided about "+what+" within 7 days.", kit.Mention(decision.By)+" declined "+what+"."))
	if len(h.Orders) > 0 {
		return p.Say("Nothing was charged, and everything you typed is kept: the batch's message leads to each form.").Message()
	}
	return addDraftButtons(p.Say("Nothing was charged, and everything you typed is kept: open the form to change it."), "Open the Form", store.Draft{ID: h.Draft}).Message()
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
	return p.Say(kit.Either(len(drafts) > 1, "They are", "It is") + " kept with " + kit.Mention(drafts[0].User) + ". There is nothing for you to do.").Message()
}

// whyNotAllowed says in plain text why an allowed order was not placed.
func whyNotAllowed(d store.Draft) string {
	switch {
	case d.State == store.DraftUnknown:
		return "I do not know whether the service has it."
	case d.Unpostable != "":
		return "Whoever ordered may no longer order in its channel, or I cannot post there."
	}
	return cmp.Or(strings.Join(Named(d, d.Problems), " "), "It was taken back.")
}

// HoldChanged tells an approver that allowed orders had changed before.
func HoldChanged(h store.Hold, changed int) kit.Message {
	which := kit.Either(len(h.Orders) > 0, kit.Count(changed, "order", "orders")+" of the batch ", "The order ") + holdName(h)
	return kit.NewPage(which + " of " + kit.Mention(h.User) + " " + kit.Plural(changed, "was", "were") + " changed, placed or discarded before you allowed it. Nothing was placed of " + kit.Plural(changed, "it", "them") + " now.").Message()
}

// OpsLimit tells operators, once a day, that orders wait for them.
func OpsLimit(h store.Hold) string {
	return "An order in " + kit.ChannelLink(h.Channel) + " waits for an operator there: with it the account's month would cost more than " + kit.CreditsOf(h.Limit) +
		", its limit. So do all others until the month is over (UTC), or an operator raises the limit in `/order settings`."
}

// HoldGone answers a question that is unknown, or not for this person.
const HoldGone = "There is no such question any more, or it is not for you. Nothing was done: whoever ordered may submit the order again."

// HoldDecided says that somebody else decided first.
func HoldDecided(decision store.HoldDecision) kit.Message {
	switch {
	case decision.Ended:
		return kit.Say("This question ended after 7 days without an answer. Nothing was done. Whoever ordered may submit the order again.")
	case decision.Became == store.DraftDiscarded:
		return kit.Say("Whoever ordered has discarded this order. Nothing was done.")
	case decision.Became == store.DraftPlaced:
		return kit.Say("This order is placed already: an earlier submission of it turned up. Nothing was done.")
	case decision.Anew:
		return kit.Say("This order was submitted again meanwhile: look for the newer question. Nothing was done.")
	case decision.Allowed:
		return kit.Say(kit.Subject(decision.By) + " has already allowed this order.")
	}
	return kit.Say(kit.Subject(decision.By) + " has already declined this order.")
}

// NotAllower says who may answer a question. Without approvers only operators may.
func NotAllower(channel string, approvers []string) string {
	if len(approvers) == 0 {
		return "The account's limit is the operators': only one of them decides about this. Nothing was done: ask an operator."
	}
	return "In " + kit.ChannelLink(channel) + " only " + kit.MentionAll(approvers) + kit.Plural(len(approvers), " decides", " decide") +
		" about this. Nothing was done: ask " + kit.Plural(len(approvers), "them", "one of them") + "."
}

// NotOwnHold answers a person who tries to allow their own order.
const NotOwnHold = "This is your own order: another approver decides about it. Nothing was done."
