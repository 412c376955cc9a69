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

// drafts saves the content of order forms.
type drafts struct {
	drafts *store.Drafts
	server *conn.Server
	log    *slog.Logger
	photos *photoFiles
}

// newDraft returns the draft of a click. The same click always has the same draft id.
func newDraft(r bot.Request) store.Draft {
	return store.Draft{
		ID: job.Hash(r.ID), Team: r.Team, User: r.User, Channel: jobs.Postable(r.Channel), From: r.Channel,
		URLs: lineURLs(r), Service: order.ServiceBasic,
		Attempt: 1, State: store.DraftOpen, OpenedAt: r.At, UpdatedAt: time.Now(),
	}
}

// fillable reports whether a draft's form can be filled in.
func fillable(d store.Draft) bool { return d.State == store.DraftOpen || d.State == store.DraftRefused }

// withAttempt returns the draft at the attempt of its window.
func withAttempt(draft store.Draft, attempt int) store.Draft {
	draft.Attempt = attempt
	return draft
}

// errOlder means that the saved content is newer: the window is from before a refusal, or events arrived out of order.
var errOlder = errors.New("something newer is kept")

const draftLost = "This draft is no longer saved: drafts last seven days. Start again with `" + Slash + " new`."

// draftGone turns [store.ErrNoDraft] into a refusal that the person reads.
func draftGone(err error) error {
	if errors.Is(err, store.ErrNoDraft) {
		return answer.Refusal{Message: kit.Say(draftLost)}
	}
	return err
}

// unlessMoved drops [store.ErrDraftMoved] from an edit: the draft is being placed, and its window says so.
func unlessMoved(draft store.Draft, err error) (store.Draft, error) {
	if errors.Is(err, store.ErrDraftMoved) {
		err = nil
	}
	return draft, err
}

// inForm reports whether a request comes from an order form.
func inForm(r bot.Request) bool { return r.View != nil && r.View.CallbackID == place.CallbackNew }

// hasState reports whether a request carries the content of its form.
func hasState(r bot.Request) bool {
	return r.View != nil && r.View.State != nil && len(r.View.State.Values) > 0
}

// saveNew saves a fresh draft. If an earlier delivery of the click saved it, that draft is returned with all edits
// since.
func (c *drafts) saveNew(ctx context.Context, draft store.Draft) (store.Draft, error) {
	saved, err := c.drafts.Draft(ctx, draft.ID)
	if !errors.Is(err, store.ErrNoDraft) {
		return saved, err
	}
	run, err := c.server.Run(ctx)
	if err != nil {
		return draft, err
	}
	draft.Run = run.ID
	return draft, c.drafts.SaveDraft(ctx, draft)
}

// ownDraft loads the draft that a button names. Another person's draft counts as missing.
func (c *drafts) ownDraft(ctx context.Context, r bot.Request) (store.Draft, error) {
	draft, err := c.drafts.Draft(ctx, r.Value)
	if err == nil && draft.User != r.User {
		err = store.ErrNoDraft
	}
	return draft, draftGone(err)
}

// stillOpen saves the content of the order form that was acted on. open is false if the form is being placed, was
// placed, or is no order form.
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

// saveQuietly saves a form's content and logs a failure. The form still holds the content then.
func (c *drafts) saveQuietly(ctx context.Context, r bot.Request) {
	if !hasState(r) {
		return
	}
	if _, _, err := c.saveTypedOf(ctx, r); err != nil && !errors.Is(err, store.ErrDraftMoved) {
		c.log.WarnContext(ctx, "draft not kept", "user", r.User, "err", err)
	}
}

// saveTypedOf saves a form's content into its draft and returns both. With [store.ErrDraftMoved], the draft can no
// longer be filled in.
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

// typedInto returns the draft with the content of its window: the form, or a page of the second step.
func (c *drafts) typedInto(d store.Draft, r bot.Request, form place.Form) store.Draft {
	if r.View.CallbackID == place.CallbackImages {
		d.Each = place.DecodeImages(*r.View, d)
		return d
	}
	return c.photos.filled(d, form)
}

// catchUpAttempt returns the draft at the form's attempt. The form's attempt is later only if Redis lost the refusal
// that the form shows: the draft is refused again, and submitting starts that attempt.
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

// submittedDraft returns the draft of a submitted form. If the store lost it, the draft is rebuilt from the form, which
// holds all its content.
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
