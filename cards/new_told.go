package cards

import (
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
	return says(orElse(cut(sentence, maxSection), "Nothing to show.")).kept("Your words:", words).
		modal(title, externalID, Meta{})
}

// Placing shows that the order is on its way.
func Placing(d store.Draft, externalID string) slack.ModalViewRequest {
	return says("Placing your order…").
		note("You can close this window. The order appears in "+channelLink(d.Channel)+", and if anything goes wrong you are told.").
		modal(TitleNew, externalID, draftMeta(d))
}

// PlacingLater shows that the service cannot be reached, and that the order
// waits for it.
func PlacingLater(d store.Draft, externalID string) slack.ModalViewRequest {
	return says("Your order is waiting: the service cannot be reached right now. Nothing was sent yet, and nothing you typed is lost.").
		say("I place it as soon as the service is back; there is nothing you need to do.").
		note("You can close this window. The order then appears in "+channelLink(d.Channel)+".").
		modal(TitleNew, externalID, draftMeta(d))
}

// Placed is the good end: what was ordered, what it costs, where its news comes.
func Placed(t store.Tracked, left decimal.NullDecimal, externalID string) slack.ModalViewRequest {
	p := says(":white_check_mark: Order placed: *" + project(t) + "*")
	facts := []fact{
		{"Order", inline(t.ID, 100)},
		{"Reference", inline(t.Reference, 40)},
		{"Price", price(t.Order)},
		{"Estimated delivery", estimate(t.Order)},
	}
	if left.Valid {
		facts = append(facts, fact{"Credits left", amount(left.Decimal)})
	}
	p.facts(facts...)
	p.say("It appears in " + channelLink(t.Owner.Channel) + ", and so does all its news.")
	return p.modal(TitleNew, externalID, Meta{Order: t.ID})
}

// Unsettled says that nobody knows yet whether the order was placed.
func Unsettled(d store.Draft, externalID string) slack.ModalViewRequest {
	return says("Still checking. The service did not answer clearly, so the order may or may not be placed.").
		say("I am looking for it at the service by its reference *"+inline(d.Reference, 40)+"*, and do not send it again meanwhile: you cannot pay twice.").
		searched(d).note(waitForEnd).modal(TitleNew, externalID, draftMeta(d))
}

const waitForEnd = "Nothing you typed is lost. You can close this window: you are told how it ends, usually within a few minutes."

// Looking says that the service is searched before an order is sent that may be there
// already.
func Looking(d store.Draft, externalID string) slack.ModalViewRequest {
	return says("Still checking. Before I send your order I make sure that the service does not have it already: I am looking for its reference *"+inline(d.Reference, 40)+"*. You cannot pay twice.").
		searched(d).note(waitForEnd).modal(TitleNew, externalID, draftMeta(d))
}

// searched says how far a search that goes on has come.
func (p *builder) searched(d store.Draft) *builder {
	if read := readOrders(d.Search); read != "" {
		p.say("Still looking: so far I have read " + read + ".")
	}
	return p
}

// readOrders is "1,240 of the service's orders, back to 20 Nov at 09:00", "" for none.
func readOrders(s store.Search) string {
	switch {
	case s.Orders == 0:
		return ""
	case s.Back.IsZero():
		return thousands(s.Orders) + " of the service's orders"
	}
	return thousands(s.Orders) + " of the service's orders, back to " + when(s.Back)
}

// wholeSearch is how often all orders must have been read before it is said that one is not
// there.
const wholeSearch = 2

// NotPlaced says what is known of an order that was not found, and leaves the next step to
// the person: that it was not placed only when that is certain.
func NotPlaced(d store.Draft, externalID string) slack.ModalViewRequest {
	p := &builder{}
	reference := "*" + inline(d.Reference, 40) + "*"
	switch s := d.Search; {
	case s.Readings >= wholeSearch:
		p.say("Your order was not placed. I looked for " + reference + " twice among all the orders that the service has taken since you submitted it, and it is not there.")
		p.say("Everything you typed is kept. *Try again* places it now, *Discard* throws it away.")
	case s.Stopped && d.SentAt.IsZero():
		p.say("Your order was not placed: something went wrong before I had sent anything, and I stopped. Nothing was charged.")
		p.say("Everything you typed is kept. *Try again* places it now, *Discard* throws it away.")
	default:
		p.say("I do not know whether your order was placed. I looked for " + reference + " and did not find it, but I could not read everything: " + unread(s) + ".")
		p.say("Everything you typed is kept. *Try again* looks once more, and sends it only when it is surely not there; *Discard* throws it away.")
	}
	p.buttons(
		press(button{label: "Try again", action: ActionRetry, style: slack.StylePrimary}, Value(d.ID, d.Attempt)),
		press(button{label: "Discard", action: ActionDiscard}, d.ID))
	if d.Reference != "" {
		p.note("I keep watching for a day. Should it turn up after all, you are told at once.")
	}
	return p.modal(TitleNew, externalID, draftMeta(d))
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
	if s.NoKeywords {
		says += "; it does not search for words either"
	}
	return says
}

// DiscardedElsewhere answers a form that was submitted after its draft was discarded in
// another window: nothing was sent, and what it held is shown to be copied.
func DiscardedElsewhere(d store.Draft, externalID string) slack.ModalViewRequest {
	return says("You discarded this order in another window, so nothing was sent. Here is what this one held; to start anew with it: `/order new`").
		draft(d).modal(TitleNew, externalID, draftMeta(d))
}

// Discarded confirms that the draft will not be placed.
func Discarded(d store.Draft, externalID string) slack.ModalViewRequest {
	return says("Discarded. The order will not be placed, and nothing more is sent. To start anew: `/order new`").
		modal(TitleNew, externalID, draftMeta(d))
}
