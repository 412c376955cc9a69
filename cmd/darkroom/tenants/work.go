package tenants

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/time/rate"

	"darkroom/store/queue"
	"darkroom/store/seal"
	"darkroom/store/tenants"
)

// A job whose workspace has removed the app waits until somebody adds it again, or its data is forgotten: at first
// for a moment, since an app is removed to be added anew, and then as long as this.
const (
	goneFirst = 5 * time.Second
	goneMost  = 5 * time.Minute
)

// Work does one job of the queue, in its workspace.
func (m *Tenants) Work(ctx context.Context, d *queue.Delivery) error {
	its, err := m.Of(ctx, d.Tenant)
	if errors.Is(err, tenants.ErrNotInstalled) {
		return m.leftBehind(ctx, d)
	}
	if err == nil {
		if err = its.Work(ctx, d); !errors.Is(err, seal.ErrUnknownKey) {
			return err
		}
	}
	return m.Lookups.Later(ctx, d, err)
}

// lookedUpAgain is after how long a workspace is looked up again that could not be.
const lookedUpAgain = 5 * time.Second

// Lookups says at times that a workspace could not be looked up.
type Lookups struct {
	log     *slog.Logger
	unknown rate.Sometimes
}

// Later has a job wait whose workspace could not be looked up: that uses up no attempt, since nothing is wrong with the
// job. Of a Redis that is away the queue itself knows, and of a job that this process gives back another one.
func (l *Lookups) Later(ctx context.Context, d *queue.Delivery, err error) error {
	if ctx.Err() != nil || queue.Away(err) {
		return err
	}
	l.unknown.Do(func() {
		l.log.WarnContext(ctx, "workspace not looked up: its jobs wait", "workspace", d.Tenant, "job", d.ID, "kind", d.Kind, "err", err)
	})
	return queue.Wait(lookedUpAgain)
}

// leftBehind is what becomes of a job whose workspace has removed the app: it is dropped with the workspace's data when
// that was forgotten since, and else waits until somebody adds the app again.
func (m *Tenants) leftBehind(ctx context.Context, d *queue.Delivery) error {
	c, err := StoreOf(m.shared.Redis, d.Tenant).Connection.Read(ctx)
	if err != nil {
		return err
	}
	if c.Forgot(d.PutAt) {
		m.shared.Log.InfoContext(ctx, "job dropped with its workspace's data", "workspace", d.Tenant, "job", d.ID, "kind", d.Kind)
		return nil
	}
	return queue.Wait(min(goneFirst<<min(d.Deliveries-1, 8), goneMost))
}

// Died has the person told whose job cannot succeed.
func (m *Tenants) Died(ctx context.Context, letter queue.DeadLetter) error {
	its, err := m.Of(ctx, letter.Tenant)
	if errors.Is(err, tenants.ErrNotInstalled) {
		return nil // there is nobody to tell any more
	}
	if err != nil {
		return err
	}
	return its.Died(ctx, letter)
}
