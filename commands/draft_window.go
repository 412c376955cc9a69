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

// draftWindows shows a draft in a window that is already open.
type draftWindows struct {
	slack   answers.Slack
	drafts  *store.Drafts
	jobs    *jobs.Jobs
	files   *files.Signer
	answers *answer.Messages
	windows *answer.Windows
	views   *draftViews
}

// showPlacing ensures that a submitted draft has its job, and shows its status.
func (c *draftWindows) showPlacing(ctx context.Context, r bot.Request, draft store.Draft) error {
	if err := c.jobs.Place.PutPlace(ctx, draft, buttonWindow(r, draft)); err != nil {
		return err
	}
	return c.showStatus(ctx, r, draft)
}

// showStatus shows a draft's status in the window of the pressed button, or in a message.
func (c *draftWindows) showStatus(ctx context.Context, r bot.Request, draft store.Draft) error {
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
		return nil // the modal was closed, and the message in its place may have arrived
	}
	return err
}

// replaceForm shows a draft's form in the window of the pressed button. Fields keep their content, except uploads that
// were not submitted: Slack may not report them before, nor keep them. The form does not offer other drafts: that
// happens only when a form opens.
func (c *draftWindows) replaceForm(ctx context.Context, r bot.Request, draft store.Draft, form place.Form) error {
	extras := c.views.formExtras(draft, form)
	extras.Unsure = inForm(r) && place.DecodeTyped(*r.View).MayLosePhotos()
	return c.replaceView(ctx, r, draft, c.views.orderView(ctx, r, draft, extras, r.View.ExternalID))
}

// replaceView replaces the view that was acted on. A view that changed since is replaced only while its draft can be
// filled in: an order's status is never overwritten.
func (c *draftWindows) replaceView(ctx context.Context, r bot.Request, draft store.Draft, view slack.ModalViewRequest) error {
	if err := c.windows.Supersede(ctx, r); err != nil {
		return err
	}
	err := c.update(ctx, r, r.View.Hash, view)
	if errors.Is(err, client.ErrHashConflict) {
		saved, loadErr := c.drafts.Draft(ctx, draft.ID)
		if loadErr != nil {
			return loadErr
		}
		if !fillable(saved) || saved.Attempt != draft.Attempt {
			return nil
		}
		err = c.update(ctx, r, "", view)
	}
	if errors.Is(err, client.ErrGone) {
		return nil
	}
	return err
}

// update replaces a view. If Slack refuses the view, a simpler one is shown.
func (c *draftWindows) update(ctx context.Context, r bot.Request, hash string, view slack.ModalViewRequest) error {
	window := ""
	if hash == "" {
		window = r.View.ExternalID
	}
	return c.jobs.Forms.ShowView(ctx, answers.Drawn(view), func(view slack.ModalViewRequest) error {
		return c.slack.UpdateView(ctx, window, r.View.ID, hash, view)
	})
}

// repaintForm redraws an open form, unless its view has changed since. A nil presets is looked up.
func (c *draftWindows) repaintForm(ctx context.Context, r bot.Request, draft store.Draft, form place.Form, presets *place.PresetMenu) error {
	extras := c.views.formExtras(draft, form)
	extras.Unsure, extras.Presets = form.MayLosePhotos(), presets
	err := c.update(ctx, r, r.View.Hash, c.views.orderView(ctx, r, draft, extras, r.View.ExternalID))
	if errors.Is(err, client.ErrGone) || errors.Is(err, client.ErrHashConflict) {
		return nil // what came meanwhile may have a pending view
	}
	if err != nil {
		return err
	}
	return c.windows.Supersede(ctx, r)
}

// buttonWindow returns the external id of the button's modal, or a new id outside a modal.
func buttonWindow(r bot.Request, draft store.Draft) string {
	if r.View != nil && r.View.ExternalID != "" {
		return r.View.ExternalID
	}
	return newWindow(draft) + ":" + job.Hash(r.ID)
}
