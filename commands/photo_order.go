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
	"darkroom/commands/answer"
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
	answers      *answer.Messages
	batch        *batch.Handler
	views        *draftViews
	newOrder     *newOrder
	photos       *photoFiles
	photoThreads *photoThreads
}

// openPhotos opens the order form with a message's photos and text. Only files in the payload that Slack signed for
// this person become public. While the form says *loading*, the app asks Slack which of them it may read.
func (c *photoOrder) openPhotos(ctx context.Context, r bot.Request) error {
	if err := c.guests.rejectKnownGuest(ctx, r); err != nil {
		return err
	}
	attached := filesOf(r.Message)
	if file, ok := batch.FileAmong(attached); ok {
		return c.batch.Open(ctx, r, file)
	}
	fresh := newDraft(r)
	fresh.Files, _ = c.photos.photosIn(attached, order.MaxImages)
	_, err := c.newOrder.openFresh(ctx, r, fresh, func(ctx context.Context, draft store.Draft) (store.Draft, place.FormExtras, error) {
		photos, skipped := c.photos.photosIn(c.jobs.Albums.Inspect(ctx, attached, unreadIn(r)), order.MaxImages)
		full, err := c.withPhotos(ctx, draft, fresh.Files, photos)
		if err == nil {
			full, err = c.withInstructions(ctx, r, full)
		}
		extras := c.views.baseExtras(full)
		extras.Skipped = skipped
		if err == nil {
			c.photoThreads.addThread(ctx, r, full, &extras)
		}
		return full, extras, err
	})
	return err
}

// openMentioned opens the order form with the photos that the person mentioned the app with.
func (c *photoOrder) openMentioned(ctx context.Context, r bot.Request) error {
	m, err := c.jobs.Mentions.Mentioned(ctx, r.Value, r.User)
	if errors.Is(err, store.ErrAbsent) {
		return c.answers.Send(ctx, r, place.MentionOld())
	}
	if err != nil {
		return err
	}
	r.Message = &m
	return c.openPhotos(ctx, r)
}

// withPhotos replaces the draft's first photos with those that Slack has confirmed. A photo keeps its URL. A draft
// whose photos have changed since stays as it is.
func (c *photoOrder) withPhotos(ctx context.Context, draft store.Draft, began, photos []store.DraftFile) (store.Draft, error) {
	same := func(a, b store.DraftFile) bool { return a.ID == b.ID }
	if slices.EqualFunc(draft.Files, photos, same) {
		return draft, nil
	}
	return unlessMoved(c.drafts.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
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
	}))
}

// withInstructions makes the message's lines the draft's instructions, without a mention of the app before them, unless
// it has some.
func (c *photoOrder) withInstructions(ctx context.Context, r bot.Request, draft store.Draft) (store.Draft, error) {
	if r.Message == nil || strings.TrimSpace(r.Message.Text) == "" || len(draft.Instructions) > 0 {
		return draft, nil
	}
	me, err := c.slack.Identity(ctx)
	if err != nil {
		return draft, err
	}
	words, err := client.Plain(ctx, c.slack, jobs.WithoutMention(r.Message.Text, me.BotUser))
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

// unreadIn returns the sentence about an unreadable file. It depends on the channel: nobody can invite the app into a
// direct message between people.
func unreadIn(r bot.Request) string {
	if inGroup(r) || r.Channel != "" && jobs.Postable(r.Channel) == "" {
		return cardstalk.UnreadDirect
	}
	return cardstalk.UnreadFile
}
