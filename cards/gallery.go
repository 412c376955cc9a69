package cards

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// A plain gallery shows maxThumbs previews beside their names. The rest are links, in paragraphs of maxList.
const (
	maxThumbs = 20
	maxList   = 10
)

// ImageLabel returns an image's label as plain text: "1 · beach.jpg". number counts from 1.
func ImageLabel(number int, image order.EditedImage) string {
	return strconv.Itoa(number) + " · " + kit.Plain(ImageName(image), 200)
}

// ImageName returns an image's name, else its id, else "photo".
func ImageName(image order.EditedImage) string {
	return cmp.Or(kit.OneLine(image.Name), kit.OneLine(image.ID), "photo")
}

// Copies maps preview URLs that Slack could not fetch to Slack file ids of their copies.
type Copies map[string]string

// Thumbs says how images are previewed. The zero value shows no previews.
type Thumbs struct {
	Show    bool
	Plain   bool              // one below the other beside names: for a Slack that takes no layouts
	Copies  Copies            // replace previews that Slack could not fetch
	Sheets  []store.Sheet     // contact sheets, shown at the top
	Missing []string          // preview URLs that Slack could not fetch; left out without a copy
	ZIP     RoundURL          // nil: no ZIP can be downloaded
	Compare RoundURL          // nil: there is no page that compares
	Mark    MarkURL           // nil: there is no page for pins
	Found   *order.Inspection // what a review says about its delivery; nil: nothing
	Asks    []string          // user ids that a review asks; nil: the requester
}

// Shows reports whether an image has a preview to show.
func (t Thumbs) Shows(image order.EditedImage) bool { return t.Element(image, "") != nil }

// PreviewName returns the file name of a preview's copy.
func PreviewName(image order.EditedImage) string { return kit.Plain(ImageName(image), 80) }

// Element returns an image's preview, or nil.
func (t Thumbs) Element(image order.EditedImage, alt string) *slack.ImageBlockElement {
	switch {
	case !t.Show || !order.WebAddress(image.Thumb) || kit.Units(image.Thumb) > kit.MaxURL:
		return nil
	case t.Copies[image.Thumb] != "":
		return slack.NewImageBlockElementSlackFile(&slack.SlackFileObject{ID: t.Copies[image.Thumb]}, alt)
	case slices.Contains(t.Missing, image.Thumb):
		return nil
	}
	return slack.NewImageBlockElement(image.Thumb, alt)
}

// AddGallery adds numbered images: pictures first, then links, each with its own instruction. where says where
// to see images that do not fit. It returns how many pictures it left out.
func AddGallery(p *kit.Page, g Album, thumbs Thumbs, where string) (hidden int) {
	done := 0
	for done < len(g.Images) {
		n := addPictures(p, g, done, thumbs)
		if n == 0 {
			n = addLinks(p, g, done, thumbs.unshown(g.Images, done))
			hidden += kit.CountFunc(g.Images[done:done+n], thumbs.Shows)
		}
		if n == 0 {
			break
		}
		done += n
	}
	left := len(g.Images) - done
	p.Note(kit.OnlyIf(left > 0, kit.Count(left, "more photo is", "more photos are")+" not listed. "+where))
	return hidden + kit.CountFunc(g.Images[done:], thumbs.Shows)
}

// addPictures adds the next images as pictures and returns how many. It returns 0 if the next image has no
// picture or the page is full.
func addPictures(p *kit.Page, g Album, from int, thumbs Thumbs) int {
	switch {
	case thumbs.Show && !thumbs.Plain:
		return addSheet(p, g, from, thumbs)
	case from < maxThumbs && addPreview(p, g, from, thumbs):
		return 1
	}
	return 0
}

// unshown returns the index before which images are listed as links. If the next image has a picture but no
// room, that is all images.
func (t Thumbs) unshown(images []order.EditedImage, from int) int {
	next := slices.IndexFunc(images[from:], t.Shows)
	return kit.Either(next <= 0, len(images), from+next)
}

// addPreview adds an image with its picture. It returns false without a picture or room.
func addPreview(p *kit.Page, g Album, i int, thumbs Thumbs) bool {
	shown := thumbs.Element(g.Images[i], kit.Plain("Edited photo: "+ImageLabel(i+1, g.Images[i]), kit.MaxAlt))
	return shown != nil && p.Section(g.row(i), slack.NewAccessory(shown))
}

// roomForRest reserves bytes for the note about images that are not listed.
const roomForRest = 200

// addLinks adds a paragraph of as many images before end as fit, and returns how many.
func addLinks(p *kit.Page, g Album, from, end int) int {
	for n := min(maxList, end-from); n > 0; n-- {
		rows := kit.Map(g.Images[from:from+n], func(i int, _ order.EditedImage) string { return g.row(from + i) })
		if text := strings.Join(rows, "\n"); p.Fits(len(text)+roomForRest) && p.Section(text, nil) {
			return n
		}
	}
	return 0
}

// imageRow returns "1 · beach.jpg · 3.2MB · 4000 × 3000 · round 2 · Full size".
func imageRow(number int, image order.EditedImage) string {
	row := kit.Dots(strconv.Itoa(number), kit.Inline(ImageName(image), 200), kit.Inline(image.Size, 30),
		kit.OnlyIf(image.Width > 0 && image.Height > 0, fmt.Sprintf("%d × %d", image.Width, image.Height)),
		laterRound(image.Revision))
	full := " · " + kit.Link(image.Origin, "Full size")
	return row + kit.OnlyIf(order.WebAddress(image.Origin) && kit.Units(row+full) <= kit.MaxSection-100, full)
}

// HasImage reports whether latest has an image with that id.
func HasImage(latest []order.EditedImage, id string) bool {
	return slices.ContainsFunc(latest, func(image order.EditedImage) bool { return image.ID == id })
}

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
	return kit.Cut(photo+strings.Join(names, ", "), 600) + ".\n" + kit.FullStop(kit.Cut("Requested for single photos: "+strings.Join(left, " · "), 1200))
}
