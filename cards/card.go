package cards

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Card is the one message that shows an order for its whole life, edited in
// place: where it stands, what it is, and what can be done now.
func Card(t store.Tracked, links Links, now time.Time) Message {
	p := (&builder{}).state(t, menu(t, now)).name(t)
	p.say(onlyIf(t.Gone, gone)).waits(t, now).brief(t).note(factLine(t)).note(onlyIf(!t.Gone && !t.ChangeWaits(now), underReview(t, links)))
	rows := moment(t, now)
	return p.note(cancelLine(t, rows, now)).buttons(pressable(t, rows)...).post(t, CardEvent)
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
		how = "You can cancel with `/order cancel " + handle(t) + "`"
	}
	return how + " until " + clock(until.Add(order.CancelPromised-order.CancelWindow)) + "; the service may still accept until " + clock(until) + "."
}

// state says how an order stands, with the menu beside it.
func (p *builder) state(t store.Tracked, menu *slack.Accessory) *builder {
	p.section(dots(signal(t)+" *"+standsAs(t)+"*", laterRound(t.Order.Rev()), onlyIf(t.Can(order.VerbApprove), goodOf(t)), led("expected ", estimate(t.Order)), whenKnown(t.Order.EndedAt())), menu)
	return p
}

// standsAs is an order's status without its time.
func standsAs(t store.Tracked) string {
	if t.Gone {
		return goneStatus
	}
	return statusWords(t.Order.Status)
}

// signal is the colour of a status: yellow waits for somebody here, blue is being worked on, orange
// was put aside.
func signal(t store.Tracked) string {
	switch {
	case t.Gone, t.Order.Canceled():
		return ":white_circle:"
	case t.Order.Status.Final():
		return ":white_check_mark:"
	case t.Can(order.VerbApprove):
		return ":large_yellow_circle:"
	case t.Paused():
		return ":large_orange_circle:"
	case t.Order.Status.Works():
		return ":large_blue_circle:"
	}
	return ":white_circle:"
}

// name is the order's name as a header, in which nothing is markup. The reference stands in the
// line of facts, so that no length of a name costs it.
func (p *builder) name(t store.Tracked) *builder {
	name, _ := projectName(t)
	p.add(slack.NewHeaderBlock(plainText(orElse(strings.TrimSpace(plain(name, maxHeader)), "Order"))), inline(name, maxHeader))
	return p
}

// factLine is what people ask about an order, ending in the one id that they can say.
func factLine(t store.Tracked) string {
	var service string
	if t.Brief != nil {
		service = serviceName(t.Brief.Service)
	}
	n := imageCount(t)
	return dots(onlyIf(n > 0, count(n, "image", "images")), references(t), service, price(t.Order), led("for ", mention(t.Owner.Requester)),
		led("customer ", inline(t.CustomerID(), 40)), said(t))
}

// said is what people call an order by, to be copied.
func said(t store.Tracked) string {
	return "`" + code(orElse(t.Reference, t.ID)) + "`"
}

// underReview says where an order is approved whose review has the buttons.
func underReview(t store.Tracked, links Links) string {
	review, live := LiveReview(t)
	if !live {
		return ""
	}
	return "Approve it or request changes in " + link(links.Message(t.Owner.Channel, review.TS, t.CardTS), "its review") + "."
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
func Left(t store.Tracked) Message {
	return formerCard(t, "This channel no longer follows the order. What was said about it stays here.")
}

// Superseded is an old card in a channel that has the order again: a newer one speaks for it.
func Superseded(t store.Tracked) Message {
	return formerCard(t, "This order goes on under a newer card in this channel. What was said about it here stays here.")
}

func formerCard(t store.Tracked, why string) Message {
	return (&builder{}).name(t).say(why).note(said(t)).post(t, CardEvent)
}

const goneStatus = "Gone at the service"

const gone = "The service no longer knows this order. What was said about it stays here. I look for it now and then, and say so when it is back."

// project is the order's name with our reference, which the service keeps at
// the end of the name: long names lose their middle, never the reference.
func project(t store.Tracked) string {
	name, mark := projectName(t)
	return inline(name, 150) + onlyIf(mark != "", " ["+inline(t.Reference, 20)+"]")
}

// projectName parts the name from our reference in its brackets, "" when there is none.
// Both are as they were written.
func projectName(t store.Tracked) (name, mark string) {
	name = orElse(order.ProjectName(oneLine(t.Order.ProjectName), t.Reference), "Order "+t.ID)
	return name, onlyIf(t.Reference != "", " ["+t.Reference+"]")
}

func state(t store.Tracked) []fact {
	return []fact{
		{"Status", status(t)},
		{"Round", strconv.Itoa(t.Order.Rev() + 1)},
		{"Changes requested", whenKnown(t.Order.RevisionRequestedAt)},
		{"Images", images(t)},
		{"Price", price(t.Order)},
		{"Estimated delivery", estimate(t.Order)},
		{"Requested by", mention(t.Owner.Requester)},
	}
}

func status(t store.Tracked) string {
	if t.Gone {
		return goneStatus
	}
	return joined(", ", statusWords(t.Order.Status), whenKnown(t.Order.EndedAt()))
}

// plainStatus is an order's status where no markup is read.
func plainStatus(t store.Tracked) string {
	if t.Gone {
		return goneStatus
	}
	return orElse(knownStatus(t.Order.Status), oneLine(string(t.Order.Status)))
}

// images is "3" of an order with three pictures, "3, 1 reference" with a fourth to look at.
func images(t store.Tracked) string {
	n := imageCount(t)
	return joined(", ", onlyIf(n > 0, strconv.Itoa(n)), references(t))
}

// ordered is how many pictures an order is of: "3 images · 1 reference", "" when that is not known.
func ordered(t store.Tracked) string {
	n := imageCount(t)
	return dots(onlyIf(n > 0, count(n, "image", "images")), references(t))
}

func references(t store.Tracked) string {
	return onlyIf(t.References > 0, count(t.References, "reference", "references"))
}

// imageCount is how many pictures were ordered to be edited, else how many came back; 0: not known.
func imageCount(t store.Tracked) int {
	if t.Images > 0 {
		return t.Images
	}
	return len(Latest(t.Order.EditedImages))
}

func price(o order.Order) string { return onlyIf(o.Price.Valid, credits(o.Price.Decimal)) }

// estimate is shown while somebody works on the order.
func estimate(o order.Order) string {
	return onlyIf(o.Status.Expected(), whenKnown(o.EstimatedDelivery))
}

// footer ends what shows a whole order: the service's own id stands only there.
func footer(t store.Tracked) string {
	return dots("Order "+inline(t.ID, 100), led("customer ", inline(t.CustomerID(), 40)), led("placed ", whenKnown(t.Order.OrderedAt)))
}

// handle is what people type to name the order.
func handle(t store.Tracked) string {
	return inline(orElse(t.Reference, t.ID), 40)
}
