package place

import (
	"cmp"
	"strings"
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// Action ids of a draft's buttons. They carry its id.
const (
	ActionRetry   = "draft:retry"
	ActionDiscard = "draft:discard"
	ActionOpen    = "draft:open"
)

// addDraftButtons adds the buttons that continue or discard a draft.
func addDraftButtons(p *kit.Page, label string, d store.Draft) *kit.Page {
	return p.Buttons(kit.PrimaryButton(label, ActionOpen, d.ID), kit.Button("Discard", ActionDiscard, d.ID))
}

// draftWindow returns a function that shows paragraphs and a note about a draft. {channel} is a link,
// {reference} the order code, {search} the progress of the search.
func draftWindow(note string, paragraphs ...string) func(d store.Draft, externalID string) slack.ModalViewRequest {
	return func(d store.Draft, externalID string) slack.ModalViewRequest {
		p := &kit.Page{}
		for _, paragraph := range paragraphs {
			p.Say(aboutDraft(d, paragraph))
		}
		return p.Note(aboutDraft(d, note)).Modal(Title, externalID, draftMeta(d))
	}
}

// aboutDraft expands the placeholders of a draft window.
func aboutDraft(d store.Draft, text string) string {
	before, rest, found := strings.Cut(text, "{")
	if !found {
		return text
	}
	name, after, _ := strings.Cut(rest, "}")
	word := ""
	switch name {
	case "channel":
		word = kit.ChannelLink(d.Channel)
	case "reference":
		word = "*" + kit.Inline(d.Reference, 40) + "*"
	case "search":
		word = kit.FullStop(kit.Prefixed("Still looking: so far I have read ", readOrders(d.Search)))
	}
	return before + word + aboutDraft(d, after)
}

// Windows of an order that is in progress or discarded.
var (
	// Placing shows that the order is being placed.
	Placing = draftWindow("You can close this window. The order appears in {channel}, and if anything goes wrong you are told.", "Placing your order…")
	// PlacingLater says that the order waits for the service.
	PlacingLater = draftWindow("You can close this window. The order then appears in {channel}.",
		"Your order is waiting: the service cannot be reached right now. Nothing was sent yet, and nothing you typed is lost.",
		"I place it as soon as the service is back; there is nothing you need to do.")
	// Unsettled says that the order's outcome is unknown so far.
	Unsettled = draftWindow(waitForEnd,
		"Still checking. The service did not answer clearly, so the order may or may not be placed.",
		"I am looking for it at the service by its reference {reference}, and do not send it again meanwhile: you cannot pay twice.", "{search}")
	// Looking says that the service is searched first, because the order may exist already.
	Looking = draftWindow(waitForEnd,
		"Still checking. Before I send your order I look whether the service has it already, by its reference {reference}. You cannot pay twice.", "{search}")
	// Discarded confirms that the draft will not be placed.
	Discarded = draftWindow("", "Discarded. The order will not be placed, and nothing more is sent. To start anew: `/order new`")
)

const waitForEnd = "Nothing you typed is lost. You can close this window: you are told how it ends, usually within a few minutes."

// Placed confirms the order: code, price, delivery and channel.
func Placed(t store.Tracked, left decimal.NullDecimal, externalID string) slack.ModalViewRequest {
	return kit.NewPage(":white_check_mark: Order placed: *"+cards.Project(t)+"*").
		Facts(
			kit.Fact{Name: "Reference", Value: kit.Inline(t.Reference, 40)},
			kit.Fact{Name: "Price", Value: cards.Price(t.Order)},
			kit.Fact{Name: "Estimated delivery", Value: cards.Estimate(t.Order)},
			kit.Fact{Name: "Credits left", Value: kit.OnlyIf(left.Valid, kit.Amount(left.Decimal))}).
		Say("It appears in "+kit.ChannelLink(t.Owner.Channel)+", and so does all its news.").
		Buttons(cards.SaveAsPreset(t)...).
		Modal(Title, externalID, kit.Meta{Order: t.ID})
}

// readOrders returns "1,240 of the service's orders, back to 20 Nov at 09:00", or "".
func readOrders(s store.Search) string {
	return kit.OnlyIf(s.Orders > 0, kit.Thousands(s.Orders)+" of the service's orders"+kit.Prefixed(", back to ", kit.WhenKnown(s.Back)))
}

// WholeSearch is how often all orders must be read before the app says that an order does not exist.
const WholeSearch = 2

// NotPlaced reports an order that was not found, and lets the person decide. It says that the order was not
// placed only when that is certain.
func NotPlaced(d store.Draft, externalID string) slack.ModalViewRequest {
	p, kept := &kit.Page{}, "Everything you typed is kept. *Try Again* places it now, *Discard* throws it away."
	reference := "*" + kit.Inline(d.Reference, 40) + "*"
	later := kit.OnlyIf(d.Reference != "", "I keep watching for a day. Should it turn up after all, you are told at once.")
	switch s := d.Search; {
	case s.Elsewhere != "":
		p.Say("I do not know whether your order was placed. I sent " + reference + " with an account at *" + kit.Inline(s.Elsewhere, 100) + "*, and its answer was lost. The account of this workspace was changed since: that the new one does not show the order proves nothing.")
		kept = "Everything you typed is kept. *Try Again* orders it with the account that is connected now, and may cost you twice. *Discard* throws it away."
		later = "I keep watching for a day, in the account that is connected then. Should it turn up after all, you are told at once."
	case s.Unproven:
		addNobodyKnows(p, d)
		kept, later = "*Try Again* orders it once more: if the first one was placed, you *pay twice*. Everything you typed is kept; *Discard* throws it away.", ""
	case s.Readings >= WholeSearch:
		p.Say("Your order was not placed. I looked for " + reference + " twice among all the orders that the service has taken since you submitted it, and it is not there.")
	case s.Stopped && d.SentAt.IsZero():
		p.Say("Your order was not placed: something went wrong before I had sent anything, and I stopped. Nothing was charged.")
	default:
		p.Say("I do not know whether your order was placed. I looked for " + reference + " and did not find it, but I could not read everything: " + unread(s) + ".")
		kept = "Everything you typed is kept. *Try Again* looks once more, and sends it only when it is surely not there; *Discard* throws it away."
	}
	p.Say(kept).Buttons(
		kit.PrimaryButton("Try Again", ActionRetry, cards.Value(d.ID, d.Attempt)),
		kit.Button("Discard", ActionDiscard, d.ID))
	return p.Note(later).Modal(Title, externalID, draftMeta(d))
}

// addNobodyKnows describes an order whose outcome cannot be found out.
func addNobodyKnows(p *kit.Page, d store.Draft) *kit.Page {
	cost := kit.OnlyIf(d.Search.Cost.Valid, "about "+kit.CreditCount(d.Search.Cost.Decimal))
	return p.Say(":warning: Nobody knows whether your order was placed. I find orders by the code in their name, and I cannot rely on this photo service to keep names.").
		Facts(
			kit.Fact{Name: "Order", Value: cmp.Or(kit.Inline(d.ProjectName, 100), "No name")},
			kit.Fact{Name: "Images", Value: tally(d)},
			kit.Fact{Name: "Sent", Value: kit.WhenKnown(d.SentAt)},
			kit.Fact{Name: "Cost", Value: cmp.Or(cost, "Not known: the service sets the price")},
			kit.Fact{Name: "Reference", Value: kit.Inline(d.Reference, 40)}).
		Say("Please look at the service's own list for an order of that time before you decide.")
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
	return says + kit.OnlyIf(s.NoKeywords, "; it does not search for words either")
}

// DiscardedElsewhere answers a form whose draft was discarded in another window. It shows everything typed.
func DiscardedElsewhere(d store.Draft, externalID string) slack.ModalViewRequest {
	return addDraft(kit.NewPage("You discarded this order in another window, so nothing was sent. Here is what this one held; to start anew with it: `/order new`"), d).Modal(Title, externalID, draftMeta(d))
}

// PlacedAfterAll tells the requester that an order appeared that was reported as not found.
func PlacedAfterAll(t store.Tracked, now time.Time) kit.Message {
	return cards.AddBrief(kit.NewPage(":warning: *"+cards.Project(t)+"* was placed after all: the service took longer than I waited."), t).Facts(cards.State(t)...).
		Say("If you tried again meanwhile, there are two now. Keep the one you want and cancel the other soon: the service promises ten minutes from when it was placed.").
		Note(cards.OrderCode(t)).Buttons(cards.PossibleButtons(t, now)...).Message()
}
