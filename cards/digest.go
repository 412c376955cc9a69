package cards

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// mostInDigest is how many orders each part of a digest names.
const mostInDigest = 10

// Digest tells a channel how its orders stand; false when there is nothing to tell.
func Digest(orders []store.Tracked, day string, links Links, zone *time.Location, now time.Time) (kit.Message, bool) {
	orders = slices.Clone(orders)
	slices.SortStableFunc(orders, func(a, b store.Tracked) int { return a.Order.OrderedAt.Compare(b.Order.OrderedAt) })
	p := kit.NewPage(":sunrise: *How the orders of this channel stand*")
	told := 0
	for _, part := range digestParts(zone, now) {
		rows := part.rows(orders, links)
		told += len(rows)
		p.Bullets("*"+part.name+"*", rows)
	}
	m := p.Note("Who does not want this turns it off with `/order settings`.").Message()
	m.Metadata = &slack.SlackMetadata{EventType: MetadataDigest, EventPayload: map[string]any{"day": day}}
	return m, told > 0
}

// DigestDay is the day of which a message is the digest; false when it is none of ours. Anybody may write
// such metadata: it counts only on a message of our own.
func DigestDay(m slack.Message) (string, bool) {
	day := kit.MetaText(m.Metadata.EventPayload["day"])
	return day, m.Metadata.EventType == MetadataDigest && day != ""
}

// digestPart is one part of a digest: which orders it names, and what it says of each beside its name.
type digestPart struct {
	name  string
	holds func(t store.Tracked) bool
	says  func(t store.Tracked) string
}

// digestParts are in the order in which they are read. An order stands in one of them at most.
func digestParts(zone *time.Location, now time.Time) []digestPart {
	due := func(t store.Tracked) string {
		return kit.Prefixed("expected ", kit.WhenKnown(t.Order.EstimatedDelivery))
	}
	expected := func(t store.Tracked) bool { return t.Expected() && !t.Order.EstimatedDelivery.IsZero() }
	late := func(t store.Tracked) bool { return expected(t) && t.Order.EstimatedDelivery.Before(now) }
	today := now.In(zone).Format(time.DateOnly)
	return []digestPart{
		{"Waits for review", func(t store.Tracked) bool { return t.InReview(t.Order.Rev()) }, func(t store.Tracked) string { return laterRound(t.Order.Rev()) }},
		{"Late", late, due},
		{"Paused by the service", func(t store.Tracked) bool { return t.Paused() }, func(store.Tracked) string { return "" }},
		{"Due today", func(t store.Tracked) bool {
			return expected(t) && !late(t) && t.Order.EstimatedDelivery.In(zone).Format(time.DateOnly) == today
		}, due},
	}
}

// rows are the orders of a part, the oldest first, as far as there is room.
func (d digestPart) rows(orders []store.Tracked, links Links) []string {
	var rows []string
	left := 0
	for _, t := range orders {
		switch {
		case t.Untracked || !d.holds(t):
		case len(rows) == mostInDigest:
			left++
		default:
			rows = append(rows, kit.Dots(linkedName(t, links), d.says(t)))
		}
	}
	if left > 0 {
		rows = append(rows, "and "+strconv.Itoa(left)+" more: `/order list` has them all")
	}
	return rows
}

// linkedName is an order's name, as a link to its card where there is one.
func linkedName(t store.Tracked, links Links) string {
	name, _ := ProjectName(t)
	return kit.Link(links.Card(t), cmp.Or(kit.Inline(name, 80), "Order"))
}
