package cards

import (
	"strings"

	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// Loading is what opens at once, before anything is known.
func Loading(title, externalID string) slack.ModalViewRequest {
	return says("One moment…").modal(title, externalID, Meta{})
}

// Notice is a safe sentence instead of a form.
func Notice(title, sentence, externalID string) slack.ModalViewRequest {
	return NoticeWith(title, sentence, "", externalID)
}

// NoticeWith is [Notice] with what the person had typed, so that it can be copied.
func NoticeWith(title, sentence, words, externalID string) slack.ModalViewRequest {
	return window(orElse(cut(sentence, maxSection), "Nothing to show.")).kept("Your words:", words).
		modal(title, externalID, Meta{})
}

// draftWindow makes the window that shows these paragraphs and this note about a draft: {channel}
// is a link to its channel, {reference} its reference, {search} how far looking for it has come.
func draftWindow(note string, paragraphs ...string) func(d store.Draft, externalID string) slack.ModalViewRequest {
	return func(d store.Draft, externalID string) slack.ModalViewRequest {
		p := &builder{}
		for _, paragraph := range paragraphs {
			p.say(aboutDraft(d, paragraph))
		}
		return p.note(aboutDraft(d, note)).modal(TitleNew, externalID, draftMeta(d))
	}
}

// aboutDraft is a paragraph of such a window, about that draft.
func aboutDraft(d store.Draft, text string) string {
	before, rest, found := strings.Cut(text, "{")
	if !found {
		return text
	}
	name, after, _ := strings.Cut(rest, "}")
	word := ""
	switch name {
	case "channel":
		word = channelLink(d.Channel)
	case "reference":
		word = "*" + inline(d.Reference, 40) + "*"
	case "search":
		word = finished(led("Still looking: so far I have read ", readOrders(d.Search)))
	}
	return before + word + aboutDraft(d, after)
}

// Windows of an order that is on its way, or was thrown away.
var (
	// Placing shows that the order is on its way.
	Placing = draftWindow("You can close this window. The order appears in {channel}, and if anything goes wrong you are told.", "Placing your order…")
	// PlacingLater shows that the service cannot be reached, and that the order waits for it.
	PlacingLater = draftWindow("You can close this window. The order then appears in {channel}.",
		"Your order is waiting: the service cannot be reached right now. Nothing was sent yet, and nothing you typed is lost.",
		"I place it as soon as the service is back; there is nothing you need to do.")
	// Unsettled says that nobody knows yet whether the order was placed.
	Unsettled = draftWindow(waitForEnd,
		"Still checking. The service did not answer clearly, so the order may or may not be placed.",
		"I am looking for it at the service by its reference {reference}, and do not send it again meanwhile: you cannot pay twice.", "{search}")
	// Looking says that the service is searched before an order is sent that may be there already.
	Looking = draftWindow(waitForEnd,
		"Still checking. Before I send your order I look whether the service has it already, by its reference {reference}. You cannot pay twice.", "{search}")
	// Discarded confirms that the draft will not be placed.
	Discarded = draftWindow("", "Discarded. The order will not be placed, and nothing more is sent. To start anew: `/order new`")
)

const waitForEnd = "Nothing you typed is lost. You can close this window: you are told how it ends, usually within a few minutes."

// Placed is the good end: what was ordered, what it costs, where its news comes.
func Placed(t store.Tracked, left decimal.NullDecimal, externalID string) slack.ModalViewRequest {
	return says(":white_check_mark: Order placed: *"+project(t)+"*").
		facts(
			fact{"Reference", inline(t.Reference, 40)},
			fact{"Price", price(t.Order)},
			fact{"Estimated delivery", estimate(t.Order)},
			fact{"Credits left", onlyIf(left.Valid, amount(left.Decimal))}).
		say("It appears in "+channelLink(t.Owner.Channel)+", and so does all its news.").
		buttons(savePreset(t)...).
		modal(TitleNew, externalID, Meta{Order: t.ID})
}

// readOrders is "1,240 of the service's orders, back to 20 Nov at 09:00", "" for none.
func readOrders(s store.Search) string {
	return onlyIf(s.Orders > 0, thousands(s.Orders)+" of the service's orders"+led(", back to ", whenKnown(s.Back)))
}

// wholeSearch is how often all orders must have been read before it is said that one is not
// there.
const wholeSearch = 2

// NotPlaced says what is known of an order that was not found, and leaves the next step to
// the person: that it was not placed only when that is certain. Where nobody can know, it says
// what another may cost.
func NotPlaced(d store.Draft, externalID string) slack.ModalViewRequest {
	p, kept := &builder{}, "Everything you typed is kept. *Try again* places it now, *Discard* throws it away."
	reference := "*" + inline(d.Reference, 40) + "*"
	later := onlyIf(d.Reference != "", "I keep watching for a day. Should it turn up after all, you are told at once.")
	switch s := d.Search; {
	case s.Elsewhere != "":
		p.say("I do not know whether your order was placed. I sent " + reference + " with an account at *" + inline(s.Elsewhere, 100) + "*, and its answer was lost. The account of this workspace was changed since: that the new one does not show the order proves nothing.")
		kept = "Everything you typed is kept. *Try again* orders it with the account that is connected now, and may cost you twice. *Discard* throws it away."
		later = "I keep watching for a day, in the account that is connected then. Should it turn up after all, you are told at once."
	case s.Unproven:
		p.nobodyKnows(d)
		kept, later = "*Try again* orders it once more: if the first one was placed, you *pay twice*. Everything you typed is kept; *Discard* throws it away.", ""
	case s.Readings >= wholeSearch:
		p.say("Your order was not placed. I looked for " + reference + " twice among all the orders that the service has taken since you submitted it, and it is not there.")
	case s.Stopped && d.SentAt.IsZero():
		p.say("Your order was not placed: something went wrong before I had sent anything, and I stopped. Nothing was charged.")
	default:
		p.say("I do not know whether your order was placed. I looked for " + reference + " and did not find it, but I could not read everything: " + unread(s) + ".")
		kept = "Everything you typed is kept. *Try again* looks once more, and sends it only when it is surely not there; *Discard* throws it away."
	}
	p.say(kept).buttons(
		primary("Try again", ActionRetry, Value(d.ID, d.Attempt)),
		press("Discard", ActionDiscard, d.ID))
	return p.note(later).modal(TitleNew, externalID, draftMeta(d))
}

// nobodyKnows says which order may have been placed, and where to look for it.
func (p *builder) nobodyKnows(d store.Draft) *builder {
	cost := onlyIf(d.Search.Cost.Valid, "about "+credits(d.Search.Cost.Decimal))
	return p.say(":warning: Nobody knows whether your order was placed. I find orders by the code in their name, and I cannot rely on this photo service to keep names.").
		facts(
			fact{"Order", orElse(inline(d.ProjectName, 100), "No name")},
			fact{"Images", tally(d)},
			fact{"Sent", whenKnown(d.SentAt)},
			fact{"Cost", orElse(cost, "Not known: the service sets the price")},
			fact{"Reference", inline(d.Reference, 40)}).
		say("Please look at the service's own list for an order of that time before you decide.")
}

// unread says what a search could and could not read.
func unread(s store.Search) string {
	says := "the service did not let me read its list of orders"
	switch read := readOrders(s); {
	case s.Stopped:
		says = "I had to stop"
	case read != "" && s.Readings > 0:
		says = "I read " + read + ", but only once"
	case read != "":
		says = "I read " + read + ", and no further"
	}
	return says + onlyIf(s.NoKeywords, "; it does not search for words either")
}

// DiscardedElsewhere answers a form that was submitted after its draft was discarded in
// another window: nothing was sent, and what it held is shown to be copied.
func DiscardedElsewhere(d store.Draft, externalID string) slack.ModalViewRequest {
	return says("You discarded this order in another window, so nothing was sent. Here is what this one held; to start anew with it: `/order new`").
		draft(d).modal(TitleNew, externalID, draftMeta(d))
}
