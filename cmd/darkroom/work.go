package main

import (
	"context"
	"errors"
	"time"

	"darkroom/store"
	"darkroom/store/queue"
)

// A job whose workspace has removed the app waits until somebody adds it again, or its data is forgotten: at first
// for a moment, since an app is removed to be added anew, and then as long as this.
const (
	goneFirst = 5 * time.Second
	goneMost  = 5 * time.Minute
)

// work does one job of the queue, in the rooms of its workspace.
func (a *app) work(ctx context.Context, d *queue.Delivery) error {
	its, err := a.whose(ctx, d.Tenant)
	if errors.Is(err, store.ErrNotInstalled) {
		return a.many.leftBehind(ctx, d)
	}
	if err != nil {
		return err
	}
	return its.work(ctx, d)
}

// leftBehind is what becomes of a job whose workspace has removed the app: it is dropped with the workspace's data when
// that was forgotten since, and else waits until somebody adds the app again.
func (m *many) leftBehind(ctx context.Context, d *queue.Delivery) error {
	c, err := storeOf(m.app.rdb, d.Tenant).Connection(ctx)
	if err != nil {
		return err
	}
	if c.Forgot(d.PutAt) {
		m.app.log.InfoContext(ctx, "job dropped with its workspace's data", "workspace", d.Tenant, "job", d.ID, "kind", d.Kind)
		return nil
	}
	return queue.Wait(min(goneFirst<<min(d.Deliveries-1, 8), goneMost))
}

// died has the person told whose job cannot succeed.
func (a *app) died(ctx context.Context, letter queue.DeadLetter) error {
	its, err := a.whose(ctx, letter.Tenant)
	if errors.Is(err, store.ErrNotInstalled) {
		return nil // there is nobody to tell any more
	}
	if err != nil {
		return err
	}
	return its.died(ctx, letter)
}
