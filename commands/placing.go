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

// photosLost is for a form whose draft is gone, or whose photos were removed in another
// window.
const photosLost = "I no longer have the photos of this form. Please upload them again."

// placing takes submitted order forms.
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

// submitImages takes a page of the order form's second step, on the ack path: the next
// page follows, and after the last one the order is placed.
func (c *placing) submitImages(ctx context.Context, r bot.Request) (bot.Reply, error) {
	meta := kit.DecodeMeta(r.View.PrivateMetadata)
	draft, _, err := c.drafts.saveTypedOf(ctx, r)
	switch {
	case errors.Is(err, store.ErrNoDraft), errors.Is(err, jobs.ErrNotFound):
		return c.windows.Reply(ctx, r, kit.Notice(place.Title, draftLost, r.View.ExternalID))
	case err != nil && !errors.Is(err, store.ErrDraftMoved):
		return bot.Reply{}, err
	case meta.Attempt > draft.Attempt: // what the form itself held is forgotten: it is looked at again
		if draft, err = c.drafts.catchUpAttempt(ctx, draft, meta.Attempt); err != nil {
			return bot.Reply{}, err
		}
		return c.refusedMeanwhile(ctx, r, draft)
	case err != nil:
		return c.submitDraft(ctx, r, at(draft, meta.Attempt)) // another window was faster: this one follows it
	case meta.Attempt < draft.Attempt:
		return c.refusedMeanwhile(ctx, r, draft)
	}
	if next := meta.Page + 1; next < place.ImagePages(draft) {
		return c.windows.Reply(ctx, r, place.ImagesWindow(draft, next, c.views.aroundPage(meta, draft), r.View.ExternalID))
	}
	if problem := place.AllReference(*r.View, draft); problem != nil {
		return bot.Errors(problem), nil
	}
	return c.submitDraft(ctx, r, at(draft, meta.Attempt))
}

// submitNew takes a filled form, on the ack path: local problems are shown under their
// field, everything else leads to the next step or becomes the job that places the
// order. One attempt of a draft is one job, however often and from however many windows
// it is submitted.
func (c *placing) submitNew(ctx context.Context, r bot.Request) (bot.Reply, error) {
	form, wrong := place.Decode(*r.View)
	if file, is := batch.FileIn(form); is {
		if wrong := form.BatchTable(*r.View); len(wrong) > 0 {
			return c.sayWrong(ctx, r, wrong)
		}
		c.drafts.saveQuietly(ctx, r)
		return c.batch.Check(ctx, r, form, file)
	}
	if why := photoProblems(form); why != "" {
		wrong.Photos(*r.View, why)
	}
	if len(wrong) > 0 {
		return c.sayWrong(ctx, r, wrong)
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
	case form.More, form.PerImage, form.LeadsOn: // a button that said Next orders nothing
		return c.nextStep(ctx, r, form)
	case len(filled.Images()) == 0:
		return bot.Errors(place.PhotosProblem(*r.View, photosLost)), nil
	}
	filled.Each = nil // the box was unticked: all alike
	return c.submitDraft(ctx, r, filled)
}

// submitUnread is the usual submission, in one step of the store: the first attempt of a draft whose form
// holds all there is to it. It is not done when that cannot be, or what is kept of the draft is anything
// else than what such a form was opened on: then it must be read.
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

// refusedMeanwhile answers a window from before a refusal: its words are kept, the
// reasons are new to it.
func (c *placing) refusedMeanwhile(ctx context.Context, r bot.Request, filled store.Draft) (bot.Reply, error) {
	return c.windows.Reply(ctx, r, c.views.orderView(ctx, r, filled, c.views.aroundOf(filled), r.View.ExternalID))
}

// sayWrong puts what is wrong beside its fields. A form that says on top why it was refused is
// shown anew without that: what was mended must not be complained about.
func (c *placing) sayWrong(ctx context.Context, r bot.Request, wrong place.Wrong) (bot.Reply, error) {
	draft, form, err := c.drafts.saveTypedOf(ctx, r)
	if err == nil && form.Attempt == draft.Attempt && len(draft.Problems) > 0 {
		draft, err = c.storedDrafts.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
			d.Problems = place.StillThere(*d, d.Problems)
			return nil
		})
		if err == nil {
			around := c.views.aroundForm(draft, form)
			around.Wrong = wrong
			return c.windows.Reply(ctx, r, c.views.orderView(ctx, r, draft, around, r.View.ExternalID))
		}
	}
	if err != nil && !errors.Is(err, store.ErrDraftMoved) {
		c.log.WarnContext(ctx, "draft not kept", "user", r.User, "err", err)
	}
	return bot.Errors(wrong.Beside(*r.View)), nil
}

// nextStep keeps the form and shows it again with room for more photos, or the second
// step.
func (c *placing) nextStep(ctx context.Context, r bot.Request, form place.Form) (bot.Reply, error) {
	draft, _, err := c.drafts.saveTypedOf(ctx, r)
	if errors.Is(err, store.ErrDraftMoved) {
		return c.submitDraft(ctx, r, c.photos.filled(draft, form)) // another window was faster: this one follows it
	}
	if err != nil {
		return bot.Reply{}, err
	}
	if form.More || !form.PerImage {
		form.More, form.UploadGen = false, form.UploadGen+1
		return c.windows.Reply(ctx, r, c.views.orderView(ctx, r, draft, c.views.aroundForm(draft, form), r.View.ExternalID))
	}
	if len(draft.Images()) == 0 {
		return bot.Errors(place.PhotosProblem(*r.View, photosLost)), nil
	}
	return c.windows.Reply(ctx, r, place.ImagesWindow(draft, 0, c.views.aroundForm(draft, form), r.View.ExternalID))
}

// submitDraft submits the draft at its attempt and shows that it is on its way.
func (c *placing) submitDraft(ctx context.Context, r bot.Request, filled store.Draft) (bot.Reply, error) {
	attempt := filled.Attempt
	filled.SubmittedAt, filled.UpdatedAt = time.Now(), time.Now()
	sent, won, err := c.storedDrafts.Submit(ctx, filled)
	if err != nil {
		return bot.Reply{}, err
	}
	if !won && sent.State == store.DraftDiscarded { // what this window holds is kept nowhere else
		return c.windows.Reply(ctx, r, place.DiscardedElsewhere(filled, r.View.ExternalID))
	}
	if err := c.submitted(ctx, sent, won, attempt, r.View.ExternalID); err != nil {
		return bot.Reply{}, err
	}
	return c.windows.Reply(ctx, r, place.Placing(sent, r.View.ExternalID))
}

// submitted puts what follows a submission. The attempt's job is put again by whoever
// comes second: the first may have died before it could.
func (c *placing) submitted(ctx context.Context, sent store.Draft, won bool, attempt int, view string) error {
	if err := c.jobs.Place.PutPlace(ctx, sent, view); err != nil || won {
		return err
	}
	if err := c.jobs.Drafts.Follow(ctx, sent, attempt, view, time.Now()); err != nil {
		return err
	}
	return c.jobs.Forms.Repaint(ctx, jobs.DraftLane(sent), view, sent.User)
}

// holdsAll tells a form that leads straight to the order, and that holds its whole draft: photos that were
// kept have addresses that only the draft has, and what became of earlier attempts it alone knows, and what a
// preset took the place of. A form of
// an earlier version does not tell in which run of Redis it was opened.
func holdsAll(form place.Form) bool {
	return form.Run != "" && form.Attempt == 1 && len(form.Kept) == 0 && form.Preset == "" && !form.More && !form.PerImage && !form.LeadsOn
}
