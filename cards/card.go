// Package cards is what people see of an order: its card, the replies in its thread, its review,
// lists, details, history and the sentences about it. All of it is pure functions of plain values:
// no Slack client, no Redis, no clock.
//
// Around it are packages of one feature each, which import cards, never the other way:
//
//   - kit builds messages and windows of any kind within Slack's limits, and reads submitted ones.
//   - change has the forms of approve, revise and cancel.
//   - place has the order form, the windows that follow it, and the questions to approvers.
//   - talk has messages to the editor, reference images and relayed replies.
//   - batch, presets, settings, report, account and home have one window each, or a few.
//   - ops has what operators read.
//
// Text that a person, an editor or the service wrote passes through [kit.Escape] or its plain-text
// twin, so nobody can make the app mention a channel. The package does not decide who may press a
// button; which buttons can succeed is the rule of their verbs ([order.Known.Offers]).
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

// Card is the one message that shows an order for its whole life, edited in
// place: where it stands, what it is, and what can be done now.
func Card(t store.Tracked, links Links, now time.Time) kit.Message {
	p := addName(addState(&kit.Page{}, t, menu(t, now)), t)
	AddBrief(addWaits(p.Say(kit.OnlyIf(t.Gone, gone)), t, now), t).Note(factLine(t)).Note(kit.OnlyIf(!t.Gone && !t.ChangeWaits(now), underReview(t, links)))
	rows := moment(t, now)
	return post(p.Note(cancelLine(t, rows, now)).Buttons(pressable(t, rows)...), t, CardEvent)
}

// cancelLine says until when an order can be canceled, and how where the card has no button for it; ""
// when it is too late.
func cancelLine(t store.Tracked, rows []button, now time.Time) string {
	until, ok := CancelUntil(t, now)
	if !ok {
		return ""
	}
	how := "You can cancel"
	if !slices.ContainsFunc(rows, func(b button) bool { return b.verb == order.VerbCancel }) {
		how = "You can cancel with `/order cancel " + Handle(t) + "`"
	}
	return how + " until " + kit.Clock(until.Add(order.CancelPromised-order.CancelWindow)) + "; the service may still accept until " + kit.Clock(until) + "."
}

// addState says how an order stands, with the menu beside it.
func addState(p *kit.Page, t store.Tracked, menu *slack.Accessory) *kit.Page {
	p.Section(kit.Dots(signal(t)+" *"+standsAs(t)+"*", laterRound(t.Order.Rev()), kit.OnlyIf(t.Can(order.VerbApprove), GoodOf(t)), kit.Prefixed("expected ", Estimate(t.Order)), kit.WhenKnown(t.Order.EndedAt())), menu)
	return p
}

// addName is the order's name as a header, in which nothing is markup. The reference stands in the
// line of facts, so that no length of a name costs it.
func addName(p *kit.Page, t store.Tracked) *kit.Page {
	name, _ := ProjectName(t)
	p.Add(slack.NewHeaderBlock(kit.PlainText(cmp.Or(strings.TrimSpace(kit.Plain(name, kit.MaxHeader)), "Order"))), kit.Inline(name, kit.MaxHeader))
	return p
}

// factLine is what people ask about an order, ending in the one id that they can say.
func factLine(t store.Tracked) string {
	var service string
	if t.Brief != nil {
		service = ServiceName(t.Brief.Service)
	}
	n := imageCount(t)
	return kit.Dots(kit.OnlyIf(n > 0, kit.Count(n, "image", "images")), ReferenceCount(t), service, Price(t.Order), kit.Prefixed("for ", kit.Mention(t.Owner.Requester)),
		kit.Prefixed("customer ", kit.Inline(t.CustomerID(), 40)), Said(t))
}

// Said is what people call an order by, to be copied.
func Said(t store.Tracked) string {
	return "`" + kit.Code(cmp.Or(t.Reference, t.ID)) + "`"
}

// underReview says where an order is approved whose review has the buttons.
func underReview(t store.Tracked, links Links) string {
	review, live := LiveReview(t)
	if !live {
		return ""
	}
	return "Approve it or request changes in " + kit.Link(links.Message(t.Owner.Channel, review.TS, t.CardTS), "its review") + "."
}

// LiveReview is the reply that asks for the review that an order waits for; false when none has the
// buttons for it: then the card has them.
func LiveReview(t store.Tracked) (store.Posted, bool) {
	event := "ready:r" + strconv.Itoa(t.Order.Rev())
	for _, p := range slices.Backward(t.Thread) {
		if p.ID == event || strings.HasPrefix(p.ID, event+":") {
			return p, p.Buttons && t.InReview(t.Order.Rev())
		}
	}
	return store.Posted{}, false
}

// CancelUntil is when *Cancel order* goes from the card; false when it is not there.
func CancelUntil(t store.Tracked, now time.Time) (time.Time, bool) {
	return t.Order.OrderedAt.Add(order.CancelWindow), t.Offers(order.VerbCancel, now)
}

// Left is the card in a channel that no longer has the order: nothing to
// press, and no word of where the order is now.
func Left(t store.Tracked) kit.Message {
	return formerCard(t, "This channel no longer follows the order. What was said about it stays here.")
}

// Superseded is an old card in a channel that has the order again: a newer one speaks for it.
func Superseded(t store.Tracked) kit.Message {
	return formerCard(t, "This order goes on under a newer card in this channel. What was said about it here stays here.")
}

func formerCard(t store.Tracked, why string) kit.Message {
	return post(addName(&kit.Page{}, t).Say(why).Note(Said(t)), t, CardEvent)
}

// Project is the order's name with our reference, which the service keeps at
// the end of the name: long names lose their middle, never the reference.
func Project(t store.Tracked) string {
	name, mark := ProjectName(t)
	return kit.Inline(name, 150) + kit.OnlyIf(mark != "", " ["+kit.Inline(t.Reference, 20)+"]")
}

// ProjectName splits a project name into its text and our reference in brackets, "" without one. It escapes
// nothing.
func ProjectName(t store.Tracked) (name, mark string) {
	name = cmp.Or(order.ProjectName(kit.OneLine(t.Order.ProjectName), t.Reference), "Order "+t.ID)
	return name, kit.OnlyIf(t.Reference != "", " ["+t.Reference+"]")
}

// State returns the facts of an order as rows.
func State(t store.Tracked) []kit.Fact {
	return []kit.Fact{
		{Name: "Status", Value: status(t)},
		{Name: "Round", Value: strconv.Itoa(t.Order.Rev() + 1)},
		{Name: "Changes requested", Value: kit.WhenKnown(t.Order.RevisionRequestedAt)},
		{Name: "Images", Value: images(t)},
		{Name: "Price", Value: Price(t.Order)},
		{Name: "Estimated delivery", Value: Estimate(t.Order)},
		{Name: "Requested by", Value: kit.Mention(t.Owner.Requester)},
	}
}

// images is "3" of an order with three pictures, "3, 1 reference" with a fourth to look at.
func images(t store.Tracked) string {
	n := imageCount(t)
	return kit.Join(", ", kit.OnlyIf(n > 0, strconv.Itoa(n)), ReferenceCount(t))
}

// ordered is how many pictures an order is of: "3 images · 1 reference", "" when that is not known.
func ordered(t store.Tracked) string {
	n := imageCount(t)
	return kit.Dots(kit.OnlyIf(n > 0, kit.Count(n, "image", "images")), ReferenceCount(t))
}

// ReferenceCount is "2 references", "" of none.
func ReferenceCount(t store.Tracked) string {
	return kit.OnlyIf(t.References > 0, kit.Count(t.References, "reference", "references"))
}

// imageCount is how many pictures were ordered to be edited, else how many came back; 0: not known.
func imageCount(t store.Tracked) int {
	if t.Images > 0 {
		return t.Images
	}
	return len(order.Latest(t.Order.EditedImages))
}

// Price is what an order costs, "" while that is unknown.
func Price(o order.Order) string { return kit.OnlyIf(o.Price.Valid, kit.CreditCount(o.Price.Decimal)) }

// Estimate is shown while somebody works on the order.
func Estimate(o order.Order) string {
	return kit.OnlyIf(o.Status.Expected(), kit.WhenKnown(o.EstimatedDelivery))
}

// footer ends what shows a whole order: the service's own id stands only there.
func footer(t store.Tracked) string {
	return kit.Dots("Order "+kit.Inline(t.ID, 100), kit.Prefixed("customer ", kit.Inline(t.CustomerID(), 40)), kit.Prefixed("placed ", kit.WhenKnown(t.Order.OrderedAt)))
}

// Handle is what people type to name the order.
func Handle(t store.Tracked) string {
	return kit.Inline(cmp.Or(t.Reference, t.ID), 40)
}
