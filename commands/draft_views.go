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

// draftViews renders the order form of a draft.
type draftViews struct {
	drafts   *store.Drafts
	jobs     *jobs.Jobs
	files    *files.Signer
	log      *slog.Logger
	services place.Descriptions
}

// asSaved shows a draft as it was saved.
func (c *draftViews) asSaved(ctx context.Context, draft store.Draft) (store.Draft, place.FormExtras, error) {
	return draft, c.extras(ctx, draft), nil
}

// extras returns the form's extras, including the person's other unfinished draft.
func (c *draftViews) extras(ctx context.Context, draft store.Draft) place.FormExtras {
	a := c.baseExtras(draft)
	other, err := c.drafts.Unfinished(ctx, draft.Team, draft.User)
	switch {
	case err == nil && other.ID != draft.ID:
		a.Unfinished = &other
	case err != nil && !errors.Is(err, store.ErrNoDraft):
		c.log.WarnContext(ctx, "unfinished order not offered", "user", draft.User, "err", err)
	}
	return a
}

// orderView renders the form of a draft with the channel's presets, or the choice of a thread's photos.
func (c *draftViews) orderView(ctx context.Context, r bot.Request, draft store.Draft, extras place.FormExtras, window string) slack.ModalViewRequest {
	if extras.Thread != nil {
		return place.ThreadPhotos(draft, extras, window)
	}
	if extras.Presets == nil {
		extras.Presets = c.jobs.Presets.Presets(ctx, r, draft.Channel)
	}
	return place.Window(draft, extras, window)
}

// baseExtras returns the extras that every view of a draft has.
func (c *draftViews) baseExtras(draft store.Draft) place.FormExtras {
	return place.FormExtras{Problems: draft.Problems, Upload: c.files != nil, Services: c.services}
}

// formExtras returns the extras of a form that replaces the given one.
func (c *draftViews) formExtras(draft store.Draft, form place.Form) place.FormExtras {
	a := c.baseExtras(draft)
	a.Balance, a.UploadGen, a.Filled = form.Credits, nextUploadGen(form), &form
	return a
}

// pageExtras returns the extras of a page of the second step.
func (c *draftViews) pageExtras(meta kit.Meta, draft store.Draft) place.FormExtras {
	a := c.baseExtras(draft)
	a.Balance, a.UploadGen = meta.Credits, meta.UploadGen
	return a
}

// nextUploadGen returns the generation of the upload field. It grows when the field's photos were saved and the field
// is emptied.
func nextUploadGen(form place.Form) int {
	if len(form.Photos) > 0 {
		return form.UploadGen + 1
	}
	return form.UploadGen
}
