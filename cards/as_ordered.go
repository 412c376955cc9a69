package cards

import (
	"cmp"
	"slices"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// Album is a list of images, each with its own instruction in the order.
type Album struct {
	Images []order.EditedImage
	words  []string // one for each image, "" without an own instruction; or nil
}

// Of returns the instruction of the image at index i, or "".
func (a Album) Of(i int) string {
	if i >= len(a.words) {
		return ""
	}
	return a.words[i]
}

// row lists an image with its own instruction.
func (a Album) row(i int) string {
	return imageRow(i+1, a.Images[i]) + kit.Prefixed("\n> ", kit.Inline(a.Of(i), MaxOwn))
}

// AddAsOrdered shows the images of the first round with their own instructions. It names images whose source
// is unknown. It returns how many pictures it left out.
func AddAsOrdered(p *kit.Page, t store.Tracked, latest []order.EditedImage, thumbs Thumbs) (hidden int) {
	if t.Brief == nil {
		return AddGallery(p, Album{Images: latest}, thumbs, SeeAll(t))
	}
	of := t.Brief.Match(latest)
	hidden = AddGallery(p, AskedFor(*t.Brief, latest, of), thumbs, SeeAll(t))
	p.Note(unknownOrigin(*t.Brief, latest, of))
	return hidden
}

// AskedFor returns each image's own instruction; of maps images to their sources. More images get shorter
// instructions: the *Placed* reply has them whole.
func AskedFor(b order.Brief, latest []order.EditedImage, of []int) Album {
	limit := min(MaxOwn, max(900/max(1, len(latest)), 30))
	words := make([]string, len(latest))
	for i, source := range of {
		if source < 0 {
			continue
		}
		own := b.Sources[source]
		other := kit.OnlyIf(cmp.Or(own.Service, b.Service) != b.Service, ServiceName(own.Service))
		words[i] = kit.Plain(kit.Join(". ", other, kit.OneLine(own.Instruction)), limit)
	}
	return Album{latest, words}
}

// unknownOrigin names the images whose source is unknown, and the own instructions that match no image. It
// returns "" if either list is empty.
func unknownOrigin(b order.Brief, latest []order.EditedImage, of []int) string {
	var left []string
	for _, s := range b.Differences() {
		if !slices.Contains(of, s.Number-1) {
			left = append(left, "*"+sourceName(s)+"*"+kit.Prefixed(", ", ServiceName(s.Service))+kit.Prefixed(": ", kit.Inline(s.Instruction, MaxOwn/2)))
		}
	}
	var names []string
	for i, source := range of {
		if source < 0 {
			names = append(names, numberedName(i+1, latest[i]))
		}
	}
	if len(left) == 0 || len(names) == 0 {
		return ""
	}
	photo := kit.Plural(len(names), "I cannot tell which photo this edits: ", "I cannot tell which photos these edit: ")
	return kit.Cut(photo+strings.Join(names, ", "), 600) + ".\n" + kit.FullStop(kit.Cut("Asked for one photo alone: "+strings.Join(left, " · "), 1200))
}
