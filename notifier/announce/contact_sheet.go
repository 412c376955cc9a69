package announce

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

const (
	// sheetTime is what one contact sheet may take.
	sheetTime = 4 * time.Minute
	// afterRecord is when the review that was just posted is surely on record.
	afterRecord = 500 * time.Millisecond
	// mostSheets are made of one review.
	mostSheets = (order.MaxImages + files.SheetRows - 1) / files.SheetRows
)

// sheetsLater leaves the contact sheets of a review that is out to a job of its own, when its channel wants them: the
// channel goes on meanwhile, and what the review shows now stays until they are there.
func (v *announceRun) sheetsLater(ctx context.Context, e order.Event, events []order.Event) error {
	if e.Kind != order.EventReady || v.Sheets == nil {
		return nil
	}
	settings, err := v.Store.Settings(ctx, v.t.Owner.Team, v.t.Owner.Channel)
	if err != nil || len(v.onSheets(e, events, settings.Sheets)) == 0 {
		return err
	}
	id := fmt.Sprintf("announce:%s:g%d:sheets:%d", v.id, v.generation, e.Seq)
	job := queue.Job{ID: id, Lane: "previews:" + v.id, Kind: store.AnnounceKind}
	return v.put(ctx, job, store.AnnounceJob{Order: v.id, Generation: v.generation, Sheets: e.Seq}, afterRecord)
}

// sheetsAdopted does the same for a review that was out already: whoever posted it may not have come to that.
func (v *announceRun) sheetsAdopted(ctx context.Context, e order.Event, m slack.Message) error {
	if e.Kind != order.EventReady || !hasButtons(m) && !unread(m) {
		return nil
	}
	events, err := v.course(ctx, e)
	if err != nil {
		return err
	}
	return v.sheetsLater(ctx, e, events)
}

// onSheets are the images that a channel wants to see on contact sheets of a review.
func (v *announceRun) onSheets(e order.Event, events []order.Event, wanted store.ContactSheets) []cards.SheetImage {
	c := cards.CourseOf(v.t, events, e)
	if wanted == store.SheetsEvery || wanted == store.SheetsLater && c.Before != nil {
		return cards.SheetImages(v.t, e, c)
	}
	return nil
}

// fillSheets makes the contact sheets of an event's images, uploads them, and puts them into its reply as soon as Slack
// can show them. A review that ended meanwhile shows none.
func (v *announceRun) fillSheets(ctx context.Context, event int64) error {
	e, p, events, err := v.replyTo(ctx, event)
	switch {
	case err != nil || p.TS == "":
		return err
	case len(p.Sheets) > 0: // whoever put them there may not have come to what follows
		return v.settleReviews(ctx)
	case !v.live(e, events):
		return v.settleAgain(ctx, e, p, events)
	}
	settings, err := v.Store.Settings(ctx, v.t.Owner.Team, v.t.Owner.Channel)
	if err != nil {
		return err
	}
	images := v.onSheets(e, events, settings.Sheets)
	if all, err := v.makeSheets(ctx, images); err != nil || !all {
		return err
	}
	p.Sheets = v.memory.Sheets
	return v.fillAndSettle(ctx, e, p, events)
}

// makeSheets makes and uploads those that are not there yet. It is false when they cannot all be made: then the review
// stays as it is.
func (v *announceRun) makeSheets(ctx context.Context, images []cards.SheetImage) (all bool, err error) {
	if me, err := v.Slack.Identity(ctx); err == nil && !me.Granted("files:write") { // it is optional, and the start said that it is not granted
		v.Log.InfoContext(ctx, "no contact sheets: the app may not upload files", "order", v.id)
		return false, nil
	}
	sheets := slices.Collect(slices.Chunk(images, files.SheetRows))
	sheets = sheets[:min(mostSheets, len(sheets))]
	for _, on := range sheets[min(len(v.memory.Sheets), len(sheets)):] {
		file, err := v.makeSheet(ctx, on)
		if err != nil {
			return false, v.sheetFailed(ctx, err)
		}
		m := v.memory
		m.Sheets, m.Copied = append(m.Sheets, store.Sheet{File: file, Alt: cards.SheetAlt(on)}), time.Now()
		if err := v.saveState(context.WithoutCancel(ctx), m); err != nil {
			return false, err
		}
	}
	return len(sheets) > 0, nil
}

// makeSheet makes and uploads one, as soon as no other one is being made and none of a workspace that has waited longer is to be.
func (v *announceRun) makeSheet(ctx context.Context, on []cards.SheetImage) (file string, err error) {
	done, ok := v.Sheets.Begin()
	if !ok {
		return "", queue.Wait(processing)
	}
	defer done()
	making, cancel := context.WithTimeout(ctx, sheetTime)
	defer cancel()
	jpeg, err := v.Sheets.Make(making, sheetRows(on))
	if err != nil {
		return "", errors.Join(errNotMade, err)
	}
	return v.Slack.UploadImage(ctx, "contact-sheet.jpg", jpeg)
}

// errNotMade says that a contact sheet could not be made, now or later.
var errNotMade = errors.New("contact sheet not made")

// sheetFailed says whether to try again, with an error, or that the review stays as it is.
func (v *announceRun) sheetFailed(ctx context.Context, err error) error {
	if stopping := ctx.Err(); stopping != nil {
		return stopping // another worker makes them
	}
	for _, final := range []error{errNotMade, bot.ErrMissingScope, bot.ErrNotAllowed} {
		if errors.Is(err, final) {
			v.Log.InfoContext(ctx, "no contact sheets", "order", v.id, "err", err)
			return nil
		}
	}
	return err
}

// sheetRows says of each image where its two pictures are: in full size, else as a preview.
func sheetRows(on []cards.SheetImage) []files.SheetRow {
	rows := make([]files.SheetRow, len(on))
	for i, image := range on {
		before, after := image.Titles()
		rows[i] = files.SheetRow{
			Label:  image.Label,
			Before: files.SheetPicture{Title: before}, After: files.SheetPicture{Title: after, From: photosOf(image.After)},
		}
		switch {
		case image.Source != nil:
			rows[i].Before.From = []files.Photo{{URL: image.Source.URL, File: image.Source.File}}
		case image.Before != nil:
			rows[i].Before.From = photosOf(*image.Before)
		}
	}
	return rows
}

func photosOf(image order.EditedImage) (found []files.Photo) {
	for _, address := range []string{image.Origin, image.Thumb} {
		if address != "" {
			found = append(found, files.Photo{URL: address})
		}
	}
	return found
}
