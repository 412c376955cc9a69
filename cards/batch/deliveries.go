package batch

import (
	"strconv"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// mostDelivered bounds how many orders a message about deliveries names.
const mostDelivered = 15

// Deliveries tells a channel of deliveries that came close together, with links to their reviews. c.Orders has the
// orders of the message. While an order waits, the people in m.Asks are called.
func Deliveries(c Channel, m store.DeliveryMessage) kit.Message {
	p := kit.NewPage("Ready for review: *" + kit.Count(len(m.Orders), "order", "orders") + "*" + kit.Prefixed(" of ", kit.Inline(c.Card.Name, 100)))
	byID := map[string]store.Tracked{}
	for _, t := range c.Orders {
		byID[t.ID] = t
	}
	open := 0
	var rows []string
	for _, one := range m.Orders {
		t, here := byID[one.Order]
		open += kit.Either(here && Undecided(t, one), 1, 0)
		if len(rows) < mostDelivered {
			rows = append(rows, c.delivered(t, here, one))
		}
	}
	if more := len(m.Orders) - len(rows); more > 0 {
		rows = append(rows, strconv.Itoa(more)+" more")
	}
	if open > 0 {
		p.Say(kit.Join(" ", kit.MentionAll(m.Asks), kit.Either(open == 1, "One order waits", strconv.Itoa(open)+" orders wait")+" for a decision."))
	} else {
		p.Say("All of them are decided.")
	}
	p.Bullets("", rows)
	return marked(p, c.Card, m.Number)
}

// Delivered tells who ordered, by direct message, that orders of a batch are ready. The address leads to the message
// that lists them.
func Delivered(c store.BatchCard, number int, address string) kit.Message {
	p := kit.NewPage("Ready for review: orders of *" + kit.Inline(c.Name, 100) + "* in " + kit.ChannelLink(c.Channel) + ".")
	return marked(p.Note(kit.OnlyIf(address != "", kit.Link(address, "Show the orders"))), c, number)
}

// marked returns a message that names its batch and its number.
func marked(p *kit.Page, c store.BatchCard, number int) kit.Message {
	m := p.Message()
	m.Metadata = &slack.SlackMetadata{EventType: cards.MetadataDeliveries, EventPayload: map[string]any{
		"batch": c.ID, "number": number, "team": c.Team,
	}}
	return m
}

// DeliveriesOf returns the batch and the number of such a message; "", 0 for others. Anybody may write such metadata.
func DeliveriesOf(m slack.Message) (batch string, number int) {
	batch = kit.MetadataText(m, cards.MetadataDeliveries, "batch")
	number, err := strconv.Atoi(kit.MetaText(m.Metadata.EventPayload["number"]))
	if batch == "" || err != nil {
		return "", 0
	}
	return batch, number
}

// Undecided reports whether a delivery may still be decided: it is in review, or paused.
func Undecided(t store.Tracked, one store.Delivery) bool {
	return t.Order.Rev() == one.Round && (t.InReview(one.Round) || t.Paused() && !t.Gone)
}

// delivered describes one delivery: a link to its review while that waits, else its outcome.
func (c Channel) delivered(t store.Tracked, here bool, one store.Delivery) string {
	if !here {
		return "An order that is no longer in this channel"
	}
	round := kit.OnlyIf(one.Round > 0, cards.Round(one.Round))
	if Undecided(t, one) {
		return kit.Dots(c.linked(t), kit.OnlyIf(t.Images > 0, kit.Count(t.Images, "photo", "photos")), round, kit.OnlyIf(t.Paused(), "paused"))
	}
	name, _ := cards.ProjectName(t)
	return kit.Dots(kit.Inline(name, 80), round, cards.OutcomeOf(t, one.Round))
}
