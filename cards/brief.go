package cards

import (
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"
)

// Where what was asked for is told to all, it leaves room for the rest of the message.
const (
	maxBriefLine = 240  // characters of the brief on a card
	maxOwn       = 300  // of what was asked for one image, in a list
	maxAsked     = 5000 // of the instructions of an order, where all read them
	maxNamed     = 3    // images that a card names
)

// brief adds what was asked for in a line or two: the instructions, cut, and for which images
// something else was asked. Of an order of which that is not known it says nothing.
func (p *builder) brief(t store.Tracked) *builder {
	if t.Brief == nil {
		return p
	}
	words := inline(strings.Join(t.Brief.Instructions, " · "), maxBriefLine)
	return p.say(joined("\n", led("> ", words), differing(*t.Brief)))
}

// differing names the images for which something of their own was asked; of a single one it says
// what.
func differing(b order.Brief) string {
	own := b.Differences()
	if len(own) == 1 {
		return difference(own[0], maxBriefLine)
	}
	names := each(own[:min(maxNamed, len(own))], func(_ int, s order.NumberedSource) string { return sourceName(s) })
	more := len(own) - len(names)
	return led("Different for ", strings.Join(names, ", ")+onlyIf(more > 0, " and "+strconv.Itoa(more)+" more"))
}

// asked adds all that was asked for: the instructions, what differs from them image by image, and
// the references, each within so many characters.
func (p *builder) asked(b order.Brief, limit int) *builder {
	p.quote(strings.Join(b.Instructions, "\n"), limit)
	p.someBullets("Different for:", limit/2, each(b.Differences(), func(_ int, s order.NumberedSource) string { return difference(s, maxOwn) }))
	return p.someBullets("Reference images, not edited:", limit/2, each(b.References(), func(_ int, s order.NumberedSource) string {
		return sourceName(s) + led(": ", inline(s.Instruction, maxOwn))
	}))
}

// someBullets adds rows about images under a headline, as many as fit into so many bytes, and says
// how many it left out.
func (p *builder) someBullets(headline string, limit int, rows []string) *builder {
	if len(rows) == 0 {
		return p
	}
	lines, size := []string{headline}, 0
	for i, row := range rows {
		if size += len(row); size > min(limit, p.room()-200) {
			lines = append(lines, count(len(rows)-i, "more image is", "more images are")+" not listed here.")
			break
		}
		lines = append(lines, "• "+row)
	}
	p.rows(lines...)
	return p
}

// difference is what was asked for one image: "2 · cake.jpg, Extensive: Remove the knife."
func difference(s order.NumberedSource, limit int) string {
	return sourceName(s) + led(", ", serviceName(s.Service)) + led(": ", inline(s.Instruction, limit))
}

// sourceName is how an image that was handed in is called: as in the form.
func sourceName(s order.NumberedSource) string {
	return strconv.Itoa(s.Number) + " · " + inline(orElse(s.Name, "image"), 80)
}

// serviceName is a service type in a line of facts; one that we do not know as it was written.
func serviceName(s order.ServiceType) string {
	names := map[order.ServiceType]string{order.ServiceBasic: "Basic", order.ServiceExtensive: "Extensive"}
	return orElse(names[s], inline(string(s), 40))
}
