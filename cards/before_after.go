package cards

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
)

// request is the changes that somebody requested, for single images and for all others.
type request struct {
	order.Event
	names kit.Names
}

// RequestOf returns the changes requested before a delivery. names are those of the shown order.
func RequestOf(c RoundHistory, names kit.Names) request {
	if c.Asked == nil {
		return request{}
	}
	return request{*c.Asked, names}
}

// Who begins the sentence that says who requested the changes.
func (a request) Who() string {
	return kit.Either(a.Actor == "", "requested elsewhere", a.names.Subject(a.Actor)+" asked")
}

// Of returns the instructions for one image alone.
func (a request) Of(c Change) []string {
	if c.Before != nil && len(a.PerImage[c.Before.ID]) > 0 {
		return a.PerImage[c.Before.ID]
	}
	return a.PerImage[c.After.ID]
}

// general returns the instructions for all images without their own.
func (a request) general() string {
	if len(a.Words) == 0 {
		return ""
	}
	whom := kit.Either(len(a.PerImage)+len(a.Good) > 0, AllOthers, "All photos")
	return requested(whom+" · "+a.Who(), a.Words)
}

// unmet names the images that have their own instructions and did not change.
func (a request) unmet(latest []order.EditedImage, changed []Change) []string {
	var names []string
	for i, image := range latest {
		isNew := slices.ContainsFunc(changed, func(c Change) bool { return c.Number == i+1 })
		if !isNew && len(a.PerImage[image.ID]) > 0 {
			names = append(names, numberedName(i+1, image))
		}
	}
	return names
}

// mostUnmet bounds how many unchanged images a review names.
const mostUnmet = 5

// rest describes the unchanged images: since which round they are the same, and which ones had instructions.
func (a request) rest(others int, than string, unmet []string) string {
	if others == 0 {
		return ""
	}
	says := "The other " + kit.Plural(others, "one is", strconv.Itoa(others)+" are") + " as " + than + "." + a.unmetGeneral(others)
	return says + kit.Prefixed(" Requested but not changed: ", kit.FullStop(kit.FirstOf(mostUnmet, unmet)))
}

// unmetGeneral says for how many unchanged images the general instructions were meant. Good images do not
// count.
func (a request) unmetGeneral(others int) string {
	asked := others - len(a.Good)
	return kit.OnlyIf(len(a.Words) > 0 && asked > 0, " Changes were requested for "+kit.OnlyIf(asked < others, strconv.Itoa(asked)+" of ")+kit.Plural(others, "it", "them")+".")
}

// MaxRequest bounds a quoted request, in characters. The reply to the request has all of it.
const MaxRequest = 400

// requested quotes a request under a headline.
func requested(head string, words []string) string {
	return head + ":\n" + strings.Join(kit.Quotation(strings.Join(words, "\n"), MaxRequest), "\n")
}

// addChanges shows images before and after, and returns how many it does not show. Images with their own
// instructions stand below them; the others share layouts.
func addChanges(p *kit.Page, changed []Change, a request, thumbs Thumbs) (unshown int) {
	for len(changed) > 0 {
		n := 1
		if words := a.Of(changed[0]); len(words) > 0 {
			if !addChangeAsked(p, changed[0], a.Who(), words, thumbs) {
				break
			}
		} else if n = addChangeRows(p, changed, a, thumbs); n == 0 {
			break
		}
		changed = changed[n:]
	}
	if len(changed) == 0 || p.Notes(lines("Also new: ", kit.Map(changed, func(_ int, c Change) string { return imageLink(c.Number, c.After) }))) {
		return 0
	}
	return len(changed)
}

// addChangeAsked shows an image below its own instructions.
func addChangeAsked(p *kit.Page, c Change, who string, words []string, thumbs Thumbs) bool {
	text := requested("*"+kit.Inline(strconv.Itoa(c.Number)+" · "+ImageName(c.After), MaxCaption)+"* · full size: "+c.Links()+"\n"+who, words)
	if !p.RoomFor(len(text)+4*MaxCaption, 5) || kit.Units(text) > kit.MaxSection {
		return false
	}
	p.Say(text)
	AddPairs(p, []Change{c}, thumbs, nil)
	return true
}

// addChangeRows shows the next images without their own instructions, and returns how many.
func addChangeRows(p *kit.Page, changed []Change, a request, thumbs Thumbs) int {
	n := 0
	for n < min(sheetRows, len(changed)) && len(a.Of(changed[n])) == 0 {
		n++
	}
	for ; n > 0; n-- {
		links := lines("Full size: ", kit.Map(changed[:n], func(_ int, c Change) string { return numberedName(c.Number, c.After) + ": " + c.Links() }))
		if AddPairs(p, changed[:n], thumbs, links) {
			return n
		}
	}
	return 0
}

// AddPairs shows images before and after, one row each, then notes. It returns false if there is no room.
func AddPairs(p *kit.Page, changed []Change, thumbs Thumbs, notes []string) bool {
	var rows [][]Tile
	for _, c := range changed {
		if tiles := c.Tiles(thumbs); len(tiles) > 0 {
			rows = append(rows, tiles)
		}
	}
	label := "Before and after"
	if len(changed) == 1 {
		label = ImageLabel(changed[0].Number, changed[0].After) + ", before and after"
	}
	switch {
	case len(rows) == 0:
		return p.Notes(notes)
	case thumbs.Plain:
		return addStack(p, rows, thumbs, notes)
	}
	return AddLayout(p, label, rows, thumbs, notes)
}

// Tiles returns the image's pictures that can be shown.
func (c Change) Tiles(thumbs Thumbs) []Tile {
	var tiles []Tile
	if c.Before != nil && thumbs.Shows(*c.Before) {
		tiles = append(tiles, Tile{Number: c.Number, note: "before", Image: *c.Before})
	}
	if thumbs.Shows(c.After) {
		tiles = append(tiles, Tile{Number: c.Number, note: kit.Either(c.Before != nil, "after", "new"), Image: c.After})
	}
	return tiles
}

// Links returns links to the image in full size.
func (c Change) Links() string {
	if c.Before == nil {
		return fullLink(c.After, "new")
	}
	return fullLink(*c.Before, "before") + ", " + fullLink(c.After, "after")
}

// AllOthers labels the input for photos without their own instructions.
const AllOthers = "All other photos"

// Change is an image that is new or different in a delivery.
type Change struct {
	Number int // as in the revise form, from 1
	After  order.EditedImage
	Before *order.EditedImage // nil: the delivery before had no such image
	Unsure bool               // several images have this name, so Before is a guess
}

// ChangeAt returns the change of the image at index i. An image that the delivery did not change has no Before.
func ChangeAt(changed []Change, i int, image order.EditedImage) Change {
	if at := slices.IndexFunc(changed, func(c Change) bool { return c.Number == i+1 }); at >= 0 {
		return changed[at]
	}
	return Change{After: image}
}

// changedSince returns the images that a delivery changed and those that it lost. Both lists hold only the
// newest edits, as [order.Latest] returns them. Two images are the same edit if id, name, revision and time
// match. Otherwise images match by id, then by name; equal names match in order.
func changedSince(before, after []order.EditedImage) (changed []Change, lost []order.EditedImage) {
	left := slices.Clone(before) // images without a match so far
	take := func(is func(order.EditedImage) bool) *order.EditedImage {
		i := slices.IndexFunc(left, is)
		if i < 0 {
			return nil
		}
		found := left[i]
		left = slices.Delete(left, i, i+1)
		return &found
	}
	found := make([]*order.EditedImage, len(after))
	for _, same := range []func(a, b order.EditedImage) bool{sameEdit, sameID, sameName} {
		for i, image := range after {
			if found[i] == nil {
				found[i] = take(func(old order.EditedImage) bool { return same(old, image) })
			}
		}
	}
	for i, image := range after {
		if found[i] == nil || !sameEdit(*found[i], image) {
			guess := found[i] != nil && !sameID(*found[i], image) && (countOf(before, image.Name) > 1 || countOf(after, image.Name) > 1)
			changed = append(changed, Change{Number: i + 1, After: image, Before: found[i], Unsure: guess})
		}
	}
	return changed, left
}

func sameEdit(a, b order.EditedImage) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Revision == b.Revision && a.UploadedAt.Equal(b.UploadedAt)
}

func sameID(a, b order.EditedImage) bool { return a.ID != "" && a.ID == b.ID }

func sameName(a, b order.EditedImage) bool { return a.Name != "" && a.Name == b.Name }

// countOf counts the images with that name.
func countOf(images []order.EditedImage, name string) int {
	return kit.CountFunc(images, func(image order.EditedImage) bool { return image.Name == name })
}
