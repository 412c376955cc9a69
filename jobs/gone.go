package jobs

import (
	"context"
	"errors"
	"time"

	"darkroom/order"
	"darkroom/store"
)

// goneLook bounds how long somebody who looks on waits for the service to tell whether it
// knows an order again.
const goneLook = 3 * time.Second

// LookAgain is seeAgain while somebody looks on.
func (j *Jobs) LookAgain(ctx context.Context, t store.Tracked) (store.Tracked, error) {
	within, cancel := context.WithTimeout(ctx, goneLook)
	defer cancel()
	return j.seeAgain(within, t)
}

// seeAgain asks the service for an order that is gone, since whoever sees it again brings
// it back: what a person wants of it is for the service to judge. It returns the order as
// it is then; when the service could not be asked, as it was, and why.
func (j *Jobs) seeAgain(ctx context.Context, t store.Tracked) (store.Tracked, error) {
	if !t.Gone {
		return t, nil
	}
	seen, err := j.service.Fetch(ctx, t.ID)
	if errors.Is(err, order.ErrInvalidOrder) {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	now, _, err := j.store.Record(ctx, t.ID, t.Version, seen)
	if errors.Is(err, store.ErrStale) { // somebody else saw it
		now, err = j.store.Order(ctx, t.ID)
	}
	if err != nil {
		return t, err
	}
	return now, nil
}
