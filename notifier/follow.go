package notifier

import (
	"context"
	"errors"

	"darkroom/store"
	"darkroom/upstream"
)

// staleTries bounds how often one tick chases an order that others are
// changing too; the next tick goes on.
const staleTries = 3

// follow fetches one active order in full and records it when it differs from
// what is known. A summary never is enough: it has no images.
func (r *round) follow(ctx context.Context, id string) error {
	known := r.active[id]
	for range staleTries {
		order, err := r.poller.service.Fetch(ctx, id)
		r.heard(err)
		if errors.Is(err, upstream.ErrInvalidOrder) {
			return untracked(r.poller.store.MarkGone(ctx, id))
		}
		if err != nil || !known.Differs(order) {
			return err
		}
		_, _, err = r.poller.store.Record(ctx, id, known.Version, order)
		if !errors.Is(err, store.ErrStale) {
			return untracked(err)
		}
		if known, err = r.reread(ctx, id); err != nil {
			return untracked(err)
		}
	}
	return store.ErrStale
}

// reread takes up the version of a newer truth. What that truth says is not
// compared: what the service told is merged into it, and no change is no write.
func (r *round) reread(ctx context.Context, id string) (store.Active, error) {
	t, err := r.poller.store.Order(ctx, id)
	return store.Active{Version: t.Version}, err
}

// untracked forgives an order that left the record meanwhile.
func untracked(err error) error {
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	return err
}
