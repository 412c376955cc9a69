package tenants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/bot/client"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

// Slack accepts a refresh token again for a short time after its use, in case the answer was lost. A process notes a
// renewal before it asks. If it dies, another process repeats the renewal within that time, even if nobody uses the
// workspace.

const (
	renewalsLook = 5 * time.Second // between two looks at a renewal under way
	renewalTime  = time.Second     // for one look; it does not wait for Slack's answer
)

// Renewing puts the job that watches the renewal of an installation's token, before ask asks Slack.
func (m *Tokens) Renewing(installation string, ask tenants.Refresh) tenants.Refresh {
	return func(ctx context.Context, refresh string) (token, next string, expires time.Time, err error) {
		if err := m.polls.wakeTimed(ctx, installation, renewalJob); err != nil {
			return "", "", time.Time{}, err
		}
		return ask(ctx, refresh)
	}
}

// workRenewal does that job. While another replica renews the token, that replica has the lock, and this one does not
// ask Slack.
func (m *Tokens) workRenewal(ctx context.Context, d *queue.Delivery) error {
	i, err := m.directory.Installations.Known(ctx, d.Tenant)
	switch {
	case errors.Is(err, tenants.ErrNotInstalled):
		return nil
	case err != nil:
		return m.lookups.Later(ctx, d, err)
	case i.Renewing.IsZero(), !i.Gone.IsZero():
		return nil
	}
	if left := renewalsLook - d.Now().Sub(i.Renewing); left > 0 {
		return queue.Wait(min(left, renewalsLook))
	}
	asking, cancel := context.WithTimeout(ctx, renewalTime)
	defer cancel()
	_, _ = m.Source(i).Token(asking) // it renews the token, and logs failures
	return cmp.Or(ctx.Err(), queue.Wait(renewalsLook))
}

// refresh is a [tenants.Refresh].
func (m *Tokens) refresh(ctx context.Context, refresh string) (token, next string, expires time.Time, err error) {
	token, next, expires, err = m.oauth.Refresh(ctx, refresh)
	if _, limited := client.RetryAfter(err); limited || errors.Is(err, client.ErrToken) || errors.Is(err, client.ErrApp) {
		err = fmt.Errorf("%w: %w", tenants.ErrRefused, err)
	}
	return token, next, expires, err
}

// AwaitRenewals waits until all renewals under way have saved their tokens.
func (m *Tenants) AwaitRenewals(until time.Time) {
	ctx, cancel := context.WithDeadline(context.Background(), until)
	defer cancel()
	if err := m.Directory.Renewals.Wait(ctx); err != nil {
		m.shared.Log.Warn("stopped before slack had renewed a token: whoever runs next asks for it again", "err", err)
	}
}
