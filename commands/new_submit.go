package commands

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/commands/batch"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// photosLost answers a form whose draft is gone, or whose photos were removed in another window.
const photosLost = "The photos of this form are gone. Upload them again."

// placing handles submitted order forms.
type placing struct {
	storedDrafts *store.Drafts
	jobs         *jobs.Jobs
	log          *slog.Logger
	windows      *answer.Windows
	batch        *batch.Handler
	views        *draftViews
	drafts       *drafts
	photos       *photoFiles
}

// submitImages handles a page of the second step, on the ack path. The last page places the order.
func (c *placing) submitImages(ctx context.Context, r bot.Request) (bot.Reply, error) {
	meta := kit.DecodeMeta(r.View.PrivateMetadata)
	draft, _, err := c.drafts.saveTypedOf(ctx, r)
	switch {
	case errors.Is(err, store.ErrNoDraft), errors.Is(err, jobs.ErrNotFound):
		return c.windows.Reply(ctx, r, kit.Notice(place.Title, draftLost, r.View.ExternalID))
	case err != nil && !errors.Is(err, store.ErrDraftMoved):
		return bot.Reply{}, err
	case meta.Attempt > draft.Attempt: // Redis lost the form's content: the person reviews it again
		if draft, err = c.drafts.catchUpAttempt(ctx, draft, meta.Attempt); err != nil {
			return bot.Reply{}, err
		}
		return c.refusedMeanwhile(ctx, r, draft)
	case err != nil:
		return c.submitDraft(ctx, r, withAttempt(draft, meta.Attempt)) // another window was faster, and this one shows its result
	case meta.Attempt < draft.Attempt:
		return c.refusedMeanwhile(ctx, r, draft)
	}
	if next := meta.Page + 1; next < place.ImagePages(draft) {
		return c.windows.Reply(ctx, r, place.ImagesWindow(draft, next, c.views.pageExtras(meta, draft), r.View.ExternalID))
	}
	if problem := place.AllReference(*r.View, draft); problem != nil {
		return bot.Errors(problem), nil
	}
	return c.submitDraft(ctx, r, withAttempt(draft, meta.Attempt))
}

// submitNew handles a filled form, on the ack path. Problems are shown below their fields; a valid form leads to the
// next step or puts the job that places the order. One attempt of a draft is one job, from any number of windows and
// submissions.
func (c *placing) submitNew(ctx context.Context, r bot.Request) (bot.Reply, error) {
	form, wrong := place.Decode(*r.View)
	if file, ok := batch.FileIn(form); ok {
		if wrong := form.BatchTable(*r.View); len(wrong) > 0 {
			return c.showProblems(ctx, r, wrong)
		}
		c.drafts.saveQuietly(ctx, r)
		return c.batch.Check(ctx, r, form, file)
	}
	if why := uploadProblems(form.Photos); why != "" {
		wrong.Photos(*r.View, why)
	}
	if len(wrong) > 0 {
		return c.showProblems(ctx, r, wrong)
	}
	if reply, done, err := c.submitUnread(ctx, r, form); done || err != nil {
		return reply, err
	}
	draft, err := c.drafts.submittedDraft(ctx, r, form)
	if err != nil {
		return bot.Reply{}, err
	}
	if form.Attempt < draft.Attempt && fillable(draft) {
		return c.refusedMeanwhile(ctx, r, c.photos.filled(draft, form))
	}
	filled := c.photos.filled(draft, form)
	filled.Attempt = form.Attempt
	switch {
	case form.More, form.PerImage, form.LeadsOn: // a button that says Next places nothing
		return c.nextStep(ctx, r, form)
	case len(filled.Images()) == 0:
		return bot.Errors(place.PhotosProblem(*r.View, photosLost)), nil
	}
	filled.Each = nil // the box is no longer ticked: all images share one instruction
	return c.submitDraft(ctx, r, filled)
}

// submitUnread submits the usual form in one step of the store: a first attempt whose form holds the whole draft. done
// is false if the form holds less, or if the saved draft is not as the form opened it: then the caller reads the draft.
func (c *placing) submitUnread(ctx context.Context, r bot.Request, form place.Form) (reply bot.Reply, done bool, err error) {
	if !holdsAll(form) {
		return bot.Reply{}, false, nil
	}
	filled := c.photos.filled(store.Draft{
		ID: form.Draft, Team: form.Team, User: r.User, From: form.From, Run: form.Run,
		Attempt: form.Attempt, State: store.DraftPlacing, OpenedAt: form.Opened,
	}, form)
	if len(filled.Files)+len(filled.URLs) == 0 {
		return bot.Reply{}, false, nil
	}
	job, err := jobs.PlaceJobOf(filled, r.View.ExternalID)
	if err == nil {
		done, err = c.storedDrafts.SubmitUnread(ctx, filled, job, answers.RenderDoc(r.View.ExternalID))
	}
	return bot.Update(place.Placing(filled, r.View.ExternalID)), done, err
}

// refusedMeanwhile answers a window from before a refusal with the reasons, and keeps its content.
func (c *placing) refusedMeanwhile(ctx context.Context, r bot.Request, filled store.Draft) (bot.Reply, error) {
	return c.windows.Reply(ctx, r, c.views.orderView(ctx, r, filled, c.views.baseExtras(filled), r.View.ExternalID))
}

// showProblems shows problems below their fields. A form that lists an earlier refusal is redrawn without the reasons
// that were fixed.
func (c *placing) showProblems(ctx context.Context, r bot.Request, wrong place.Wrong) (bot.Reply, error) {
	draft, form, err := c.drafts.saveTypedOf(ctx, r)
	if err == nil && form.Attempt == draft.Attempt && (len(draft.Problems) > 0 || wrong.Unplaced(*r.View)) {
		draft, err = c.storedDrafts.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
			d.Problems = place.StillThere(*d, d.Problems)
			return nil
		})
		if err == nil {
			extras := c.views.formExtras(draft, form)
			extras.Wrong = wrong
			return c.windows.Reply(ctx, r, c.views.orderView(ctx, r, draft, extras, r.View.ExternalID))
		}
	}
	if err != nil && !errors.Is(err, store.ErrDraftMoved) {
		c.log.WarnContext(ctx, "draft not kept", "user", r.User, "err", err)
	}
	return bot.Errors(wrong.Beside(*r.View)), nil
}

// nextStep saves the form and shows it with an empty upload field, or shows the second step.
func (c *placing) nextStep(ctx context.Context, r bot.Request, form place.Form) (bot.Reply, error) {
	draft, _, err := c.drafts.saveTypedOf(ctx, r)
	if errors.Is(err, store.ErrDraftMoved) {
		return c.submitDraft(ctx, r, c.photos.filled(draft, form)) // another window was faster, and this one shows its result
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if len(draft.Images()) == 0 && (form.More || form.PerImage) {
		return bot.Errors(place.PhotosProblem(*r.View, photosLost)), nil
	}
	if form.More || !form.PerImage {
		form.More, form.UploadGen = false, form.UploadGen+1
		return c.windows.Reply(ctx, r, c.views.orderView(ctx, r, draft, c.views.formExtras(draft, form), r.View.ExternalID))
	}
	return c.windows.Reply(ctx, r, place.ImagesWindow(draft, 0, c.views.formExtras(draft, form), r.View.ExternalID))
}

// submitDraft submits the draft at its attempt and shows its progress.
func (c *placing) submitDraft(ctx context.Context, r bot.Request, filled store.Draft) (bot.Reply, error) {
	attempt := filled.Attempt
	filled.SubmittedAt, filled.UpdatedAt = time.Now(), time.Now()
	sent, won, err := c.storedDrafts.Submit(ctx, filled)
	if err != nil {
		return bot.Reply{}, err
	}
	if !won && sent.State == store.DraftDiscarded { // only this window still has its content
		return c.windows.Reply(ctx, r, place.DiscardedElsewhere(filled, r.View.ExternalID))
	}
	if err := c.putJob(ctx, sent, won, attempt, r.View.ExternalID); err != nil {
		return bot.Reply{}, err
	}
	return c.windows.Reply(ctx, r, place.Placing(sent, r.View.ExternalID))
}

// putJob puts the job of a submission. A second submission puts it again: the first may have died before it could.
func (c *placing) putJob(ctx context.Context, sent store.Draft, won bool, attempt int, view string) error {
	if err := c.jobs.Place.PutPlace(ctx, sent, view); err != nil || won {
		return err
	}
	if err := c.jobs.Drafts.Follow(ctx, sent, attempt, view, time.Now()); err != nil {
		return err
	}
	return c.jobs.Forms.Repaint(ctx, jobs.DraftLane(sent), view, sent.User)
}

// holdsAll reports whether a form places its order without another step and holds its whole draft. Saved photos, later
// attempts and presets need the draft; a form of an earlier version lacks Redis's run id.
func holdsAll(form place.Form) bool {
	return form.Run != "" && form.Attempt == 1 && len(form.Kept) == 0 && form.Preset == "" && !form.More && !form.PerImage && !form.LeadsOn
}
