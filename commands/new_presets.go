package commands

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs/job"
	"darkroom/store"
)

// inHouseStyle is a form that shows its draft as it is; one that nobody has put anything into is filled in
// with the channel's house style, if it has just one.
func (c *Commands) inHouseStyle(r bot.Request) formFill {
	return func(ctx context.Context, draft store.Draft) (store.Draft, cards.Around, error) {
		around := c.around(ctx, draft)
		around.Presets = c.jobs.Presets.Presets(ctx, r, draft.Channel)
		house := store.HouseStyle(around.Presets.Presets)
		if house == nil || !draft.Untouched() {
			return draft, around, nil
		}
		f := fillingOf(*house, r)
		f.House = true
		filled, err := c.store.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
			if d.Untouched() {
				d.Fill(f)
			}
			return nil
		})
		if errors.Is(err, store.ErrDraftMoved) { // it is being placed: the window says so
			err = nil
		}
		return filled, around, err
	}
}

// fillingOf is what a preset fills into a form; each click makes its own.
func fillingOf(p store.Preset, r bot.Request) store.Filling {
	return store.Filling{ID: p.ID(), Name: p.Name, Given: p.Brief, Gen: job.Hash(r.ID)}
}

// choosePreset fills the form from what was chosen, or takes out again what was filled in. What cannot be
// had leaves the form as it is.
func (c *Commands) choosePreset(ctx context.Context, r bot.Request) error {
	draft, form, open, err := c.stillOpen(ctx, r)
	if err != nil || !open {
		return err
	}
	f, found, err := c.chosenFilling(ctx, r, draft.Channel)
	if err != nil {
		return err
	}
	was, menu := draft, c.jobs.Presets.Presets(ctx, r, draft.Channel)
	if !found {
		menu.Note = cards.PresetGone
	}
	draft, err = c.store.EditDraft(ctx, draft.ID, func(d *store.Draft) error {
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
	around := c.aroundForm(draft, form.FilledFrom(was, draft))
	around.Unsure, around.Presets = len(form.Photos) == 0 && c.files != nil, menu
	return c.replaceView(ctx, r, draft, c.orderView(ctx, r, draft, around, r.View.ExternalID))
}

// chosenFilling is what the choice of a click fills in: nothing of "none". It is false when that is no
// longer there, or this person may not order in the channel.
func (c *Commands) chosenFilling(ctx context.Context, r bot.Request, channel string) (f store.Filling, found bool, err error) {
	f.Gen = job.Hash(r.ID)
	id := cards.ChosenPreset(r.Value)
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
	all, err := c.store.Presets(ctx, r.Team, channel)
	at := slices.IndexFunc(all, func(p store.Preset) bool { return p.ID() == id })
	if err != nil || at < 0 {
		return f, false, err
	}
	return fillingOf(all[at], r), true, nil
}

// lastFilling is what the newest order of the channel asked for.
func (c *Commands) lastFilling(ctx context.Context, r bot.Request, channel string, f store.Filling) (store.Filling, bool, error) {
	last, err := c.store.LastBrief(ctx, r.Team, channel)
	if err != nil || last == nil {
		return f, false, err
	}
	f.ID, f.Name = store.LastOrder, cards.SameAsLast
	f.Given, f.Lost = last.Brief.Repeatable()
	f.Given.Instructions = shortLines(f.Given.Instructions)
	f.Given.CustomerID = cmp.Or(last.CustomerID(), f.Given.CustomerID)
	return f, true, nil
}

// placeOf stands for a channel where it is asked who may act in it.
func placeOf(r bot.Request, channel string) store.Tracked {
	return store.Tracked{Owner: store.Owner{Team: r.Team, Channel: channel}}
}

// postTo hears that a form posts to another channel: what it can be filled from is that channel's. A form
// that offers nothing, and would not, is left alone.
func (c *Commands) postTo(ctx context.Context, r bot.Request) error {
	draft, form, open, err := c.stillOpen(ctx, r)
	if err != nil || !open {
		return err
	}
	menu := c.jobs.Presets.Presets(ctx, r, draft.Channel)
	if !form.Offers && len(menu.Presets) == 0 && !menu.Last {
		return nil
	}
	return c.repaintForm(ctx, r, draft, form, menu)
}
