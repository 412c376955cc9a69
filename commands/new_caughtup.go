package commands

import (
	"context"
	"errors"

	"darkroom/store"
)

// caughtUp is a draft at the attempt of a form that somebody fills in. A form knows of a
// later attempt than the draft only when Redis has forgotten the refusal after which it was
// shown: the draft is refused again, and what is submitted is that attempt's.
func (c *Commands) caughtUp(ctx context.Context, draft store.Draft, attempt int) (store.Draft, error) {
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
