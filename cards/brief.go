package cards

import (
	"cmp"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// These limits leave room for the rest of the message.
const (
	maxBriefLine = 240  // characters of the instructions on a card
	MaxOwn       = 300  // characters of one image's own instruction, in a list
	MaxAsked     = 5000 // characters of an order's instructions, where all of them are shown
	maxNamed     = 3    // images that a card names
)

// AddBrief adds the instructions in one line, and which images differ. It adds nothing if the instructions are
// unknown.
func AddBrief(p *kit.Page, t store.Tracked) *kit.Page {
	if t.Brief == nil {
		return p
	}
	words := kit.Inline(strings.Join(t.Brief.Instructions, " · "), maxBriefLine)
	return p.Say(kit.Join("\n", kit.Prefixed("> ", words), differing(*t.Brief)))
}

// differing names the images with their own instructions. For a single image it adds the instruction.
func differing(b order.Brief) string {
	own := b.Differences()
	if len(own) == 1 {
		return Difference(own[0], maxBriefLine)
	}
	names := kit.Map(own, func(_ int, s order.NumberedSource) string { return sourceName(s) })
	return kit.Prefixed("Different for ", kit.FirstOf(maxNamed, names))
}

// addAsked adds all instructions, the differences image by image, and the references. Each is cut to limit.
func addAsked(p *kit.Page, b order.Brief, limit int) *kit.Page {
	p.Quote(strings.Join(b.Instructions, "\n"), limit)
	AddSomeBullets(p, "Different for:", limit/2, kit.Map(b.Differences(), func(_ int, s order.NumberedSource) string { return Difference(s, MaxOwn) }))
	return AddSomeBullets(p, "Reference photos, not edited:", limit/2, kit.Map(b.References(), func(_ int, s order.NumberedSource) string {
		return sourceName(s) + kit.Prefixed(": ", kit.Inline(s.Instruction, MaxOwn))
	}))
}

// AddSomeBullets adds rows about images under a headline, in at most limit bytes. It says how many it left
// out.
func AddSomeBullets(p *kit.Page, headline string, limit int, rows []string) *kit.Page {
	if len(rows) == 0 {
		return p
	}
	lines, size := []string{headline}, 0
	for i, row := range rows {
		if size += len(row); size > min(limit, p.Room()-200) {
			lines = append(lines, kit.Count(len(rows)-i, "more photo is", "more photos are")+" not listed.")
			break
		}
		lines = append(lines, "• "+row)
	}
	p.Rows(lines...)
	return p
}

// Difference describes how one image differs: "2 · cake.jpg, Extensive: Remove the knife."
func Difference(s order.NumberedSource, limit int) string {
	return sourceName(s) + kit.Prefixed(", ", ServiceName(s.Service)) + kit.Prefixed(": ", kit.Inline(s.Instruction, limit))
}

// sourceName returns an ordered image's number and name, as in the form.
func sourceName(s order.NumberedSource) string {
	return strconv.Itoa(s.Number) + " · " + kit.Inline(cmp.Or(s.Name, "photo"), 80)
}

// ServiceName returns the label of a service type, "" for none. An unknown type stays as the service wrote it.
func ServiceName(s order.ServiceType) string {
	names := map[order.ServiceType]string{order.ServiceBasic: "Basic", order.ServiceExtensive: "Extensive"}
	return cmp.Or(names[s], kit.Inline(string(s), 40))
}

// allowed says who approved placing an order, and when. It returns "" if nobody was asked.
func allowed(b order.Brief) string {
	return kit.OnlyIf(b.AllowedBy != "", kit.Dots("Allowed by "+kit.Mention(b.AllowedBy), kit.WhenKnown(b.AllowedAt)))
}
