package commands

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// submitImages takes a page of the order form's second step, on the ack path: the next
// page follows, and after the last one the order is placed.
func (c *Commands) submitImages(ctx context.Context, r bot.Request) (bot.Reply, error) {
	meta := cards.DecodeMeta(r.View.PrivateMetadata)
	draft, _, err := c.keepTypedOf(ctx, r)
	switch {
	case errors.Is(err, store.ErrNoDraft), errors.Is(err, jobs.ErrNotFound):
		return c.replyView(ctx, r, cards.Notice(cards.TitleNew, draftLost, r.View.ExternalID))
	case err != nil && !errors.Is(err, store.ErrDraftMoved):
		return bot.Reply{}, err
	case meta.Attempt > draft.Attempt: // what the form itself held is forgotten: it is looked at again
		if draft, err = c.catchUpAttempt(ctx, draft, meta.Attempt); err != nil {
			return bot.Reply{}, err
		}
		return c.refusedMeanwhile(ctx, r, draft)
	case err != nil:
		return c.submitDraft(ctx, r, at(draft, meta.Attempt)) // another window was faster: this one follows it
	case meta.Attempt < draft.Attempt:
		return c.refusedMeanwhile(ctx, r, draft)
	}
	if next := meta.Page + 1; next < cards.ImagePages(draft) {
		return c.replyView(ctx, r, cards.NewImages(draft, next, c.aroundPage(meta, draft), r.View.ExternalID))
	}
	if problem := cards.AllReference(*r.View, draft); problem != nil {
		return bot.Errors(problem), nil
	}
	return c.submitDraft(ctx, r, at(draft, meta.Attempt))
}

// imagesBack shows the page before, or the form itself; what this page holds is kept.
func (c *Commands) imagesBack(ctx context.Context, r bot.Request) error {
	meta := cards.DecodeMeta(r.View.PrivateMetadata)
	draft, _, err := c.keepTypedOf(ctx, r)
	switch {
	case errors.Is(err, store.ErrNoDraft), errors.Is(err, jobs.ErrNotFound):
		return draftGone(store.ErrNoDraft)
	case errors.Is(err, store.ErrDraftMoved):
		return nil // another window has placed it, and this one follows when it is submitted
	case err != nil:
		return err
	case meta.Page > 0:
		return c.replaceView(ctx, r, draft, cards.NewImages(draft, meta.Page-1, c.aroundPage(meta, draft), r.View.ExternalID))
	}
	return c.replaceForm(ctx, r, draft, cards.Form{Credits: meta.Credits, UploadGen: meta.UploadGen, PerImage: true})
}

// aroundPage is what is shown besides a page of the second step.
func (c *Commands) aroundPage(meta cards.Meta, draft store.Draft) cards.Around {
	a := c.aroundOf(draft)
	a.Balance, a.UploadGen = meta.Credits, meta.UploadGen
	return a
}

// at is the draft at the attempt that a window was opened with.
func at(draft store.Draft, attempt int) store.Draft {
	draft.Attempt = attempt
	return draft
}

const draftLost = "I no longer have this draft: I keep one for seven days. Please start again with `" + Slash + " new`."

// replaceForm shows a draft's form in the window in which a button was pressed. Fields
// of the same draft keep what is in them, but for photos that were chosen and not sent yet:
// Slack need not tell of them before, nor keep them. Other drafts are offered when a form
// opens, not in the middle.
func (c *Commands) replaceForm(ctx context.Context, r bot.Request, draft store.Draft, form cards.Form) error {
	around := c.aroundForm(draft, form)
	around.Unsure = inForm(r) && len(cards.DecodeTyped(*r.View).Photos) == 0
	return c.replaceView(ctx, r, draft, c.orderView(ctx, r, draft, around, r.View.ExternalID))
}

// replaceView puts a view in the place of the one that was acted on. One that changed
// meanwhile is replaced only while its draft is still being filled in: what says how the
// order stands is not painted over.
func (c *Commands) replaceView(ctx context.Context, r bot.Request, draft store.Draft, view slack.ModalViewRequest) error {
	if err := c.supersede(ctx, r); err != nil {
		return err
	}
	err := c.showInstead(ctx, r, r.View.Hash, view)
	if errors.Is(err, bot.ErrHashConflict) {
		kept, lost := c.store.Draft(ctx, draft.ID)
		if lost != nil {
			return lost
		}
		if !fillable(kept) || kept.Attempt != draft.Attempt {
			return nil
		}
		err = c.showInstead(ctx, r, "", view)
	}
	if errors.Is(err, bot.ErrGone) {
		return nil
	}
	return err
}

// showInstead puts a view in the place of another; one that Slack refuses is shown plainer.
func (c *Commands) showInstead(ctx context.Context, r bot.Request, hash string, view slack.ModalViewRequest) error {
	window := ""
	if hash == "" {
		window = r.View.ExternalID
	}
	return c.jobs.Forms.ShowView(ctx, answers.Drawn(view), func(view slack.ModalViewRequest) error {
		return c.slack.UpdateView(ctx, window, r.View.ID, hash, view)
	})
}

// reshape shows the form as what was ticked or opened makes it: its button says Next when it
// leads on. A window that shows something else meanwhile is left alone.
func (c *Commands) reshape(ctx context.Context, r bot.Request) error {
	draft, form, open, err := c.stillOpen(ctx, r)
	if err != nil || !open {
		return err
	}
	return c.repaintForm(ctx, r, draft, form.Opens(r.Name), nil)
}

// stillOpen keeps what a form holds in which something was pressed. It is false where it is no form that
// is filled in: when it is being placed, or was, the window says so.
func (c *Commands) stillOpen(ctx context.Context, r bot.Request) (store.Draft, cards.Form, bool, error) {
	if !inForm(r) {
		return store.Draft{}, cards.Form{}, false, nil
	}
	draft, form, err := c.keepTypedOf(ctx, r)
	switch {
	case errors.Is(err, store.ErrDraftMoved), err == nil && form.Attempt != draft.Attempt:
		return draft, form, false, nil
	case err != nil:
		return draft, form, false, draftGone(err)
	}
	return draft, form, true, nil
}

// repaintForm shows an open form anew; one that changed meanwhile is left alone. presets is what it can be
// filled from; nil: that is looked up.
func (c *Commands) repaintForm(ctx context.Context, r bot.Request, draft store.Draft, form cards.Form, presets *cards.PresetMenu) error {
	around := c.aroundForm(draft, form)
	around.Unsure, around.Presets = len(form.Photos) == 0 && c.files != nil, presets
	if err := c.supersede(ctx, r); err != nil {
		return err
	}
	err := c.showInstead(ctx, r, r.View.Hash, c.orderView(ctx, r, draft, around, r.View.ExternalID))
	if errors.Is(err, bot.ErrGone) || errors.Is(err, bot.ErrHashConflict) {
		return nil
	}
	return err
}
