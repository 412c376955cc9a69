package store

import (
	"context"
	"time"

	"darkroom/store/kv"
	"darkroom/store/script"
)

// EditDraft changes a draft that can still be filled in, in one step: what somebody
// else changes at the same time is not lost, so change may be called again. It returns
// the draft as it is kept then. [ErrDraftMoved] comes with the draft as it is: it is
// being placed, or over. An error of change's ends it and is returned.
func (s *Drafts) EditDraft(ctx context.Context, id string, change func(d *Draft) error) (Draft, error) {
	var d Draft
	err := kv.RetryOnConflict(draftError(id, kv.ErrBusy), func() (r kv.Result, err error) {
		d, r, err = s.editDraft(ctx, id, change)
		return r, err
	})
	return d, err
}

// editDraft is one round.
func (s *Drafts) editDraft(ctx context.Context, id string, change func(d *Draft) error) (Draft, kv.Result, error) {
	d, before, err := s.Read(ctx, id)
	if err != nil {
		return Draft{}, kv.Stale, err
	}
	if d.State != DraftOpen && d.State != DraftRefused {
		return d, kv.Stale, draftError(id, ErrDraftMoved)
	}
	if err := change(&d); err != nil {
		return d, kv.Stale, err
	}
	d.UpdatedAt = time.Now()
	code, err := s.write(ctx, "edit_draft", d, script.Args{"before": before})
	if err != nil {
		return Draft{}, kv.Stale, draftError(id, err)
	}
	return d, kv.Result(code), nil
}
