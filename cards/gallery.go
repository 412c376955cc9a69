package cards

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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

// Latest is [order.Latest].
func Latest(images []order.EditedImage) []order.EditedImage { return order.Latest(images) }

// imageLabel is how an image is called everywhere: "1 · beach.jpg", counted
// from 1. It is plain text, for labels.
func imageLabel(number int, image order.EditedImage) string {
	return strconv.Itoa(number) + " · " + plain(imageName(image), 200)
}

func imageName(image order.EditedImage) string {
	return orElse(oneLine(image.Name), oneLine(image.ID), "image")
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

// shows says that an image has a preview that can be shown.
func (t Thumbs) shows(image order.EditedImage) bool { return t.element(image, "") != nil }

// PreviewName is the file name of a preview's copy.
func PreviewName(image order.EditedImage) string { return plain(imageName(image), 80) }

// element is the preview of one image, nil when it has none.
func (t Thumbs) element(image order.EditedImage, alt string) *slack.ImageBlockElement {
	switch {
	case !t.Show || !isWeb(image.Thumb) || units(image.Thumb) > maxURL:
		return nil
	case t.Copies[image.Thumb] != "":
		return slack.NewImageBlockElementSlackFile(&slack.SlackFileObject{ID: t.Copies[image.Thumb]}, alt)
	case slices.Contains(t.Missing, image.Thumb):
		return nil
	}
	return slack.NewImageBlockElement(image.Thumb, alt)
}

// gallery adds the images, numbered, the first ones as pictures, the others as links, each with what
// was asked for it alone; where says where to see those for which there was no room. It tells how many
// pictures it does not show.
func (p *builder) gallery(g album, thumbs Thumbs, where string) (hidden int) {
	done := 0
	for done < len(g.images) {
		n := p.pictures(g, done, thumbs)
		if n == 0 {
			n = p.list(g, done, thumbs.unshown(g.images, done))
			hidden += thumbs.countShown(g.images[done : done+n])
		}
		if n == 0 {
			break
		}
		done += n
	}
	left := len(g.images) - done
	p.note(onlyIf(left > 0, count(left, "more image is", "more images are")+" not listed here. "+where))
	return hidden + thumbs.countShown(g.images[done:])
}

// countShown is how many of the images have a picture that can be shown.
func (t Thumbs) countShown(images []order.EditedImage) (n int) {
	for _, image := range images {
		if t.shows(image) {
			n++
		}
	}
	return n
}

// pictures adds the next images as pictures, and tells how many; 0: the next is none, or there is
// no room.
func (p *builder) pictures(g album, from int, thumbs Thumbs) int {
	switch {
	case thumbs.Show && !thumbs.Plain:
		return p.sheet(g, from, thumbs)
	case from < maxThumbs && p.preview(g, from, thumbs):
		return 1
	}
	return 0
}

// unshown is how far the images from the given one have no picture to show; none of them has one when
// the first has, but no room.
func (t Thumbs) unshown(images []order.EditedImage, from int) int {
	next := slices.IndexFunc(images[from:], t.shows)
	if next <= 0 {
		return len(images)
	}
	return from + next
}

// preview adds an image with its picture; false when it has none, or there is no room.
func (p *builder) preview(g album, i int, thumbs Thumbs) bool {
	shown := thumbs.element(g.images[i], plain(imageLabel(i+1, g.images[i]), maxAlt))
	return shown != nil && p.section(g.row(i), slack.NewAccessory(shown))
}

// roomForRest is left for the note about the images that are not listed.
const roomForRest = 200

// list adds a paragraph of as many images before the given end as fit, and tells how many.
func (p *builder) list(g album, from, end int) int {
	for n := min(maxList, end-from); n > 0; n-- {
		rows := each(g.images[from:from+n], func(i int, _ order.EditedImage) string { return g.row(from + i) })
		if text := strings.Join(rows, "\n"); p.fits(len(text)+roomForRest) && p.section(text, nil) {
			return n
		}
	}
	return 0
}

// imageRow is "1 · beach.jpg · 3.2MB · 4000 × 3000 · round 2 · Full size".
func imageRow(number int, image order.EditedImage) string {
	row := dots(strconv.Itoa(number), inline(imageName(image), 200), inline(image.Size, 30),
		onlyIf(image.Width > 0 && image.Height > 0, fmt.Sprintf("%d × %d", image.Width, image.Height)),
		laterRound(image.Revision))
	full := " · " + link(image.Origin, "Full size")
	return row + onlyIf(isWeb(image.Origin) && units(row+full) <= maxSection-100, full)
}
