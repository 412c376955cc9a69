package commands

import (
	"context"
	"errors"
	"time"

	"darkroom/store"
	"darkroom/upstream"
)

// goneLook bounds how long somebody waits for the service to tell whether it knows an order
// again.
const goneLook = 3 * time.Second

// lookAgain asks the service for an order that is gone, since whoever sees it again brings
// it back: what a person wants of it is for the service to judge. It returns the order as
// it is then; when the service could not be asked, as it was, and why.
func (c *Commands) lookAgain(ctx context.Context, t store.Tracked) (store.Tracked, error) {
	if !t.Gone {
		return t, nil
	}
	within, cancel := context.WithTimeout(ctx, goneLook)
	defer cancel()
	seen, err := c.service.Fetch(within, t.ID)
	if errors.Is(err, upstream.ErrInvalidOrder) {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	now, _, err := c.store.Record(ctx, t.ID, t.Version, seen)
	if errors.Is(err, store.ErrStale) { // somebody else saw it
		now, err = c.store.Order(ctx, t.ID)
	}
	if err != nil {
		return t, err
	}
	return now, nil
}
