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

// maxThumbs is how many images get a preview beside their name; a longer gallery
// goes on as a list of links, listed in paragraphs of maxList.
const (
	maxThumbs = 20
	maxList   = 10
)

// ImageLabel is how an image is called everywhere: "1 · beach.jpg", counted
// from 1. It is plain text, for labels.
func ImageLabel(number int, image order.EditedImage) string {
	return strconv.Itoa(number) + " · " + kit.Plain(ImageName(image), 200)
}

// ImageName returns an image's name, else its id.
func ImageName(image order.EditedImage) string {
	return cmp.Or(kit.OneLine(image.Name), kit.OneLine(image.ID), "image")
}

// Copies are the ids of files in Slack that show previews which Slack could not fetch,
// by the preview's address.
type Copies map[string]string

// Thumbs says how images are previewed, and where all of them are; the zero value shows none.
type Thumbs struct {
	Show    bool
	Plain   bool          // one below the other, beside the names: for a Slack that takes no layout
	Copies  Copies        // stand for previews that Slack could not fetch
	Sheets  []store.Sheet // contact sheets, which stand at the top
	Missing []string      // addresses of previews that Slack could not fetch; without a copy they are left out
	ZIP     ZIPs          // nil: they cannot be had as a ZIP
	Asks    []string      // user ids of whom a review asks; nil: who ordered
}

// Shows says that an image has a preview that can be shown.
func (t Thumbs) Shows(image order.EditedImage) bool { return t.Element(image, "") != nil }

// PreviewName is the file name of a preview's copy.
func PreviewName(image order.EditedImage) string { return kit.Plain(ImageName(image), 80) }

// Element is the preview of one image, nil when it has none.
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

// AddGallery adds the images, numbered, the first ones as pictures, the others as links, each with what
// was asked for it alone; where says where to see those for which there was no room. It tells how many
// pictures it does not show.
func AddGallery(p *kit.Page, g Album, thumbs Thumbs, where string) (hidden int) {
	done := 0
	for done < len(g.Images) {
		n := addPictures(p, g, done, thumbs)
		if n == 0 {
			n = addLinks(p, g, done, thumbs.unshown(g.Images, done))
			hidden += thumbs.countShown(g.Images[done : done+n])
		}
		if n == 0 {
			break
		}
		done += n
	}
	left := len(g.Images) - done
	p.Note(kit.OnlyIf(left > 0, kit.Count(left, "more image is", "more images are")+" not listed here. "+where))
	return hidden + thumbs.countShown(g.Images[done:])
}

// countShown is how many of the images have a picture that can be shown.
func (t Thumbs) countShown(images []order.EditedImage) (n int) {
	for _, image := range images {
		if t.Shows(image) {
			n++
		}
	}
	return n
}

// addPictures adds the next images as pictures and returns how many; 0: the next image has no picture, or the page is full.
func addPictures(p *kit.Page, g Album, from int, thumbs Thumbs) int {
	switch {
	case thumbs.Show && !thumbs.Plain:
		return addSheet(p, g, from, thumbs)
	case from < maxThumbs && addPreview(p, g, from, thumbs):
		return 1
	}
	return 0
}

// unshown is how far the images from the given one have no picture to show; none of them has one when
// the first has, but no room.
func (t Thumbs) unshown(images []order.EditedImage, from int) int {
	next := slices.IndexFunc(images[from:], t.Shows)
	if next <= 0 {
		return len(images)
	}
	return from + next
}

// addPreview adds an image with its picture; false when it has none, or there is no room.
func addPreview(p *kit.Page, g Album, i int, thumbs Thumbs) bool {
	shown := thumbs.Element(g.Images[i], kit.Plain(ImageLabel(i+1, g.Images[i]), kit.MaxAlt))
	return shown != nil && p.Section(g.row(i), slack.NewAccessory(shown))
}

// roomForRest is left for the note about the images that are not listed.
const roomForRest = 200

// addLinks adds a paragraph of as many images before the given end as fit, and tells how many.
func addLinks(p *kit.Page, g Album, from, end int) int {
	for n := min(maxList, end-from); n > 0; n-- {
		rows := kit.Map(g.Images[from:from+n], func(i int, _ order.EditedImage) string { return g.row(from + i) })
		if text := strings.Join(rows, "\n"); p.Fits(len(text)+roomForRest) && p.Section(text, nil) {
			return n
		}
	}
	return 0
}

// imageRow is "1 · beach.jpg · 3.2MB · 4000 × 3000 · round 2 · Full size".
func imageRow(number int, image order.EditedImage) string {
	row := kit.Dots(strconv.Itoa(number), kit.Inline(ImageName(image), 200), kit.Inline(image.Size, 30),
		kit.OnlyIf(image.Width > 0 && image.Height > 0, fmt.Sprintf("%d × %d", image.Width, image.Height)),
		laterRound(image.Revision))
	full := " · " + kit.Link(image.Origin, "Full size")
	return row + kit.OnlyIf(order.WebAddress(image.Origin) && kit.Units(row+full) <= kit.MaxSection-100, full)
}

// HasImage tells whether an image is among them.
func HasImage(latest []order.EditedImage, id string) bool {
	return slices.ContainsFunc(latest, func(image order.EditedImage) bool { return image.ID == id })
}
