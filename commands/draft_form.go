package commands

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/files"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/store"
)

// draftForm handles the buttons and choices of an open order form.
type draftForm struct {
	store        *store.Store
	jobs         *jobs.Jobs
	access       *access.Control
	files        *files.Signer
	answers      *answer.Messages
	views        *draftViews
	draftWindows *draftWindows
	drafts       *drafts
	photos       *photoFiles
}

// retryDraft handles *Try Again* after an order that never appeared at the service. It starts a new attempt under the
// same reference, which verifies once more before it sends. The button names the attempt before it, so any number of
// presses starts one attempt.
func (c *draftForm) retryDraft(ctx context.Context, r bot.Request) error {
	id, attempt, named := cards.ParseValue(r.Value)
	if named {
		r.Value = id
	}
	draft, err := c.drafts.ownDraft(ctx, r)
	if err != nil {
		return err
	}
	if !named {
		attempt = draft.Attempt // a button of an earlier version names no attempt
	}
	draft, _, err = c.store.Drafts.TryAgain(ctx, withAttempt(draft, attempt))
	if err != nil {
		return err
	}
	return c.draftWindows.showPlacing(ctx, r, draft)
}

// discardDraft handles *Discard*: the draft is never placed. Its reference stays watched.
func (c *draftForm) discardDraft(ctx context.Context, r bot.Request) error {
	draft, err := c.drafts.ownDraft(ctx, r)
	if err != nil {
		return err
	}
	if draft.State == store.DraftUnknown || fillable(draft) {
		draft.State, draft.UpdatedAt = store.DraftDiscarded, time.Now()
		err := c.store.Drafts.SaveDraft(ctx, draft)
		if errors.Is(err, store.ErrDraftMoved) { // another window placed it
			draft, err = c.store.Drafts.Draft(ctx, draft.ID)
		}
		if err != nil {
			return err
		}
	}
	if draft.State == store.DraftDiscarded {
		if err := c.jobs.Holds.EndHold(ctx, draft); err != nil {
			return err
		}
	}
	if inForm(r) && kit.DecodeMeta(r.View.PrivateMetadata).Draft != draft.ID {
		return c.withoutOffer(ctx, r)
	}
	return c.draftWindows.showStatus(ctx, r, draft)
}

// withoutOffer redraws a form after the person discarded the other draft that it offered.
func (c *draftForm) withoutOffer(ctx context.Context, r bot.Request) error {
	draft, form, err := c.drafts.saveTypedOf(ctx, r)
	if errors.Is(err, store.ErrDraftMoved) {
		return nil // the draft was placed
	}
	if err != nil {
		return err
	}
	return c.draftWindows.replaceForm(ctx, r, draft, form)
}

// imagesBack saves the current page and shows the previous page, or the form itself.
func (c *draftForm) imagesBack(ctx context.Context, r bot.Request) error {
	if r.View == nil {
		return nil
	}
	meta := kit.DecodeMeta(r.View.PrivateMetadata)
	draft, _, err := c.drafts.saveTypedOf(ctx, r)
	switch {
	case errors.Is(err, store.ErrNoDraft), errors.Is(err, jobs.ErrNotFound):
		return draftGone(store.ErrNoDraft)
	case errors.Is(err, store.ErrDraftMoved):
		return nil // another window placed it; this one follows when it is submitted
	case err != nil:
		return err
	case meta.Page > 0:
		return c.draftWindows.replaceView(ctx, r, draft, place.ImagesWindow(draft, meta.Page-1, c.views.pageExtras(meta, draft), r.View.ExternalID))
	}
	return c.draftWindows.replaceForm(ctx, r, draft, place.Form{Credits: meta.Credits, UploadGen: meta.UploadGen, PerImage: true})
}

// reshape redraws the form after a box was ticked or a section was opened. The submit button becomes *Next* if another
// step follows. A window with newer content is left alone.
func (c *draftForm) reshape(ctx context.Context, r bot.Request) error {
	draft, form, open, err := c.drafts.stillOpen(ctx, r)
	if err != nil || !open {
		return err
	}
	return c.draftWindows.repaintForm(ctx, r, draft, form.Opens(r.Name), nil)
}

// choosePreset fills the form from the chosen preset; the empty choice undoes the last preset. If the preset is gone, the
// form stays as it is and only its menu is reset.
func (c *draftForm) choosePreset(ctx context.Context, r bot.Request) error {
	draft, form, open, err := c.drafts.stillOpen(ctx, r)
	if err != nil || !open {
		return err
	}
	f, found, err := c.chosenFilling(ctx, r, draft.Channel)
	if err != nil {
		return err
	}
	was, menu := draft, c.jobs.Presets.Presets(ctx, r, draft.Channel)
	if !found {
		menu.Note = place.PresetGone
	}
	draft, err = c.store.Drafts.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
		d.Typed = max(d.Typed, r.ActionTS)
		switch {
		case found:
			d.Fill(f)
		case d.Filling != nil: // a new Gen resets the menu's selection
			again := *d.Filling
			again.Gen = f.Gen
			d.Filling = &again
		default:
			d.Filling = &store.Filling{Gen: f.Gen}
		}
		return nil
	})
	switch {
	case errors.Is(err, store.ErrDraftMoved):
		return nil
	case err != nil:
		return draftGone(err)
	}
	extras := c.views.formExtras(draft, form.FilledFrom(was, draft))
	extras.Unsure, extras.Presets = form.MayLosePhotos(), menu
	return c.draftWindows.replaceView(ctx, r, draft, c.views.orderView(ctx, r, draft, extras, r.View.ExternalID))
}

// chosenFilling returns the values of the chosen preset, empty for "none". found is false if the preset is gone, or if
// the person may not order in the channel.
func (c *draftForm) chosenFilling(ctx context.Context, r bot.Request, channel string) (f store.Filling, found bool, err error) {
	f.Gen = job.Hash(r.ID)
	id := place.ChosenPreset(r.Value)
	if id == "" {
		return f, true, nil
	}
	permit, err := c.access.Authorize(ctx, r, placeOf(r, channel))
	if err != nil || !permit.Acts() {
		return f, false, err
	}
	if id == store.LastOrder {
		return c.lastFilling(ctx, r, channel, f)
	}
	all, err := c.store.Presets.In(ctx, r.Team, channel)
	at := slices.IndexFunc(all, func(p store.Preset) bool { return p.ID() == id })
	if err != nil || at < 0 {
		return f, false, err
	}
	return fillingOf(all[at], r), true, nil
}

// lastFilling returns the values of the channel's newest order.
func (c *draftForm) lastFilling(ctx context.Context, r bot.Request, channel string, f store.Filling) (store.Filling, bool, error) {
	last, err := c.store.Orders.LastBrief(ctx, r.Team, channel)
	if err != nil || last == nil {
		return f, false, err
	}
	f.ID, f.Name = store.LastOrder, place.SameAsLast
	f.Given, f.Lost = last.Brief.Repeatable()
	f.Given.Instructions = cards.ShortLines(f.Given.Instructions)
	f.Given.CustomerID = cmp.Or(last.CustomerID(), f.Given.CustomerID)
	return f, true, nil
}

// postTo handles a new choice of channel: the form then offers that channel's presets. The form is left alone if
// neither channel has any.
func (c *draftForm) postTo(ctx context.Context, r bot.Request) error {
	draft, form, open, err := c.drafts.stillOpen(ctx, r)
	if err != nil || !open {
		return err
	}
	menu := c.jobs.Presets.Presets(ctx, r, draft.Channel)
	if !form.Offers && len(menu.Presets) == 0 && !menu.Last {
		return nil
	}
	return c.draftWindows.repaintForm(ctx, r, draft, form, menu)
}

// removePhoto removes a saved photo from a draft, and saves the text that the form holds.
func (c *draftForm) removePhoto(ctx context.Context, r bot.Request) error {
	id, file, ok := place.ParsePhotoValue(r.Value)
	if !ok {
		return draftGone(store.ErrNoDraft)
	}
	var form place.Form
	draft, err := c.store.Drafts.EditDraft(ctx, id, func(d *store.Draft) error {
		if d.User != r.User {
			return store.ErrNoDraft
		}
		if inForm(r) {
			if form = place.DecodeTyped(*r.View); form.Attempt == d.Attempt && form.Draft == d.ID {
				*d = c.photos.filled(*d, form)
			}
		}
		removeFile(d, file)
		return nil
	})
	switch {
	case errors.Is(err, store.ErrDraftMoved) && inForm(r):
		return nil // it is being placed as submitted, and its window says so
	case errors.Is(err, store.ErrDraftMoved):
		return c.draftWindows.showStatus(ctx, r, draft)
	case err != nil:
		return draftGone(err)
	case !inForm(r):
		return c.answers.Send(ctx, r, place.Reopen(draft, "The photo is taken out of your order. Nothing else has changed."))
	}
	return c.draftWindows.replaceForm(ctx, r, draft, form)
}

// fillingOf returns the values that a preset fills into a form. Each click has its own Gen.
func fillingOf(p store.Preset, r bot.Request) store.Filling {
	return store.Filling{ID: p.ID(), Name: p.Name, Given: p.Brief, Gen: job.Hash(r.ID)}
}

// placeOf returns a stand-in order for access checks on a channel.
func placeOf(r bot.Request, channel string) store.Tracked {
	return store.Tracked{Owner: store.Owner{Team: r.Team, Channel: channel}}
}

func removeFile(d *store.Draft, file string) {
	d.Files = slices.DeleteFunc(d.Files, func(f store.DraftFile) bool {
		if f.ID != file {
			return false
		}
		delete(d.Each, f.URL)
		for i := range d.Problems { // the photo's URL is dropped, its name stays readable
			d.Problems[i] = strings.ReplaceAll(d.Problems[i], f.URL, f.Name)
		}
		return true
	})
}
