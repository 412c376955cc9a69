package batch

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

// Action ids of a batch's card and its window.
const (
	ActionOrders     = "batch:orders" // opens the list of the batch's orders; carries the batch's id
	ActionOrdersPage = "batch:page:"  // followed by "newer" or "older": another page of that list; carries page, space, id
)

// LabelOrders labels the button that lists a batch's orders.
const LabelOrders = "Show Orders"

// Channel is a batch as its channel shows it.
type Channel struct {
	Card   store.BatchCard
	Orders []store.Tracked // newest first; those that wait for somebody have their threads
	Links  cards.Links
}

// mostWaiting bounds how many orders a card names.
const mostWaiting = 5

// CardOf shows a batch for its whole life: how many orders are in which state, and which of them wait for somebody.
func CardOf(c Channel) kit.Message {
	p := new(kit.Page)
	p.Section(c.state(), nil)
	name := cmp.Or(strings.TrimSpace(kit.Plain(kit.OneLine(c.Card.Name), kit.MaxHeader)), "Orders")
	p.Add(slack.NewHeaderBlock(kit.PlainText(name)), kit.Inline(name, kit.MaxHeader))
	p.Bullets("*Needs attention*", c.waiting())
	p.Note(c.facts())
	if len(c.Orders) > 0 {
		button := kit.Button(LabelOrders, ActionOrders, c.Card.ID)
		button.AccessibilityLabel = kit.Plain(LabelOrders+" of "+name, kit.MaxAccessible)
		p.Buttons(button)
	}
	m := p.Message()
	m.Metadata = &slack.SlackMetadata{EventType: cards.MetadataBatch, EventPayload: map[string]any{"batch": c.Card.ID, "team": c.Card.Team}}
	return m
}

// OfCard returns the batch of a card in a channel, or "". Anybody may write such metadata.
func OfCard(m slack.Message) string { return kit.MetadataText(m, cards.MetadataBatch, "batch") }

// WhichOrder answers a message in the thread of a batch's card, which belongs to no single order.
func WhichOrder() kit.Message {
	return kit.NewPage("This thread has several orders, so nothing was sent to an editor. Your message stays in the thread.").
		Note("To send it, choose *Send to editor* in the message's menu. There you choose the order.").Message()
}

// state counts the orders by state. What waits for somebody comes first.
func (c Channel) state() string {
	counted := []string{"*" + kit.Count(c.Card.Total, "order", "orders") + "*"}
	add := func(n int, words string) {
		if n > 0 {
			counted = append(counted, strconv.Itoa(n)+" "+words)
		}
	}
	counted = append(counted, cards.CountByStatus(c.Orders)...)
	add(c.Card.Held, kit.Plural(c.Card.Held, "waits", "wait")+" for an approver")
	failed := max(0, min(c.Card.Failed, c.Card.Total-len(c.Orders)-c.Card.Held-c.Card.Left)) // some may have been placed since
	add(failed, "not placed")
	add(c.Card.Left, "no longer in this channel")
	add(c.Card.Total-len(c.Orders)-c.Card.Held-failed-c.Card.Left, "being placed")
	return c.emoji() + " " + kit.Dots(counted...)
}

// emoji is the color of the state: yellow waits for somebody here, blue is in progress.
func (c Channel) emoji() string {
	switch works := func(t store.Tracked) bool { return !t.Gone && t.Order.Status.Works() }; {
	case slices.ContainsFunc(c.Orders, waits), c.Card.Held > 0:
		return ":large_yellow_circle:"
	case slices.ContainsFunc(c.Orders, works), len(c.Orders) == 0:
		return ":large_blue_circle:"
	}
	return ":white_check_mark:"
}

// waits reports whether an order waits for somebody in its channel.
func waits(t store.Tracked) bool { return t.InReview(t.Order.Rev()) || t.Paused() && !t.Gone }

// waiting names the orders that wait, each with a link to its review or its card.
func (c Channel) waiting() []string {
	var rows []string
	more := 0
	for _, t := range c.Orders {
		switch {
		case !waits(t):
		case len(rows) == mostWaiting:
			more++
		default:
			rows = append(rows, kit.Dots(c.linked(t), strings.ToLower(cards.KnownStatus(t.Order.Status)), kit.OnlyIf(t.Order.Rev() > 0, cards.Round(t.Order.Rev()))))
		}
	}
	if more > 0 {
		rows = append(rows, strconv.Itoa(more)+" more")
	}
	return rows
}

// linked returns an order's name, linked to its live review, else to its card.
func (c Channel) linked(t store.Tracked) string {
	address := c.Links.Card(t)
	if review, live := cards.LiveReview(t); live {
		address = c.Links.Message(t.Owner.Channel, review.TS, t.ThreadTS())
	}
	name, _ := cards.ProjectName(t)
	return kit.Link(address, kit.Inline(name, 80))
}

// facts says what the orders have together, and where they are.
func (c Channel) facts() string {
	photos := 0
	for _, t := range c.Orders {
		photos += t.Images
	}
	return kit.Dots(kit.OnlyIf(photos > 0, kit.Count(photos, "photo", "photos")), "Each order has its card in this thread")
}
