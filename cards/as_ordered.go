package cards

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/order"
	"darkroom/store"
)

// album are images with what the order asked for each of them alone.
type album struct {
	images []order.EditedImage
	words  []string // as many as images, or none; "": nothing
}

// of is what was asked for the image at that place, from 0.
func (a album) of(i int) string {
	if i >= len(a.words) {
		return ""
	}
	return a.words[i]
}

// row is an image in a list, with what was asked for it.
func (a album) row(i int) string {
	return imageRow(i+1, a.images[i]) + led("\n> ", inline(a.of(i), maxOwn))
}

// asOrdered shows the images of the first round, each with what the order asked for it, and says of
// which ones it is not known. It tells how many pictures it does not show.
func (p *builder) asOrdered(t store.Tracked, latest []order.EditedImage, thumbs Thumbs) (hidden int) {
	if t.Brief == nil {
		return p.gallery(album{images: latest}, thumbs, seeAll(t))
	}
	of := t.Brief.Match(latest)
	hidden = p.gallery(askedFor(*t.Brief, latest, of), thumbs, seeAll(t))
	p.note(unknownOrigin(*t.Brief, latest, of))
	return hidden
}

// askedFor finds what was asked for each image; of says which source it is an edit of. Of many images
// each has fewer words: all of them are in *Placed*.
func askedFor(b order.Brief, latest []order.EditedImage, of []int) album {
	limit := min(maxOwn, max(900/max(1, len(latest)), 30))
	words := make([]string, len(latest))
	for i, source := range of {
		if source < 0 {
			continue
		}
		own := b.Sources[source]
		other := onlyIf(cmp.Or(own.Service, b.Service) != b.Service, serviceName(own.Service))
		words[i] = plain(joined(". ", other, oneLine(own.Instruction)), limit)
	}
	return album{latest, words}
}

// unknownOrigin names the images of which the names do not tell what they are edits of, and what was
// asked for photos that none of the images is known to show; "" when nothing depends on it.
func unknownOrigin(b order.Brief, latest []order.EditedImage, of []int) string {
	var left []string
	for _, s := range b.Differences() {
		if !slices.Contains(of, s.Number-1) {
			left = append(left, "*"+sourceName(s)+"*"+led(", ", serviceName(s.Service))+led(": ", inline(s.Instruction, maxOwn/2)))
		}
	}
	var names []string
	for i, source := range of {
		if source < 0 {
			names = append(names, strconv.Itoa(i+1)+" · "+inline(imageName(latest[i]), maxCaption))
		}
	}
	if len(left) == 0 || len(names) == 0 {
		return ""
	}
	photo := onlyIf(len(names) == 1, "I cannot tell which photo this edits: ") + onlyIf(len(names) > 1, "I cannot tell which photos these edit: ")
	return cut(photo+strings.Join(names, ", "), 600) + ".\n" + finished(cut("Asked for one photo alone: "+strings.Join(left, " · "), 1200))
}
