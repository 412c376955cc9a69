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

// mostInDigest bounds how many orders each part of a digest names.
const mostInDigest = 10

// Digest summarizes a channel's orders. It returns false if there is nothing to report.
func Digest(orders []store.Tracked, day string, links Links, zone *time.Location, now time.Time) (kit.Message, bool) {
	orders = slices.Clone(orders)
	slices.SortStableFunc(orders, func(a, b store.Tracked) int { return a.Order.OrderedAt.Compare(b.Order.OrderedAt) })
	p := kit.NewPage(":sunrise: *This channel's open orders*")
	told := 0
	for _, part := range digestParts(zone, now) {
		rows := part.rows(orders, links)
		told += len(rows)
		p.Bullets("*"+part.name+"*", rows)
	}
	m := p.Note("You can turn this summary off with `/order settings`.").Message()
	m.Metadata = &slack.SlackMetadata{EventType: MetadataDigest, EventPayload: map[string]any{"day": day}}
	return m, told > 0
}

// DigestDay returns the day of a digest, and false for other messages. Anybody may write such metadata, so
// trust it only on the app's own messages.
func DigestDay(m slack.Message) (string, bool) {
	day := kit.MetadataText(m, MetadataDigest, "day")
	return day, day != ""
}

// digestPart is one part of a digest: which orders it names, and the detail behind each name.
type digestPart struct {
	name   string
	holds  func(t store.Tracked) bool
	detail func(t store.Tracked) string
}

// digestParts returns the parts in reading order. An order belongs to at most one.
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
		{"Paused by the photo service", func(t store.Tracked) bool { return t.Paused() }, func(store.Tracked) string { return "" }},
		{"Due today", func(t store.Tracked) bool {
			return expected(t) && !late(t) && t.Order.EstimatedDelivery.In(zone).Format(time.DateOnly) == today
		}, due},
	}
}

// rows returns the part's orders, oldest first, as far as there is room.
func (d digestPart) rows(orders []store.Tracked, links Links) []string {
	var rows []string
	left := 0
	for _, t := range orders {
		switch {
		case t.Untracked || !d.holds(t):
		case len(rows) == mostInDigest:
			left++
		default:
			rows = append(rows, kit.Dots(linkedName(t, links), d.detail(t)))
		}
	}
	if left > 0 {
		rows = append(rows, "and "+strconv.Itoa(left)+" more. See all with `/order list`")
	}
	return rows
}

// linkedName returns an order's name, linked to its card if it has one.
func linkedName(t store.Tracked, links Links) string {
	name, _ := ProjectName(t)
	return kit.Link(links.Card(t), cmp.Or(kit.Inline(name, 80), "Order"))
}
