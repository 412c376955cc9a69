package commands

import (
	"context"
	"errors"
	"fmt"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/store"
)

// keepTyped keeps what is being typed into an order form, on the ack path: Slack does
// not tell what a form held when it is closed. One that is closed is offered again.
func (c *Commands) keepTyped(ctx context.Context, r bot.Request) (bot.Reply, error) {
	if keepsWords(r) {
		return c.keepWords(ctx, r)
	}
	c.keepQuietly(ctx, r)
	return bot.Ack(), nil
}

// keepQuietly keeps a form as far as it is filled in. That it cannot be kept costs the
// person nothing yet: the form still holds it.
func (c *Commands) keepQuietly(ctx context.Context, r bot.Request) {
	if r.View == nil || r.View.State == nil || len(r.View.State.Values) == 0 {
		return
	}
	if _, _, err := c.keepTypedOf(ctx, r); err != nil && !errors.Is(err, store.ErrDraftMoved) {
		c.log.WarnContext(ctx, "draft not kept", "user", r.User, "err", err)
	}
}

// errOlder is for what must not be kept: the window is from before a refusal, or
// something typed later arrived earlier.
var errOlder = errors.New("something newer is kept")

// keepTypedOf puts what a form holds into its draft and returns both.
// [store.ErrDraftMoved] comes with the draft that is not filled in any more.
func (c *Commands) keepTypedOf(ctx context.Context, r bot.Request) (store.Draft, cards.Form, error) {
	form := cards.DecodeTyped(*r.View)
	draft, err := c.store.EditDraft(ctx, form.Draft, func(d *store.Draft) error {
		switch {
		case d.User != r.User:
			return fmt.Errorf("draft %s: %w", d.ID, jobs.ErrNotFound)
		case form.Attempt < d.Attempt, form.Attempt > d.Attempt && r.View.CallbackID != cards.CallbackNew, r.ActionTS != "" && r.ActionTS < d.Typed:
			return errOlder
		}
		d.Typed, d.Attempt = max(d.Typed, r.ActionTS), form.Attempt
		*d = c.typedInto(*d, r, form)
		return nil
	})
	switch {
	case errors.Is(err, errOlder):
		return draft, form, nil
	case errors.Is(err, store.ErrNoDraft) && r.View.CallbackID == cards.CallbackNew:
		draft, err = c.submittedDraft(ctx, r, form)
		if err == nil {
			draft = c.typedInto(draft, r, form)
			err = c.store.SaveDraft(ctx, draft)
		}
	}
	return draft, form, err
}

// typedInto is the draft with what its window holds: the form, or a page of its second
// step.
func (c *Commands) typedInto(d store.Draft, r bot.Request, form cards.Form) store.Draft {
	if r.View.CallbackID == cards.CallbackNewImages {
		d.Each = cards.DecodeNewImages(*r.View, d)
		return d
	}
	return c.filled(d, form)
}

// inForm tells whether a button was pressed in an order form.
func inForm(r bot.Request) bool { return r.View != nil && r.View.CallbackID == cards.CallbackNew }

// nextUploadGen counts how often the upload field was emptied, once what it holds is kept.
func nextUploadGen(form cards.Form) int {
	if len(form.Photos) > 0 {
		return form.UploadGen + 1
	}
	return form.UploadGen
}

// catchUpAttempt is a draft at the attempt of a form that somebody fills in. A form knows of a
// later attempt than the draft only when Redis has forgotten the refusal after which it was
// shown: the draft is refused again, and what is submitted is that attempt's.
func (c *Commands) catchUpAttempt(ctx context.Context, draft store.Draft, attempt int) (store.Draft, error) {
	if attempt <= draft.Attempt || draft.State == store.DraftPlaced || draft.State == store.DraftDiscarded {
		return draft, nil
	}
	draft.State, draft.Attempt = store.DraftRefused, attempt
	err := c.store.SaveDraft(ctx, draft)
	if errors.Is(err, store.ErrDraftMoved) { // another window was faster
		return c.store.Draft(ctx, draft.ID)
	}
	return draft, err
}
