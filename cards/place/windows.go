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

// discardButton returns the button that discards a draft. It asks first: what was typed is gone then.
func discardButton(d store.Draft) *slack.ButtonBlockElement {
	b := kit.Button("Discard", ActionDiscard, d.ID)
	b.Confirm = slack.NewConfirmationBlockObject(kit.PlainText("Discard this unfinished order?"), kit.PlainText("Its photos and text are deleted. No order that you placed changes."), kit.PlainText("Discard"), kit.PlainText("Keep")).WithStyle(slack.StyleDanger)
	return b
}

// addDraftButtons adds the buttons that continue or discard a draft.
func addDraftButtons(p *kit.Page, label string, d store.Draft) *kit.Page {
	return p.Buttons(kit.Button(label, ActionOpen, d.ID), discardButton(d))
}

// Titles of the windows that follow the form.
const (
	titlePlacing   = "Placing order"
	titlePlaced    = "Order placed"
	titleNotPlaced = "Not placed"
	titleApproval  = "Needs approval"
	titleUnknown   = "Outcome unknown"
	titleDiscarded = "Order discarded"
)

// draftWindow returns a function that shows paragraphs and a note about a draft. {channel} is a link,
// {reference} the order code, {search} the progress of the search.
func draftWindow(title, note string, paragraphs ...string) func(d store.Draft, externalID string) slack.ModalViewRequest {
	return func(d store.Draft, externalID string) slack.ModalViewRequest {
		p := &kit.Page{}
		for _, paragraph := range paragraphs {
			p.Say(aboutDraft(d, paragraph))
		}
		return p.Note(aboutDraft(d, note)).Modal(title, externalID, draftMeta(d))
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
		word = kit.FullStop(kit.Prefixed("So far I have searched ", readOrders(d.Search)))
	}
	return before + word + aboutDraft(d, after)
}

// Windows of an order that is in progress or discarded.
var (
	// Placing shows that the order is being placed.
	Placing = draftWindow(titlePlacing, "You can close this window. The order appears in {channel}. I tell you if anything goes wrong.", "Placing your order…")
	// PlacingLater says that the order waits for the service.
	PlacingLater = draftWindow(titlePlacing, "You can close this window. The order then appears in {channel}.",
		"Your order waits: the photo service does not answer. Nothing was sent yet, and nothing you typed is lost.",
		"I place it when the photo service is back. You need not do anything.")
	// Unsettled says that the order's outcome is unknown so far.
	Unsettled = draftWindow(titlePlacing, waitForEnd,
		"Still checking. The photo service did not answer clearly, so your order may or may not be placed.",
		"I am searching for order code {reference}. You cannot pay twice.", "{search}")
	// Looking says that the service is searched first, because the order may exist already.
	Looking = draftWindow(titlePlacing, waitForEnd,
		"Still checking. Before I send your order, I search for order code {reference}. You cannot pay twice.", "{search}")
	// Discarded confirms that the draft will not be placed.
	Discarded = draftWindow(titleDiscarded, "", "Discarded. The order will not be placed. To start again: `/order new`")
)

const waitForEnd = "Nothing you typed is lost. You can close this window. I tell you the result, usually within a few minutes."

// Placed confirms the order: code, price, delivery, and a link to its card if it has one already.
func Placed(t store.Tracked, left decimal.NullDecimal, links cards.Links, externalID string) slack.ModalViewRequest {
	card := links.Card(t)
	p := kit.NewPage(":white_check_mark: Order placed: *"+cards.Project(t)+"*").
		Facts(
			kit.Fact{Name: "Price", Value: cards.Price(t.Order)},
			kit.Fact{Name: "Estimated delivery", Value: cards.Estimate(t.Order)},
			kit.Fact{Name: "Order code", Value: kit.Inline(t.Reference, 40)},
			kit.Fact{Name: "Credits left", Value: kit.OnlyIf(left.Valid, kit.Amount(left.Decimal))}).
		Say(kit.Either(card != "", kit.Link(card, "Open the order's card"), "Its card appears") + " in " + kit.ChannelLink(t.Owner.Channel) + ". Updates come to its thread.")
	return p.Buttons(cards.SaveAsPreset(t)...).Modal(titlePlaced, externalID, kit.Meta{Order: t.ID})
}

// readOrders returns "1,240 of the photo service's orders, back to 20 Nov at 09:00", or "".
func readOrders(s store.Search) string {
	return kit.OnlyIf(s.Orders > 0, kit.Thousands(s.Orders)+" of the photo service's orders"+kit.Prefixed(", back to ", kit.WhenKnown(s.Back)))
}

// WholeSearch is how often all orders must be read before the app says that an order does not exist.
const WholeSearch = 2

// NotPlaced reports an order that was not found, and lets the person decide. It says that the order was not
// placed only when that is certain.
func NotPlaced(d store.Draft, externalID string) slack.ModalViewRequest {
	p, title, saved := &kit.Page{}, titleUnknown, "Everything you typed is saved. *Try Again* places it now. *Discard* deletes it."
	reference := "*" + kit.Inline(d.Reference, 40) + "*"
	later := kit.OnlyIf(d.Reference != "", "I keep watching for a day. If the order appears, I tell you at once.")
	switch s := d.Search; {
	case s.Elsewhere != "":
		p.Say("I do not know whether your order was placed. I sent " + reference + " to *" + kit.Inline(s.Elsewhere, 100) + "*, and its answer was lost.")
		p.Say("This workspace has another account since then. That account does not show the order, which proves nothing.")
		saved = "Everything you typed is saved. *Try Again* orders it with the present account, and may cost you twice. *Discard* deletes it."
	case s.Unproven:
		addNobodyKnows(p, d)
		saved, later = "*Try Again* orders it once more. If the first order was placed, you *pay twice*. Everything you typed is saved. *Discard* deletes it.", ""
	case s.Readings >= WholeSearch:
		title = titleNotPlaced
		p.Say("Your order was not placed. I searched all newer orders of the photo service twice, and " + reference + " is not there.")
	case s.Stopped && d.SentAt.IsZero():
		title = titleNotPlaced
		p.Say("Your order was not placed. Something went wrong before it was sent. Nothing was charged.")
	default:
		p.Say("I do not know whether your order was placed. I did not find " + reference + ", but I could not search everything: " + unread(s) + ".")
		saved = "Everything you typed is saved. *Try Again* searches first. It orders only if no such order exists. *Discard* deletes it."
	}
	p.Say(saved).Buttons(
		kit.Button("Try Again", ActionRetry, cards.Value(d.ID, d.Attempt)),
		discardButton(d))
	return p.Note(later).Modal(title, externalID, draftMeta(d))
}

// addNobodyKnows describes an order whose outcome cannot be found out.
func addNobodyKnows(p *kit.Page, d store.Draft) *kit.Page {
	cost := kit.OnlyIf(d.Search.Cost.Valid, "about "+kit.CreditCount(d.Search.Cost.Decimal))
	return p.Say(":warning: Nobody knows whether your order was placed. I find orders by the code in their name, and this photo service may change names.").
		Facts(
			kit.Fact{Name: "Order", Value: cmp.Or(kit.Inline(d.ProjectName, 100), "No name")},
			kit.Fact{Name: "Photos", Value: tally(d)},
			kit.Fact{Name: "Sent", Value: kit.WhenKnown(d.SentAt)},
			kit.Fact{Name: "Cost", Value: cmp.Or(cost, "Not known")},
			kit.Fact{Name: "Order code", Value: kit.Inline(d.Reference, 40)}).
		Say("Before you decide, look for an order of that time in the photo service's own list.")
}

// unread says what a search could and could not read.
func unread(s store.Search) string {
	says := "the photo service did not show its list of orders"
	switch read := readOrders(s); {
	case s.Stopped:
		says = "I had to stop"
	case read != "" && s.Readings > 0:
		says = "I searched " + read + ", but only once"
	case read != "":
		says = "I searched " + read + ", and no further"
	}
	return says + kit.OnlyIf(s.NoKeywords, "; it cannot search for a name")
}

// DiscardedElsewhere answers a form whose draft was discarded in another window. It shows everything typed.
func DiscardedElsewhere(d store.Draft, externalID string) slack.ModalViewRequest {
	return addDraft(kit.NewPage("You discarded this order in another window, so nothing was sent. This is what you typed. To start again: `/order new`"), d).Modal(titleDiscarded, externalID, draftMeta(d))
}

// PlacedAfterAll tells the requester that an order appeared that was reported as not found.
func PlacedAfterAll(t store.Tracked, now time.Time) kit.Message {
	return cards.AddBrief(kit.NewPage(":warning: *"+cards.Project(t)+"* was placed after all. The photo service answered late."), t).Facts(cards.State(t)...).
		Say("If you tried again, there are two orders now. Cancel one soon: the photo service promises ten minutes for that.").
		Note(cards.OrderCode(t)).Buttons(cards.PossibleButtons(t, now)...).Message()
}
