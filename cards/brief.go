package cards

import (
	"cmp"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// Where what was asked for is told to all, it leaves room for the rest of the message.
const (
	maxBriefLine = 240  // characters of the brief on a card
	MaxOwn       = 300  // of what was asked for one image, in a list
	MaxAsked     = 5000 // of the instructions of an order, where all read them
	maxNamed     = 3    // images that a card names
)

// AddBrief adds what was asked for in a line or two: the instructions, cut, and for which images
// something else was asked. Of an order of which that is not known it says nothing.
func AddBrief(p *kit.Page, t store.Tracked) *kit.Page {
	if t.Brief == nil {
		return p
	}
	words := kit.Inline(strings.Join(t.Brief.Instructions, " · "), maxBriefLine)
	return p.Say(kit.Join("\n", kit.Prefixed("> ", words), differing(*t.Brief)))
}

// differing names the images for which something of their own was asked; of a single one it says
// what.
func differing(b order.Brief) string {
	own := b.Differences()
	if len(own) == 1 {
		return Difference(own[0], maxBriefLine)
	}
	names := kit.Map(own[:min(maxNamed, len(own))], func(_ int, s order.NumberedSource) string { return sourceName(s) })
	more := len(own) - len(names)
	return kit.Prefixed("Different for ", strings.Join(names, ", ")+kit.OnlyIf(more > 0, " and "+strconv.Itoa(more)+" more"))
}

// addAsked adds all that was asked for: the instructions, what differs from them image by image, and
// the references, each within so many characters.
func addAsked(p *kit.Page, b order.Brief, limit int) *kit.Page {
	p.Quote(strings.Join(b.Instructions, "\n"), limit)
	AddSomeBullets(p, "Different for:", limit/2, kit.Map(b.Differences(), func(_ int, s order.NumberedSource) string { return Difference(s, MaxOwn) }))
	return AddSomeBullets(p, "Reference images, not edited:", limit/2, kit.Map(b.References(), func(_ int, s order.NumberedSource) string {
		return sourceName(s) + kit.Prefixed(": ", kit.Inline(s.Instruction, MaxOwn))
	}))
}

// AddSomeBullets adds rows about images under a headline, as many as fit into so many bytes, and says
// how many it left out.
func AddSomeBullets(p *kit.Page, headline string, limit int, rows []string) *kit.Page {
	if len(rows) == 0 {
		return p
	}
	lines, size := []string{headline}, 0
	for i, row := range rows {
		if size += len(row); size > min(limit, p.Room()-200) {
			lines = append(lines, kit.Count(len(rows)-i, "more image is", "more images are")+" not listed here.")
			break
		}
		lines = append(lines, "• "+row)
	}
	p.Rows(lines...)
	return p
}

// Difference is what was asked for one image: "2 · cake.jpg, Extensive: Remove the knife."
func Difference(s order.NumberedSource, limit int) string {
	return sourceName(s) + kit.Prefixed(", ", ServiceName(s.Service)) + kit.Prefixed(": ", kit.Inline(s.Instruction, limit))
}

// sourceName is how an image that was handed in is called: as in the form.
func sourceName(s order.NumberedSource) string {
	return strconv.Itoa(s.Number) + " · " + kit.Inline(cmp.Or(s.Name, "image"), 80)
}

// ServiceName is a service type in a line of facts; one that we do not know as it was written.
func ServiceName(s order.ServiceType) string {
	names := map[order.ServiceType]string{order.ServiceBasic: "Basic", order.ServiceExtensive: "Extensive"}
	return cmp.Or(names[s], kit.Inline(string(s), 40))
}

// allowed says who let an order be placed, and when; "" when nobody was asked.
func allowed(b order.Brief) string {
	return kit.OnlyIf(b.AllowedBy != "", kit.Dots("Allowed by "+kit.Mention(b.AllowedBy), kit.WhenKnown(b.AllowedAt)))
}
