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

// A job whose workspace has removed the app waits until somebody adds it again, or its data is forgotten. The first wait
// is short, because an app is often removed to be added anew.
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

// lookedUpAgain is the time until a failed look-up of a workspace is repeated.
const lookedUpAgain = 5 * time.Second

// Lookups logs failed look-ups of workspaces, not too often.
type Lookups struct {
	log     *slog.Logger
	unknown rate.Sometimes
}

// Later makes a job wait whose workspace could not be looked up, without using up an attempt. It returns err if Redis is
// away, which the queue handles, or if this process hands the job back.
func (l *Lookups) Later(ctx context.Context, d *queue.Delivery, err error) error {
	if ctx.Err() != nil || queue.Away(err) {
		return err
	}
	l.unknown.Do(func() {
		l.log.WarnContext(ctx, "workspace not looked up: its jobs wait", "workspace", d.Tenant, "job", d.ID, "kind", d.Kind, "err", err)
	})
	return queue.Wait(lookedUpAgain)
}

// leftBehind handles a job whose workspace has removed the app. If the workspace's data was forgotten since, the job is
// dropped; else it waits until somebody adds the app again.
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

// Died notifies the person whose job cannot succeed.
func (m *Tenants) Died(ctx context.Context, letter queue.DeadLetter) error {
	its, err := m.Of(ctx, letter.Tenant)
	if errors.Is(err, tenants.ErrNotInstalled) {
		return nil // nobody can be notified
	}
	if err != nil {
		return err
	}
	return its.Died(ctx, letter)
}
