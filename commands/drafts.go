package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"darkroom/bot"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/commands/answer"
	"darkroom/jobs"
	"darkroom/jobs/job"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/conn"
)

// drafts saves what people typed into order forms.
type drafts struct {
	drafts *store.Drafts
	server *conn.Server
	log    *slog.Logger
	photos *photoFiles
}

// newDraft is the draft of a click; the same click makes the same one.
func newDraft(r bot.Request) store.Draft {
	return store.Draft{
		ID: job.Hash(r.ID), Team: r.Team, User: r.User, Channel: jobs.Postable(r.Channel), From: r.Channel,
		URLs: lineURLs(r), Service: order.ServiceBasic,
		Attempt: 1, State: store.DraftOpen, OpenedAt: r.At, UpdatedAt: time.Now(),
	}
}

// fillable tells a draft whose form can be filled in.
func fillable(d store.Draft) bool { return d.State == store.DraftOpen || d.State == store.DraftRefused }

// at is the draft at the attempt that a window was opened with.
func at(draft store.Draft, attempt int) store.Draft {
	draft.Attempt = attempt
	return draft
}

// errOlder is for what must not be kept: the window is from before a refusal, or
// something typed later arrived earlier.
var errOlder = errors.New("something newer is kept")

const draftLost = "I no longer have this draft: I keep one for seven days. Please start again with `" + Slash + " new`."

// draftGone is what the button of a draft that is no more is answered with.
func draftGone(err error) error {
	if errors.Is(err, store.ErrNoDraft) {
		return answer.Refusal{Message: kit.Say(draftLost)}
	}
	return err
}

// inForm tells whether a button was pressed in an order form.
func inForm(r bot.Request) bool { return r.View != nil && r.View.CallbackID == place.CallbackNew }

// saveNew keeps a fresh draft, unless an earlier delivery of the same click has: what
// was typed since stays.
func (c *drafts) saveNew(ctx context.Context, draft store.Draft) (store.Draft, error) {
	kept, err := c.drafts.Draft(ctx, draft.ID)
	if !errors.Is(err, store.ErrNoDraft) {
		return kept, err
	}
	run, err := c.server.Run(ctx)
	if err != nil {
		return draft, err
	}
	draft.Run = run.ID
	return draft, c.drafts.SaveDraft(ctx, draft)
}

// ownDraft loads the draft a button names; those of other people do not exist.
func (c *drafts) ownDraft(ctx context.Context, r bot.Request) (store.Draft, error) {
	draft, err := c.drafts.Draft(ctx, r.Value)
	if err == nil && draft.User != r.User {
		err = store.ErrNoDraft
	}
	return draft, draftGone(err)
}

// stillOpen keeps what a form holds in which something was pressed. It is false where it is no form that
// is filled in: when it is being placed, or was, the window says so.
func (c *drafts) stillOpen(ctx context.Context, r bot.Request) (store.Draft, place.Form, bool, error) {
	if !inForm(r) {
		return store.Draft{}, place.Form{}, false, nil
	}
	draft, form, err := c.saveTypedOf(ctx, r)
	switch {
	case errors.Is(err, store.ErrDraftMoved), err == nil && form.Attempt != draft.Attempt:
		return draft, form, false, nil
	case err != nil:
		return draft, form, false, draftGone(err)
	}
	return draft, form, true, nil
}

// saveQuietly keeps a form as far as it is filled in. That it cannot be kept costs the
// person nothing yet: the form still holds it.
func (c *drafts) saveQuietly(ctx context.Context, r bot.Request) {
	if r.View == nil || r.View.State == nil || len(r.View.State.Values) == 0 {
		return
	}
	if _, _, err := c.saveTypedOf(ctx, r); err != nil && !errors.Is(err, store.ErrDraftMoved) {
		c.log.WarnContext(ctx, "draft not kept", "user", r.User, "err", err)
	}
}

// saveTypedOf puts what a form holds into its draft and returns both.
// [store.ErrDraftMoved] comes with the draft that is not filled in any more.
func (c *drafts) saveTypedOf(ctx context.Context, r bot.Request) (store.Draft, place.Form, error) {
	form := place.DecodeTyped(*r.View)
	draft, err := c.drafts.EditDraft(ctx, form.Draft, func(d *store.Draft) error {
		switch {
		case d.User != r.User:
			return fmt.Errorf("draft %s: %w", d.ID, jobs.ErrNotFound)
		case form.Attempt < d.Attempt, form.Attempt > d.Attempt && r.View.CallbackID != place.CallbackNew, r.ActionTS != "" && r.ActionTS < d.Typed:
			return errOlder
		}
		d.Typed, d.Attempt = max(d.Typed, r.ActionTS), form.Attempt
		*d = c.typedInto(*d, r, form)
		return nil
	})
	switch {
	case errors.Is(err, errOlder):
		return draft, form, nil
	case errors.Is(err, store.ErrNoDraft) && r.View.CallbackID == place.CallbackNew:
		draft, err = c.submittedDraft(ctx, r, form)
		if err == nil {
			draft = c.typedInto(draft, r, form)
			err = c.drafts.SaveDraft(ctx, draft)
		}
	}
	return draft, form, err
}

// typedInto is the draft with what its window holds: the form, or a page of its second
// step.
func (c *drafts) typedInto(d store.Draft, r bot.Request, form place.Form) store.Draft {
	if r.View.CallbackID == place.CallbackImages {
		d.Each = place.DecodeImages(*r.View, d)
		return d
	}
	return c.photos.filled(d, form)
}

// catchUpAttempt is a draft at the attempt of a form that somebody fills in. A form knows of a
// later attempt than the draft only when Redis has forgotten the refusal after which it was
// shown: the draft is refused again, and what is submitted is that attempt's.
func (c *drafts) catchUpAttempt(ctx context.Context, draft store.Draft, attempt int) (store.Draft, error) {
	if attempt <= draft.Attempt || draft.State == store.DraftPlaced || draft.State == store.DraftDiscarded {
		return draft, nil
	}
	draft.State, draft.Attempt = store.DraftRefused, attempt
	err := c.drafts.SaveDraft(ctx, draft)
	if errors.Is(err, store.ErrDraftMoved) { // another window was faster
		return c.drafts.Draft(ctx, draft.ID)
	}
	return draft, err
}

// submittedDraft is the draft behind a submitted form. When the store has lost it, the
// form itself holds everything that was typed.
func (c *drafts) submittedDraft(ctx context.Context, r bot.Request, form place.Form) (store.Draft, error) {
	draft, err := c.drafts.Draft(ctx, form.Draft)
	if errors.Is(err, store.ErrNoDraft) {
		return store.Draft{
			ID: form.Draft, Team: r.Team, User: r.User, From: cmp.Or(form.From, form.Channel),
			Attempt: max(form.Attempt, 1), State: store.DraftOpen, OpenedAt: form.Opened, UpdatedAt: time.Now(),
		}, nil
	}
	if err != nil {
		return store.Draft{}, err
	}
	if draft.User != r.User {
		return store.Draft{}, fmt.Errorf("draft %s: %w", draft.ID, jobs.ErrNotFound)
	}
	return c.catchUpAttempt(ctx, draft, form.Attempt)
}
