package cards

import (
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// SheetImage is one image of a contact sheet, before and after.
type SheetImage struct {
	Label  string             // "1 · beach.jpg", as in the revise form
	Source *order.Source      // first round: the ordered photo; nil if unknown
	Before *order.EditedImage // later rounds: the edit before; nil without one
	After  order.EditedImage
	Later  bool // not of the first round
}

// Titles returns the titles of the two pictures.
func (i SheetImage) Titles() (before, after string) {
	if i.Later {
		return "previous edit", "new edit"
	}
	return "original", "edit"
}

// SheetImages returns the images of a delivery's contact sheets: all of the first round, later only new ones.
func SheetImages(t store.Tracked, e order.Event, c RoundHistory) []SheetImage {
	latest := order.Latest(reviewed(t, e).Order.EditedImages)
	if c.Before == nil {
		return withSources(t.Brief, latest)
	}
	changed, _ := c.Changed(latest)
	return kit.Map(changed, func(_ int, one Change) SheetImage {
		return SheetImage{Label: sheetName(one.Number, one.After), Before: one.Before, After: one.After, Later: true}
	})
}

// withSources returns images with their ordered photos.
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

// SheetAlt describes a contact sheet: "Original and edit: 1 · beach.jpg, 2 · dunes.jpg".
func SheetAlt(images []SheetImage) string {
	lead := kit.Either(len(images) > 0 && images[0].Later, "Previous and new edit: ", "Original and edit: ")
	return kit.Cut(lead+strings.Join(kit.Map(images, func(_ int, i SheetImage) string { return i.Label }), ", "), kit.MaxAlt)
}

// addContactSheets adds the contact sheets that fit.
func addContactSheets(p *kit.Page, sheets []store.Sheet) *kit.Page {
	for _, sheet := range sheets {
		if p.RoomFor(2*len(sheet.Alt), 1) {
			p.Put(&slack.ImageBlock{Type: slack.MBTImage, AltText: sheet.Alt, Title: kit.PlainText(sheet.Alt), SlackFile: &slack.SlackFileObject{ID: sheet.File}})
			p.Size += 2 * len(sheet.Alt)
		}
	}
	return p
}
