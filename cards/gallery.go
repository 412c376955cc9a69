package cards

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"darkroom/order"

	"github.com/slack-go/slack"
)

// maxThumbs is how many images get a preview of their own; a longer gallery
// goes on as a list of links, listed in paragraphs of maxList.
const (
	maxThumbs = 20
	maxList   = 10
)

// Latest keeps the newest edit of each image, in the order of the first
// delivery: their numbers everywhere. The same id is the same image, and so is
// the same name in a later revision; two images of one name stay two.
func Latest(images []order.EditedImage) []order.EditedImage {
	byRevision := slices.Clone(images)
	slices.SortStableFunc(byRevision, func(a, b order.EditedImage) int {
		return cmp.Compare(a.Revision, b.Revision)
	})
	var latest []order.EditedImage
	for _, image := range byRevision {
		i := slices.IndexFunc(latest, func(old order.EditedImage) bool { return replaces(image, old) })
		if i < 0 {
			latest = append(latest, image)
			continue
		}
		latest[i] = image
	}
	return latest
}

func replaces(image, old order.EditedImage) bool {
	if image.ID != "" && image.ID == old.ID {
		return true
	}
	return image.Name != "" && image.Name == old.Name && image.Revision > old.Revision
}

// imageLabel is how an image is called everywhere: "1 · beach.jpg", counted
// from 1. It is plain text, for labels.
func imageLabel(number int, image order.EditedImage) string {
	return strconv.Itoa(number) + " · " + plain(imageName(image), 200)
}

func imageName(image order.EditedImage) string {
	return orElse(oneLine(image.Name), oneLine(image.ID), "image")
}

// Copies are the ids of files in Slack that show previews which Slack could not fetch,
// by the preview's address. Not nil: of the other previews Slack can fetch none either.
type Copies map[string]string

// Thumbs says how images are previewed; the zero value shows none.
type Thumbs struct {
	Show   bool
	Copies Copies
}

// Previewed are the images of a delivery that get a preview.
func Previewed(images []order.EditedImage) []order.EditedImage {
	latest := Latest(images)
	return slices.DeleteFunc(latest[:min(maxThumbs, len(latest))], func(i order.EditedImage) bool {
		return !isWeb(i.Thumb)
	})
}

// PreviewName is the file name of a preview's copy.
func PreviewName(image order.EditedImage) string { return plain(imageName(image), 80) }

// element is the preview of one image, nil when it has none.
func (t Thumbs) element(image order.EditedImage, alt string) *slack.ImageBlockElement {
	switch {
	case !t.Show || !isWeb(image.Thumb) || units(image.Thumb) > maxURL:
		return nil
	case t.Copies == nil:
		return slack.NewImageBlockElement(image.Thumb, alt)
	case t.Copies[image.Thumb] == "":
		return nil
	}
	return slack.NewImageBlockElementSlackFile(&slack.SlackFileObject{ID: t.Copies[image.Thumb]}, alt)
}

// gallery adds the images, numbered, the first ones with a preview; where says
// where to see those for which there was no room.
func (p *builder) gallery(images []order.EditedImage, thumbs Thumbs, where string) {
	done := 0
	for done < len(images) {
		n := 1
		if done >= maxThumbs || !p.preview(done+1, images[done], thumbs) {
			n = p.list(images, done)
		}
		if n == 0 {
			break
		}
		done += n
	}
	left := len(images) - done
	p.note(onlyIf(left > 0, count(left, "more image is", "more images are")+" not listed here. "+where))
}

// preview adds an image with its picture; false when it has none, or there is no room.
func (p *builder) preview(number int, image order.EditedImage, thumbs Thumbs) bool {
	shown := thumbs.element(image, plain(imageLabel(number, image), maxAlt))
	return shown != nil && p.section(imageRow(number, image), slack.NewAccessory(shown))
}

// roomForRest is left for the note about the images that are not listed.
const roomForRest = 200

// list adds a paragraph of as many images as fit, and tells how many.
func (p *builder) list(images []order.EditedImage, from int) int {
	for n := min(maxList, len(images)-from); n > 0; n-- {
		rows := each(images[from:from+n], func(i int, image order.EditedImage) string { return imageRow(from+i+1, image) })
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
