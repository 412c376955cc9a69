package commands

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/jobs/job"
	"darkroom/store"
)

// draftWindows shows a draft in a window that is open already.
type draftWindows struct {
	slack   answers.Slack
	drafts  *store.Drafts
	jobs    *jobs.Jobs
	files   *files.Signer
	answers *answer.Messages
	windows *answer.Windows
	views   *draftViews
}

// placeShown makes sure that there is the job of a draft that was submitted, and shows how it stands.
func (c *draftWindows) placeShown(ctx context.Context, r bot.Request, draft store.Draft) error {
	if err := c.jobs.Place.PutPlace(ctx, draft, buttonWindow(r, draft)); err != nil {
		return err
	}
	return c.draftShown(ctx, r, draft)
}

// draftShown answers a draft's button where it was pressed: in its modal or message.
func (c *draftWindows) draftShown(ctx context.Context, r bot.Request, draft store.Draft) error {
	window := buttonWindow(r, draft)
	view, err := c.jobs.Drafts.DraftView(ctx, draft, window)
	if err != nil {
		return err
	}
	if r.View == nil {
		return c.answers.Send(ctx, r, kit.AsMessage(view))
	}
	err = c.jobs.Forms.Answer(ctx, jobs.DraftAsker(draft, window, time.Time{}), view)
	if errors.Is(err, client.ErrUnknownOutcome) {
		return nil // the modal was closed at once, and the message for that may be there
	}
	return err
}

// replaceForm shows a draft's form in the window in which a button was pressed. Fields
// of the same draft keep what is in them, but for photos that were chosen and not sent yet:
// Slack need not tell of them before, nor keep them. Other drafts are offered when a form
// opens, not in the middle.
func (c *draftWindows) replaceForm(ctx context.Context, r bot.Request, draft store.Draft, form place.Form) error {
	around := c.views.aroundForm(draft, form)
	around.Unsure = inForm(r) && len(place.DecodeTyped(*r.View).Photos) == 0
	return c.replaceView(ctx, r, draft, c.views.orderView(ctx, r, draft, around, r.View.ExternalID))
}

// replaceView puts a view in the place of the one that was acted on. One that changed
// meanwhile is replaced only while its draft is still being filled in: what says how the
// order stands is not painted over.
func (c *draftWindows) replaceView(ctx context.Context, r bot.Request, draft store.Draft, view slack.ModalViewRequest) error {
	if err := c.windows.Supersede(ctx, r); err != nil {
		return err
	}
	err := c.showInstead(ctx, r, r.View.Hash, view)
	if errors.Is(err, client.ErrHashConflict) {
		kept, lost := c.drafts.Draft(ctx, draft.ID)
		if lost != nil {
			return lost
		}
		if !fillable(kept) || kept.Attempt != draft.Attempt {
			return nil
		}
		err = c.showInstead(ctx, r, "", view)
	}
	if errors.Is(err, client.ErrGone) {
		return nil
	}
	return err
}

// showInstead puts a view in the place of another; one that Slack refuses is shown plainer.
func (c *draftWindows) showInstead(ctx context.Context, r bot.Request, hash string, view slack.ModalViewRequest) error {
	window := ""
	if hash == "" {
		window = r.View.ExternalID
	}
	return c.jobs.Forms.ShowView(ctx, answers.Drawn(view), func(view slack.ModalViewRequest) error {
		return c.slack.UpdateView(ctx, window, r.View.ID, hash, view)
	})
}

// repaintForm shows an open form anew; one that changed meanwhile is left alone. presets is what it can be
// filled from; nil: that is looked up.
func (c *draftWindows) repaintForm(ctx context.Context, r bot.Request, draft store.Draft, form place.Form, presets *place.PresetMenu) error {
	around := c.views.aroundForm(draft, form)
	around.Unsure, around.Presets = len(form.Photos) == 0 && c.files != nil, presets
	if err := c.windows.Supersede(ctx, r); err != nil {
		return err
	}
	err := c.showInstead(ctx, r, r.View.Hash, c.views.orderView(ctx, r, draft, around, r.View.ExternalID))
	if errors.Is(err, client.ErrGone) || errors.Is(err, client.ErrHashConflict) {
		return nil
	}
	return err
}

// buttonWindow is the modal whose button was pressed, else a name for none.
func buttonWindow(r bot.Request, draft store.Draft) string {
	if r.View != nil && r.View.ExternalID != "" {
		return r.View.ExternalID
	}
	return newWindow(draft) + ":" + job.Hash(r.ID)
}
