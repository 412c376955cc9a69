// Package cards builds what people see of an order: its card, the replies in its thread, its review, lists,
// details, history and sentences. Its functions are pure: no Slack client, no Redis, no clock.
//
// Its sub-packages have one feature each. They import cards; cards imports only kit:
//
//   - kit builds messages and windows within Slack's limits, and reads submitted windows.
//   - change has the forms that approve, revise and cancel.
//   - place has the order form, its result windows, and the questions to approvers.
//   - talk has messages to the editor, reference images and relayed replies.
//   - batch, presets, settings, report, account and home have one or a few windows each.
//   - ops has texts for operators.
//
// Text of a person, an editor or the service passes through [kit.Escape] or [kit.Plain]. So nobody can make the
// app mention a channel. The package does not decide who may press a button. Verbs decide which buttons can
// succeed ([order.Known.Offers]).
package cards

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Card returns the message that shows an order for its whole life: status, facts and next steps. It is edited
// in place.
func Card(t store.Tracked, links Links, now time.Time) kit.Message {
	p := addName(addState(&kit.Page{}, t, menu(t, now)), t)
	AddBrief(addWaits(p.Say(kit.OnlyIf(t.Gone, goneText)), t, now), t).Note(factLine(t)).Note(relayed(t))
	return post(p.Buttons(cardRow(t, links, now)...), t, CardEvent)
}

// addState adds the status line with its menu.
func addState(p *kit.Page, t store.Tracked, menu *slack.Accessory) *kit.Page {
	p.Section(kit.Dots(statusEmoji(t)+" *"+statusText(t)+"*", laterRound(t.Order.Rev()), kit.OnlyIf(t.Can(order.VerbApprove), GoodOf(t)), kit.Prefixed("expected ", Estimate(t.Order)), kit.WhenKnown(t.Order.EndedAt())), menu)
	return p
}

// addName adds the project name as a header, which has no markup. The order code stands in the fact line,
// where long names cannot cut it.
func addName(p *kit.Page, t store.Tracked) *kit.Page {
	name, _ := ProjectName(t)
	p.Add(slack.NewHeaderBlock(kit.PlainText(cmp.Or(strings.TrimSpace(kit.Plain(name, kit.MaxHeader)), "Order"))), kit.Inline(name, kit.MaxHeader))
	return p
}

// factLine returns the order's main facts, ending with its order code.
func factLine(t store.Tracked) string {
	var service string
	if t.Brief != nil {
		service = ServiceName(t.Brief.Service)
	}
	return kit.Dots(ordered(t), service, Price(t.Order), kit.Prefixed("for ", requester(t)),
		kit.Prefixed("customer ", kit.Inline(t.CustomerID(), 40)), OrderCode(t))
}

// OrderCode returns the order code, or the service's ID, as text to copy.
func OrderCode(t store.Tracked) string {
	return "`" + kit.Code(cmp.Or(t.Reference, t.ID)) + "`"
}

// LiveReview returns the review reply of the current round. It returns false if that reply has no buttons; the
// card has them then.
func LiveReview(t store.Tracked) (store.Posted, bool) {
	event := "ready:r" + strconv.Itoa(t.Order.Rev())
	for _, p := range slices.Backward(t.Thread) {
		if p.ID == event || strings.HasPrefix(p.ID, event+":") {
			return p, p.Buttons && t.InReview(t.Order.Rev())
		}
	}
	return store.Posted{}, false
}

// CancelUntil returns when *Cancel Order* leaves the card, and false if it is not there.
func CancelUntil(t store.Tracked, now time.Time) (time.Time, bool) {
	return t.Order.OrderedAt.Add(order.CancelWindow), t.Offers(order.VerbCancel, now)
}

// FormerChannelCard returns the card for a channel that no longer tracks the order. It has no buttons and does not say
// where the order is.
func FormerChannelCard(t store.Tracked) kit.Message {
	return formerCard(t, "This channel no longer tracks the order. Its thread stays.")
}

// Superseded returns an old card in a channel that has a newer card of the same order.
func Superseded(t store.Tracked) kit.Message {
	return formerCard(t, "This channel has a newer card of this order. This thread stays.")
}

func formerCard(t store.Tracked, why string) kit.Message {
	return post(addName(&kit.Page{}, t).Say(why).Note(OrderCode(t)), t, CardEvent)
}

// Project returns the order's name with its order code. Long names lose their end, never the code.
func Project(t store.Tracked) string {
	name, mark := ProjectName(t)
	return kit.Inline(name, 150) + kit.OnlyIf(mark != "", " ["+kit.Inline(t.Reference, 20)+"]")
}

// ProjectName splits a project name into its text and the order code in brackets, "" without one. It escapes
// nothing.
func ProjectName(t store.Tracked) (name, mark string) {
	name = cmp.Or(order.ProjectName(kit.OneLine(t.Order.ProjectName), t.Reference), "Order "+t.ID)
	return name, kit.OnlyIf(t.Reference != "", " ["+t.Reference+"]")
}

// State returns the facts of an order as fields.
func State(t store.Tracked) []kit.Fact {
	return []kit.Fact{
		{Name: "Status", Value: status(t)},
		{Name: "Round", Value: strconv.Itoa(t.Order.Rev() + 1)},
		{Name: "Changes requested", Value: kit.WhenKnown(t.Order.RevisionRequestedAt)},
		{Name: "Photos", Value: images(t)},
		{Name: "Price", Value: Price(t.Order)},
		{Name: "Estimated delivery", Value: Estimate(t.Order)},
		{Name: "Requested by", Value: kit.Mention(t.Owner.Requester)},
	}
}

// images returns "3", or "3, 1 reference photo".
func images(t store.Tracked) string {
	n := imageCount(t)
	return kit.Join(", ", kit.OnlyIf(n > 0, strconv.Itoa(n)), ReferenceCount(t))
}

// ordered returns "3 photos · 1 reference photo", or "" if the number is unknown.
func ordered(t store.Tracked) string {
	n := imageCount(t)
	return kit.Dots(kit.OnlyIf(n > 0, kit.Count(n, "photo", "photos")), ReferenceCount(t))
}

// ReferenceCount returns "2 reference photos", or "" without any.
func ReferenceCount(t store.Tracked) string {
	return kit.OnlyIf(t.References > 0, kit.Count(t.References, "reference photo", "reference photos"))
}

// imageCount returns how many images the order edits, else how many were delivered, else 0.
func imageCount(t store.Tracked) int {
	if t.Images > 0 {
		return t.Images
	}
	return len(order.Latest(t.Order.EditedImages))
}

// Price returns the order's price, or "" while it is unknown.
func Price(o order.Order) string { return kit.OnlyIf(o.Price.Valid, kit.CreditCount(o.Price.Decimal)) }

// Estimate returns the expected delivery while the editor works, else "".
func Estimate(o order.Order) string {
	return kit.OnlyIf(o.Status.Expected(), kit.WhenKnown(o.EstimatedDelivery))
}

// footer ends views of a whole order. Only it shows the service's own ID.
func footer(t store.Tracked) string {
	return kit.Dots("Order "+kit.Inline(t.ID, 100), kit.Prefixed("customer ", kit.Inline(t.CustomerID(), 40)), kit.Prefixed("placed ", kit.WhenKnown(t.Order.OrderedAt)))
}

// Handle returns the text that people type to name the order.
func Handle(t store.Tracked) string {
	return kit.Inline(cmp.Or(t.Reference, t.ID), 40)
}
