package commands

import (
	"context"
	"errors"
	"slices"
	"strings"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/place"
	cardstalk "darkroom/cards/talk"
	"darkroom/commands/batch"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/order"
	"darkroom/store"
)

// ShortcutPhotos is the callback id of the message shortcut *Order these photos*.
const ShortcutPhotos = "order_photos"

// photoOrder opens the order form with the photos and the text of a message.
type photoOrder struct {
	slack        answers.Slack
	drafts       *store.Drafts
	jobs         *jobs.Jobs
	guests       *guests
	batch        *batch.Handler
	views        *draftViews
	newOrder     *newOrder
	photos       *photoFiles
	photoThreads *photoThreads
}

// openPhotos opens the order form with the photos and the words of a message. Only files
// in the payload that Slack signed for this person become public; while the form says
// *loading*, Slack is asked which of them the app may read.
func (c *photoOrder) openPhotos(ctx context.Context, r bot.Request) error {
	if err := c.guests.rejectKnownGuest(ctx, r); err != nil {
		return err
	}
	came := filesOf(r.Message)
	if file, is := batch.FileAmong(came); is {
		return c.batch.Open(ctx, r, file)
	}
	fresh := newDraft(r)
	fresh.Files, _ = c.photos.photosIn(came)
	_, err := c.newOrder.openFresh(ctx, r, fresh, func(ctx context.Context, draft store.Draft) (store.Draft, place.FormExtras, error) {
		photos, left := c.photos.photosIn(c.jobs.Albums.Inspect(ctx, came, unreadIn(r)))
		full, err := c.withPhotos(ctx, draft, fresh.Files, photos)
		if err == nil {
			full, err = c.withInstructions(ctx, r, full)
		}
		around := c.views.aroundOf(full)
		around.Skipped = left
		if err == nil {
			c.photoThreads.addThread(ctx, r, full, &around)
		}
		return full, around, err
	})
	return err
}

// withPhotos puts what Slack tells of a message's photos into the draft that was begun with
// what came of them. A photo keeps its address; one that was taken out meanwhile stays out.
func (c *photoOrder) withPhotos(ctx context.Context, draft store.Draft, began, photos []store.DraftFile) (store.Draft, error) {
	same := func(a, b store.DraftFile) bool { return a.ID == b.ID }
	if slices.EqualFunc(draft.Files, photos, same) {
		return draft, nil
	}
	kept, err := c.drafts.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
		if !slices.EqualFunc(d.Files, began, same) {
			return nil
		}
		for i, f := range photos {
			if at := slices.IndexFunc(d.Files, func(old store.DraftFile) bool { return same(f, old) }); at >= 0 {
				photos[i].URL = d.Files[at].URL
			}
		}
		d.Files = photos
		return nil
	})
	if errors.Is(err, store.ErrDraftMoved) { // it is being placed: the window says so
		err = nil
	}
	return kept, err
}

// withInstructions makes the words of the message the draft's instructions, one line each.
func (c *photoOrder) withInstructions(ctx context.Context, r bot.Request, draft store.Draft) (store.Draft, error) {
	if r.Message == nil || strings.TrimSpace(r.Message.Text) == "" || len(draft.Instructions) > 0 {
		return draft, nil
	}
	words, err := client.Plain(ctx, c.slack, r.Message.Text)
	if err != nil {
		return draft, err
	}
	return c.drafts.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
		if len(d.Instructions) == 0 {
			d.Instructions = cards.ShortLines(order.Lines(words))
		}
		return nil
	})
}

// unreadIn is the sentence about a file that the app may not read, by where it was chosen:
// nobody can invite the app into a direct message between people.
func unreadIn(r bot.Request) string {
	if inGroup(r) || r.Channel != "" && jobs.Postable(r.Channel) == "" {
		return cardstalk.UnreadDirect
	}
	return cardstalk.UnreadFile
}
