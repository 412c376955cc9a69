package announce

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/files"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Sheets makes contact sheets.
type Sheets interface {
	// Begin claims the only slot to make a contact sheet; the caller calls done. It returns false if the
	// slot is taken, or another workspace comes first.
	Begin() (done func(), ok bool)
	Make(ctx context.Context, rows []files.SheetRow) (jpeg []byte, err error)
}

// sheetFill makes the contact sheets of a posted review.
type sheetFill struct {
	slack   uploader
	jobs    *fillJobs
	maker   Sheets
	record  *record
	filling *filling
	settle  *settleStage
	log     *slog.Logger
}

const (
	// sheetTime bounds the making of one contact sheet.
	sheetTime = 4 * time.Minute
	// afterRecord is the delay after which a posted review is surely recorded.
	afterRecord = 500 * time.Millisecond
	// mostSheets bounds the contact sheets of one review.
	mostSheets = (order.MaxImages + files.SheetRows - 1) / files.SheetRows
)

// exec makes an event's contact sheets, uploads them, and puts them into its reply once Slack can show
// them. A review that ended meanwhile shows none.
func (f *sheetFill) exec(ctx context.Context, a *announcement, event int64) error {
	e, p, events, err := f.record.replyTo(ctx, a, event)
	switch {
	case err != nil || p.TS == "":
		return err
	case len(p.Sheets) > 0: // an earlier delivery may have stopped before this
		return f.settle.exec(ctx, a)
	case !a.live(e, events):
		return f.filling.settleAgain(ctx, a, e, p, events)
	}
	settings, err := f.jobs.settings.Of(ctx, a.tracked.Owner.Team, a.tracked.Owner.Channel)
	if err != nil {
		return err
	}
	images := f.jobs.onSheets(a, e, events, settings.Sheets)
	if all, err := f.makeSheets(ctx, a, images); err != nil || !all {
		return err
	}
	p.Sheets = a.state.Sheets
	return f.filling.fill(ctx, a, e, p, events)
}

// makeSheets makes and uploads the missing contact sheets. It returns false if that is not possible; then
// the review stays as it is.
func (f *sheetFill) makeSheets(ctx context.Context, a *announcement, images []cards.SheetImage) (all bool, err error) {
	if me, err := f.slack.Identity(ctx); err == nil && !me.Granted("files:write") { // the scope is optional; the start logs that it is missing
		f.log.InfoContext(ctx, "no contact sheets: the app may not upload files", "order", a.id)
		return false, nil
	}
	sheets := slices.Collect(slices.Chunk(images, files.SheetRows))
	sheets = sheets[:min(mostSheets, len(sheets))]
	for _, on := range sheets[min(len(a.state.Sheets), len(sheets)):] {
		file, err := f.makeSheet(ctx, a, on)
		if err != nil {
			return false, f.failed(ctx, a, err)
		}
		m := a.state
		m.Sheets, m.Copied = append(m.Sheets, store.Sheet{File: file, Alt: cards.SheetAlt(on), Images: len(on)}), time.Now()
		if err := a.save(context.WithoutCancel(ctx), m); err != nil {
			return false, err
		}
	}
	return len(sheets) > 0, nil
}

// makeSheet makes and uploads one contact sheet once it gets the slot.
func (f *sheetFill) makeSheet(ctx context.Context, a *announcement, on []cards.SheetImage) (file string, err error) {
	done, ok := f.maker.Begin()
	if !ok {
		return "", queue.Wait(processing)
	}
	defer done()
	making, cancel := context.WithTimeout(ctx, sheetTime)
	defer cancel()
	jpeg, err := f.maker.Make(making, sheetRows(on))
	if err != nil {
		return "", errors.Join(errNotMade, err)
	}
	return f.slack.UploadImage(ctx, "contact-sheet.jpg", jpeg)
}

// errNotMade is the final error of a contact sheet that cannot be made.
var errNotMade = errors.New("contact sheet not made")

// failed returns an error to try again, or nil to leave the review as it is.
func (f *sheetFill) failed(ctx context.Context, a *announcement, err error) error {
	if stopping := ctx.Err(); stopping != nil {
		return stopping // another worker makes them
	}
	if isAny(err, errNotMade, client.ErrMissingScope, client.ErrNotAllowed) {
		f.log.InfoContext(ctx, "no contact sheets", "order", a.id, "err", err)
		return nil
	}
	return err
}

// sheetRows returns the addresses of each image's pictures. Those of an edit are its full size, then its preview.
func sheetRows(on []cards.SheetImage) []files.SheetRow {
	return kit.Map(on, func(_ int, image cards.SheetImage) files.SheetRow {
		return files.SheetRow{Label: image.Label, Pictures: kit.Map(image.Versions, func(_ int, v cards.SheetVersion) files.SheetPicture {
			if v.Source != nil {
				return files.SheetPicture{Title: v.Title, From: []files.Photo{{URL: v.Source.URL, File: v.Source.File}}}
			}
			return files.SheetPicture{Title: v.Title, From: photosOf(*v.Edit)}
		})}
	})
}

func photosOf(image order.EditedImage) (found []files.Photo) {
	for _, address := range []string{image.Origin, image.Thumb} {
		if address != "" {
			found = append(found, files.Photo{URL: address})
		}
	}
	return found
}
