package cards

import (
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// SheetImage is one image of a delivery as a contact sheet shows it: before and after.
type SheetImage struct {
	Label  string             // "1 · beach.jpg", as in the revise form
	Source *order.Source      // of the first round: what it is an edit of; nil: nobody knows
	Before *order.EditedImage // of later rounds: its edit before; nil: there was none
	After  order.EditedImage
	Later  bool // it is of a later round
}

// Titles are what its two pictures are.
func (i SheetImage) Titles() (before, after string) {
	if i.Later {
		return "previous edit", "new edit"
	}
	return "original", "edit"
}

// SheetImages are the images that the contact sheets of a delivery show: of the first round all of them, later only
// those that are new.
func SheetImages(t store.Tracked, e order.Event, c Course) []SheetImage {
	latest := order.Latest(reviewed(t, e).Order.EditedImages)
	if c.Before == nil {
		return withSources(t.Brief, latest)
	}
	changed, _ := c.Changed(latest)
	return kit.Map(changed, func(_ int, one Change) SheetImage {
		return SheetImage{Label: sheetName(one.Number, one.After), Before: one.Before, After: one.After, Later: true}
	})
}

// withSources are images with what they are edits of.
func withSources(b *order.Brief, latest []order.EditedImage) []SheetImage {
	images := kit.Map(latest, func(i int, image order.EditedImage) SheetImage {
		return SheetImage{Label: sheetName(i+1, image), After: image}
	})
	if b == nil {
		return images
	}
	for i, source := range b.Match(latest) {
		if source >= 0 {
			images[i].Source = &b.Sources[source]
		}
	}
	return images
}

func sheetName(number int, image order.EditedImage) string {
	return strconv.Itoa(number) + " · " + kit.Plain(ImageName(image), MaxCaption)
}

// SheetAlt says what is on a contact sheet with these images: "Original and edit: 1 · beach.jpg, 2 · dunes.jpg".
func SheetAlt(images []SheetImage) string {
	lead := "Original and edit: "
	if len(images) > 0 && images[0].Later {
		lead = "Previous and new edit: "
	}
	return kit.Cut(lead+strings.Join(kit.Map(images, func(_ int, i SheetImage) string { return i.Label }), ", "), kit.MaxAlt)
}

// addContactSheets adds the contact sheets that there are, in place of pictures of single images.
func addContactSheets(p *kit.Page, sheets []store.Sheet) *kit.Page {
	for _, sheet := range sheets {
		if p.RoomFor(2*len(sheet.Alt), 1) {
			p.Put(&slack.ImageBlock{Type: slack.MBTImage, AltText: sheet.Alt, Title: kit.PlainText(sheet.Alt), SlackFile: &slack.SlackFileObject{ID: sheet.File}})
			p.Size += 2 * len(sheet.Alt)
		}
	}
	return p
}
