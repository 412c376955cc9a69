package store

import (
	"context"
	"fmt"
	"time"

	"darkroom/store/script"
)

// EditDraft changes a draft that can still be filled in, in one step: what somebody
// else changes at the same time is not lost, so change may be called again. It returns
// the draft as it is kept then. [ErrDraftMoved] comes with the draft as it is: it is
// being placed, or over. An error of change's ends it and is returned.
func (s *Store) EditDraft(ctx context.Context, id string, change func(d *Draft) error) (Draft, error) {
	var d Draft
	busy := fmt.Errorf("changed by others %d times: %w", maxConflicts, context.DeadlineExceeded)
	err := retryOnConflict(draftError(id, busy), func() (r result, err error) {
		d, r, err = s.editDraft(ctx, id, change)
		return r, err
	})
	return d, err
}

// editDraft is one round.
func (s *Store) editDraft(ctx context.Context, id string, change func(d *Draft) error) (Draft, result, error) {
	d, before, err := s.readDraft(ctx, id)
	if err != nil {
		return Draft{}, stale, err
	}
	if d.State != DraftOpen && d.State != DraftRefused {
		return d, stale, draftError(id, ErrDraftMoved)
	}
	if err := change(&d); err != nil {
		return d, stale, err
	}
	d.UpdatedAt = time.Now()
	code, err := s.writeDraft(ctx, "edit_draft", d, script.Args{"before": before})
	if err != nil {
		return Draft{}, stale, draftError(id, err)
	}
	return d, result(code), nil
}
