package cards

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/order"
)

// request is what was asked for, by whom: for single images, and for the others.
type request struct{ order.Event }

func requestOf(c Course) request {
	if c.Asked == nil {
		return request{}
	}
	return request{*c.Asked}
}

// who begins what was asked for.
func (a request) who() string {
	if a.Actor == "" {
		return "asked for elsewhere"
	}
	return begun(a.Actor) + " asked"
}

// of are the words for one image alone.
func (a request) of(c change) []string {
	if c.before != nil && len(a.PerImage[c.before.ID]) > 0 {
		return a.PerImage[c.before.ID]
	}
	return a.PerImage[c.after.ID]
}

// general are the words for all images that have none of their own.
func (a request) general() string {
	if len(a.Words) == 0 {
		return ""
	}
	whom := "All images"
	if len(a.PerImage)+len(a.Good) > 0 {
		whom = allOthers
	}
	return requested(whom+" · "+a.who(), a.Words)
}

// unmet are the images for which something was asked alone, and that are as they were.
func (a request) unmet(latest []order.EditedImage, changed []change) []string {
	var names []string
	for i, image := range latest {
		isNew := slices.ContainsFunc(changed, func(c change) bool { return c.number == i+1 })
		if !isNew && len(a.PerImage[image.ID]) > 0 {
			names = append(names, strconv.Itoa(i+1)+" · "+inline(imageName(image), maxCaption))
		}
	}
	return names
}

// mostUnmet is how many images a review names that are not new though changes were asked for them.
const mostUnmet = 5

// rest says what of the images that are not new, than names since when, and which of them something was
// asked for: with all others, or alone.
func (a request) rest(others int, than string, unmet []string) string {
	if others == 0 {
		return ""
	}
	says := "The other " + onlyIf(others > 1, strconv.Itoa(others)+" are") + onlyIf(others == 1, "one is") + " as " + than +
		a.inVain(others) + "."
	some := unmet[:min(mostUnmet, len(unmet))]
	more := len(unmet) - len(some)
	return says + led(" Asked for alone, but not new: ", finished(strings.Join(some, ", ")+onlyIf(more > 0, " and "+strconv.Itoa(more)+" more")))
}

// inVain says of how many images that are not new something was asked for with all others: of none that
// was good.
func (a request) inVain(others int) string {
	asked := others - len(a.Good)
	if len(a.Words) == 0 || asked <= 0 {
		return ""
	}
	return ", although changes were asked for " + onlyIf(asked < others, strconv.Itoa(asked)+" of ") + plural(others, "it", "them")
}

// maxRequest is how much of a request a review quotes: all of it is in the reply to the request.
const maxRequest = 400

// requested is what somebody asked for, under a headline.
func requested(head string, words []string) string {
	return head + "\n" + strings.Join(quotation(strings.Join(words, "\n"), maxRequest), "\n")
}

// changes shows images before and after, and tells how many it does not show at all. Those with words
// of their own stand under them; the others follow each other.
func (p *builder) changes(changed []change, a request, thumbs Thumbs) (unshown int) {
	for len(changed) > 0 {
		n := 1
		if words := a.of(changed[0]); len(words) > 0 {
			if !p.changeAsked(changed[0], a.who(), words, thumbs) {
				break
			}
		} else if n = p.changeRows(changed, a, thumbs); n == 0 {
			break
		}
		changed = changed[n:]
	}
	if len(changed) == 0 || p.notes(lines("Also new: ", each(changed, func(_ int, c change) string { return imageLink(c.number, c.after) }))) {
		return 0
	}
	return len(changed)
}

// changeAsked shows an image under what was asked for it.
func (p *builder) changeAsked(c change, who string, words []string, thumbs Thumbs) bool {
	text := requested("*"+inline(strconv.Itoa(c.number)+" · "+imageName(c.after), maxCaption)+"* · full size: "+c.links()+"\n"+who, words)
	if !p.roomFor(len(text)+4*maxCaption, 5) || units(text) > maxSection {
		return false
	}
	p.say(text)
	p.pairs([]change{c}, thumbs, nil)
	return true
}

// changeRows shows the next images for which nothing was asked alone, and tells how many.
func (p *builder) changeRows(changed []change, a request, thumbs Thumbs) int {
	n := 0
	for n < min(sheetRows, len(changed)) && len(a.of(changed[n])) == 0 {
		n++
	}
	for ; n > 0; n-- {
		links := lines("Full size: ", each(changed[:n], func(_ int, c change) string { return c.named() + ": " + c.links() }))
		if p.pairs(changed[:n], thumbs, links) {
			return n
		}
	}
	return 0
}

// pairs shows images before and after, a row each, and what follows them; false when there is no room.
func (p *builder) pairs(changed []change, thumbs Thumbs, notes []string) bool {
	var rows [][]tile
	for _, c := range changed {
		if tiles := c.tiles(thumbs); len(tiles) > 0 {
			rows = append(rows, tiles)
		}
	}
	label := "Before and after"
	if len(changed) == 1 {
		label = imageLabel(changed[0].number, changed[0].after) + ", before and after"
	}
	switch {
	case len(rows) == 0:
		return p.notes(notes)
	case thumbs.Plain:
		return p.stack(rows, thumbs, notes)
	}
	return p.layout(label, rows, thumbs, notes)
}

// tiles are the image's pictures that can be shown.
func (c change) tiles(thumbs Thumbs) []tile {
	var tiles []tile
	if c.before != nil && thumbs.shows(*c.before) {
		tiles = append(tiles, tile{number: c.number, note: "before", image: *c.before})
	}
	if thumbs.shows(c.after) {
		tiles = append(tiles, tile{number: c.number, note: onlyIf(c.before != nil, "after") + onlyIf(c.before == nil, "new"), image: c.after})
	}
	return tiles
}

// named is its number and name.
func (c change) named() string {
	return strconv.Itoa(c.number) + " · " + inline(imageName(c.after), maxCaption)
}

// links lead to the image in full size.
func (c change) links() string {
	if c.before == nil {
		return fullLink(c.after, "new")
	}
	return fullLink(*c.before, "before") + ", " + fullLink(c.after, "after")
}
