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

// Slack takes a refresh token again for a short time after it was used, so that an answer may be lost. Whoever renews a
// token says so before, and what a process that died left undone is done again by whoever lives, within that time, also
// of a workspace that nobody uses.

const (
	renewalsLook = 5 * time.Second // after which a renewal that was begun is looked at, and again
	renewalTime  = time.Second     // for a look; Slack's answer is not waited for
)

// Renewing has a job look after the renewal of an installation's token before ask asks Slack.
func (m *Tokens) Renewing(installation string, ask tenants.Refresh) tenants.Refresh {
	return func(ctx context.Context, refresh string) (token, next string, expires time.Time, err error) {
		if err := m.polls.wakeTimed(ctx, installation, renewalJob); err != nil {
			return "", "", time.Time{}, err
		}
		return ask(ctx, refresh)
	}
}

// workRenewal is one delivery of that job. Nobody is asked while another replica is still renewing: it has the lock.
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
	_, _ = m.Source(i).Token(asking) // it renews the token, and logs what went wrong
	return cmp.Or(ctx.Err(), queue.Wait(renewalsLook))
}

// refresh asks Slack for the next pair of tokens, as the directory wants it.
func (m *Tokens) refresh(ctx context.Context, refresh string) (token, next string, expires time.Time, err error) {
	token, next, expires, err = m.oauth.Refresh(ctx, refresh)
	if _, limited := client.RetryAfter(err); limited || errors.Is(err, client.ErrToken) || errors.Is(err, client.ErrApp) {
		err = fmt.Errorf("%w: %w", tenants.ErrRefused, err)
	}
	return token, next, expires, err
}

// AwaitRenewals waits until tokens that are being renewed are kept.
func (m *Tenants) AwaitRenewals(until time.Time) {
	ctx, cancel := context.WithDeadline(context.Background(), until)
	defer cancel()
	if err := m.Directory.Renewals.Wait(ctx); err != nil {
		m.shared.Log.Warn("stopped before slack had renewed a token: whoever runs next asks for it again", "err", err)
	}
}
