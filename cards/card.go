package cards

import (
	"strconv"
	"time"

	"darkroom/order"
	"darkroom/store"
)

// Card is the one message that shows an order for its whole life, edited in
// place: what it is, where it stands, and what can be done now.
func Card(t store.Tracked, now time.Time) Message {
	p := standing(t).brief(t)
	if until, ok := CancelUntil(t, now); ok {
		p.note("You can cancel it until " + clock(until.Add(order.CancelPromised-order.CancelWindow)) + ", and until " + clock(until) + " it is worth a try.")
	}
	return p.note(footer(t)).buttons(append(possible(t, now), menu(t, now)...)...).post(t, CardEvent)
}

// standing begins what shows an order: what it is, and where it stands.
func standing(t store.Tracked) *builder {
	return says("*" + project(t) + "*").facts(state(t)...).say(onlyIf(t.Gone, gone))
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
	return says("*"+project(t)+"*").say(why).note("Order "+inline(t.ID, 100)).post(t, CardEvent)
}

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
		{"Images", images(t)},
		{"Price", price(t.Order)},
		{"Estimated delivery", estimate(t.Order)},
		{"Requested by", mention(t.Owner.Requester)},
	}
}

func status(t store.Tracked) string {
	if t.Gone {
		return "Gone at the service"
	}
	return joined(", ", statusWords(t.Order.Status), whenKnown(t.Order.EndedAt()))
}

// plainStatus is an order's status where no markup is read.
func plainStatus(t store.Tracked) string {
	if t.Gone {
		return "Gone at the service"
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
	return onlyIf(o.Status.Open() && o.Status != order.StatusPaused, whenKnown(o.EstimatedDelivery))
}

func footer(t store.Tracked) string {
	return dots("Order "+inline(t.ID, 100), led("customer ", inline(t.Order.CustomerID, 40)), led("placed ", whenKnown(t.Order.OrderedAt)))
}

// handle is what people type to name the order.
func handle(t store.Tracked) string {
	return inline(orElse(t.Reference, t.ID), 40)
}
