package cards

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// MetadataGathered marks a message that tells of several reviews; its payload names them.
const MetadataGathered = "darkroom_gathered"

// mostGathered is how many orders such a message names.
const mostGathered = 50

// GatheredReview is one order that waits for a review, as the message tells of it that is for several.
type GatheredReview struct {
	Name   string // of the review, for good
	Order  store.Tracked
	Event  order.Event // its delivery
	Course Course
	Reply  store.Posted // the review in its order's thread; without a timestamp the order's card stands for it
}

// Gathered tells a channel of orders that became ready for review within a minute, those first that were first.
func Gathered(reviews []GatheredReview, links Links) Message {
	whom := forAll(reviews)
	p := says(dots("*"+count(len(reviews), "order is", "orders are")+" ready for review*", whom))
	rows := make([]string, 0, len(reviews))
	for _, r := range reviews[:min(mostGathered, len(reviews))] {
		rows = append(rows, dots(r.linked(links), r.images(), onlyIf(whom == "", r.whom())))
	}
	m := p.someOf(rows, len(reviews)).message()
	names := each(reviews, func(_ int, r GatheredReview) string { return r.Name })
	m.Metadata = &slack.SlackMetadata{EventType: MetadataGathered, EventPayload: map[string]any{"reviews": strings.Join(names, " ")}}
	return m
}

// GatheredNames are the reviews that a message tells of; none when it is none of these. Anybody may write such
// metadata: it counts only on a message of our own.
func GatheredNames(m slack.Message) []string {
	if m.Metadata.EventType != MetadataGathered {
		return nil
	}
	return strings.Fields(metaText(m.Metadata.EventPayload["reviews"]))
}

// someOf adds as many rows as there is room for, and says of how many orders there are more.
func (p *builder) someOf(rows []string, all int) *builder {
	const more = 100 // bytes for what is said of the others
	shown := 0
	for shown < len(rows) {
		section, n := "", 0
		for _, row := range rows[shown:] {
			longer := joined("\n", section, "• "+row)
			if units(longer) > maxSection || !p.fits(len(longer)+more) {
				break
			}
			section, n = longer, n+1
		}
		if n == 0 {
			break
		}
		p.say(section)
		shown += n
	}
	if left := all - shown; left > 0 {
		p.say("and " + strconv.Itoa(left) + " more: `/order list` has them all")
	}
	return p
}

// forAll is whom all of several reviews ask; "" when it is not the same for each.
func forAll(reviews []GatheredReview) string {
	whom := reviews[0].whom()
	if slices.ContainsFunc(reviews, func(r GatheredReview) bool { return r.Order.Owner.Departed != "" || r.whom() != whom }) {
		return ""
	}
	return whom
}

// whom mentions whom the review asks.
func (r GatheredReview) whom() string { return whoLooks(r.Order, Thumbs{Asks: r.Reply.Asks}) }

// linked is the order's name, as a link to its review.
func (r GatheredReview) linked(links Links) string {
	name, _ := projectName(r.Order)
	address := links.Card(r.Order)
	if r.Reply.TS != "" {
		address = links.Message(r.Order.Owner.Channel, r.Reply.TS, r.Order.CardTS)
	}
	return joined(", ", link(address, inline(name, 80)), laterRound(reviewed(r.Order, r.Event).Order.Rev()))
}

// images says how many there are, and how many of them are new.
func (r GatheredReview) images() string {
	latest := Latest(reviewed(r.Order, r.Event).Order.EditedImages)
	changed, _ := r.Course.changed(latest)
	if n := len(changed); n > 0 && n < len(latest) {
		return strconv.Itoa(n) + " of " + count(len(latest), "image", "images") + plural(n, " is", " are") + " new"
	}
	return onlyIf(len(latest) > 0, count(len(latest), "image", "images"))
}
