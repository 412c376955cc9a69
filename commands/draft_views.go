package commands

import (
	"context"
	"errors"
	"log/slog"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/store"
)

// draftViews draws the order form of a draft.
type draftViews struct {
	drafts *store.Drafts
	jobs   *jobs.Jobs
	files  *files.Signer
	log    *slog.Logger
	says   place.Descriptions
}

// withAround is a form that shows its draft as it is.
func (c *draftViews) withAround(ctx context.Context, draft store.Draft) (store.Draft, place.FormExtras, error) {
	return draft, c.around(ctx, draft), nil
}

// around is what a draft's form shows besides it: another draft of that person's too.
func (c *draftViews) around(ctx context.Context, draft store.Draft) place.FormExtras {
	a := c.aroundOf(draft)
	other, err := c.drafts.Unfinished(ctx, draft.Team, draft.User)
	switch {
	case err == nil && other.ID != draft.ID:
		a.Unfinished = &other
	case err != nil && !errors.Is(err, store.ErrNoDraft):
		c.log.WarnContext(ctx, "unfinished order not offered", "user", draft.User, "err", err)
	}
	return a
}

// orderView is the form of a draft, with what it can be filled from.
func (c *draftViews) orderView(ctx context.Context, r bot.Request, draft store.Draft, around place.FormExtras, window string) slack.ModalViewRequest {
	if around.Thread != nil {
		return place.ThreadPhotos(draft, around, window)
	}
	if around.Presets == nil {
		around.Presets = c.jobs.Presets.Presets(ctx, r, draft.Channel)
	}
	return place.Window(draft, around, window)
}

// aroundOf is what is shown besides a draft wherever it is.
func (c *draftViews) aroundOf(draft store.Draft) place.FormExtras {
	return place.FormExtras{Problems: draft.Problems, Upload: c.files != nil, Services: c.says}
}

// aroundForm is what is shown besides a draft whose form takes the place of this one.
func (c *draftViews) aroundForm(draft store.Draft, form place.Form) place.FormExtras {
	a := c.aroundOf(draft)
	a.Balance, a.UploadGen, a.Filled = form.Credits, nextUploadGen(form), &form
	return a
}

// aroundPage is what is shown besides a page of the second step.
func (c *draftViews) aroundPage(meta kit.Meta, draft store.Draft) place.FormExtras {
	a := c.aroundOf(draft)
	a.Balance, a.UploadGen = meta.Credits, meta.UploadGen
	return a
}

// nextUploadGen counts how often the upload field was emptied, once what it holds is kept.
func nextUploadGen(form place.Form) int {
	if len(form.Photos) > 0 {
		return form.UploadGen + 1
	}
	return form.UploadGen
}
