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

// draftForm is the buttons and choices of an open order form.
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

// retryDraft is *Try again* after an order that was never seen at the service: a new
// attempt under the same reference, which looks once more before it sends. The button names
// the attempt that it follows: however often it is pressed, and the press delivered, it is
// followed by one.
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
		attempt = draft.Attempt // a button from before they named it
	}
	draft, _, err = c.store.Drafts.TryAgain(ctx, at(draft, attempt))
	if err != nil {
		return err
	}
	return c.draftWindows.placeShown(ctx, r, draft)
}

// discardDraft is *Discard*: the draft is not placed. Its reference stays watched.
func (c *draftForm) discardDraft(ctx context.Context, r bot.Request) error {
	draft, err := c.drafts.ownDraft(ctx, r)
	if err != nil {
		return err
	}
	if draft.State == store.DraftUnknown || fillable(draft) {
		draft.State, draft.UpdatedAt = store.DraftDiscarded, time.Now()
		err := c.store.Drafts.SaveDraft(ctx, draft)
		if errors.Is(err, store.ErrDraftMoved) { // placed from another window meanwhile
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
	return c.draftWindows.draftShown(ctx, r, draft)
}

// withoutOffer shows a form again from which another draft was discarded.
func (c *draftForm) withoutOffer(ctx context.Context, r bot.Request) error {
	draft, form, err := c.drafts.saveTypedOf(ctx, r)
	if errors.Is(err, store.ErrDraftMoved) {
		return nil // the form is gone
	}
	if err != nil {
		return err
	}
	return c.draftWindows.replaceForm(ctx, r, draft, form)
}

// imagesBack shows the page before, or the form itself; what this page holds is kept.
func (c *draftForm) imagesBack(ctx context.Context, r bot.Request) error {
	meta := kit.DecodeMeta(r.View.PrivateMetadata)
	draft, _, err := c.drafts.saveTypedOf(ctx, r)
	switch {
	case errors.Is(err, store.ErrNoDraft), errors.Is(err, jobs.ErrNotFound):
		return draftGone(store.ErrNoDraft)
	case errors.Is(err, store.ErrDraftMoved):
		return nil // another window has placed it, and this one follows when it is submitted
	case err != nil:
		return err
	case meta.Page > 0:
		return c.draftWindows.replaceView(ctx, r, draft, place.ImagesWindow(draft, meta.Page-1, c.views.aroundPage(meta, draft), r.View.ExternalID))
	}
	return c.draftWindows.replaceForm(ctx, r, draft, place.Form{Credits: meta.Credits, UploadGen: meta.UploadGen, PerImage: true})
}

// reshape shows the form as what was ticked or opened makes it: its button says Next when it
// leads on. A window that shows something else meanwhile is left alone.
func (c *draftForm) reshape(ctx context.Context, r bot.Request) error {
	draft, form, open, err := c.drafts.stillOpen(ctx, r)
	if err != nil || !open {
		return err
	}
	return c.draftWindows.repaintForm(ctx, r, draft, form.Opens(r.Name), nil)
}

// choosePreset fills the form from what was chosen, or takes out again what was filled in. What cannot be
// had leaves the form as it is.
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
		case d.Filling != nil: // what is chosen in it must not stay
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
	around := c.views.aroundForm(draft, form.FilledFrom(was, draft))
	around.Unsure, around.Presets = len(form.Photos) == 0 && c.files != nil, menu
	return c.draftWindows.replaceView(ctx, r, draft, c.views.orderView(ctx, r, draft, around, r.View.ExternalID))
}

// chosenFilling is what the choice of a click fills in: nothing of "none". It is false when that is no
// longer there, or this person may not order in the channel.
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

// lastFilling is what the newest order of the channel asked for.
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

// postTo hears that a form posts to another channel: what it can be filled from is that channel's. A form
// that offers nothing, and would not, is left alone.
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

// removePhoto takes a kept photo out of a draft; what is being typed stays.
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
		return nil // it is being placed as it was submitted; the window says so
	case errors.Is(err, store.ErrDraftMoved):
		return c.draftWindows.draftShown(ctx, r, draft)
	case err != nil:
		return draftGone(err)
	case !inForm(r):
		return c.answers.Send(ctx, r, place.Reopen(draft, "The photo is taken out of your order. Nothing else has changed."))
	}
	return c.draftWindows.replaceForm(ctx, r, draft, form)
}

// fillingOf is what a preset fills into a form; each click makes its own.
func fillingOf(p store.Preset, r bot.Request) store.Filling {
	return store.Filling{ID: p.ID(), Name: p.Name, Given: p.Brief, Gen: job.Hash(r.ID)}
}

// placeOf stands for a channel where it is asked who may act in it.
func placeOf(r bot.Request, channel string) store.Tracked {
	return store.Tracked{Owner: store.Owner{Team: r.Team, Channel: channel}}
}

func removeFile(d *store.Draft, file string) {
	d.Files = slices.DeleteFunc(d.Files, func(f store.DraftFile) bool {
		if f.ID != file {
			return false
		}
		delete(d.Each, f.URL)
		for i := range d.Problems { // a name that is still known when its address is not
			d.Problems[i] = strings.ReplaceAll(d.Problems[i], f.URL, f.Name)
		}
		return true
	})
}
