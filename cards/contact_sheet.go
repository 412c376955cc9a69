package cards

import (
	"slices"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// SheetImage is one image of a contact sheet: its versions, oldest first, as many as there are.
type SheetImage struct {
	Label    string // "1 · beach.jpg", as in the revise form
	Versions []SheetVersion
}

// SheetVersion is the ordered photo, or one edit of it.
type SheetVersion struct {
	Title  string             // "Original", "Round 2"
	Source *order.Source      // the ordered photo; nil: an edit
	Edit   *order.EditedImage // nil: the ordered photo
}

// SheetImages returns the images of a delivery's contact sheets: all of the first round, later those that were asked for.
func SheetImages(t store.Tracked, e order.Event, c RoundHistory) []SheetImage {
	seen := reviewed(t, e)
	latest := order.Latest(seen.Order.EditedImages)
	changes := kit.Map(latest, func(i int, image order.EditedImage) Change { return Change{Number: i + 1, After: image} })
	if c.Before != nil {
		changed, _ := c.Changed(latest)
		changes = c.requested(latest, changed)
	}
	sources := make([]*order.Source, len(latest))
	if t.Brief != nil {
		for i, source := range t.Brief.Match(latest) {
			if source >= 0 {
				sources[i] = &t.Brief.Sources[source]
			}
		}
	}
	return kit.Map(changes, func(_ int, one Change) SheetImage {
		image := SheetImage{Label: Tile{Number: one.Number, Image: one.After}.name()}
		if source := sources[one.Number-1]; source != nil && source.URL+source.File != "" {
			image.Versions = append(image.Versions, SheetVersion{Title: "Original", Source: source})
		}
		if one.Before != nil {
			before := kit.Either(c.Before.Order.Rev() < seen.Order.Rev(), kit.Capital(Round(c.Before.Order.Rev())), "Before")
			image.Versions = append(image.Versions, SheetVersion{Title: before, Edit: one.Before})
		}
		image.Versions = append(image.Versions, SheetVersion{Title: kit.Capital(Round(seen.Order.Rev())), Edit: &one.After})
		return image
	})
}

// requested returns the changed images that were asked for, or all of them if none was.
func (c RoundHistory) requested(latest []order.EditedImage, changed []Change) []Change {
	asked := c.Sentences(latest)
	some := slices.DeleteFunc(slices.Clone(changed), func(one Change) bool { return len(asked[one.Number-1]) == 0 })
	return kit.Either(len(some) > 0, some, changed)
}

// SheetAlt describes a contact sheet: "Original, Round 1, Round 2: 1 · beach.jpg, 2 · dunes.jpg. Round 2: 3 · new.jpg".
func SheetAlt(images []SheetImage) string {
	alt, before := "", ""
	for _, image := range images {
		titles := strings.Join(kit.Map(image.Versions, func(_ int, v SheetVersion) string { return v.Title }), ", ")
		alt += kit.Either(titles == before, ", ", kit.OnlyIf(alt != "", ". ")+titles+": ") + image.Label
		before = titles
	}
	return kit.Cut(alt, kit.MaxAlt)
}

// addContactSheets adds the contact sheets that fit, and returns how many images they show.
func addContactSheets(p *kit.Page, sheets []store.Sheet) (images int) {
	for _, sheet := range sheets {
		if !p.RoomFor(2*len(sheet.Alt), 1) {
			break
		}
		p.Put(&slack.ImageBlock{Type: slack.MBTImage, AltText: sheet.Alt, Title: kit.PlainText(sheet.Alt), SlackFile: &slack.SlackFileObject{ID: sheet.File}})
		p.Size += 2 * len(sheet.Alt)
		images += sheet.Images
	}
	return images
}
