package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/bot"
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

// renewing has a job look after the renewal of an installation's token before ask asks Slack.
func (m *many) renewing(installation string, ask tenants.Refresh) tenants.Refresh {
	return func(ctx context.Context, refresh string) (token, next string, expires time.Time, err error) {
		if err := m.wakeTimed(ctx, installation, renewalJob); err != nil {
			return "", "", time.Time{}, err
		}
		return ask(ctx, refresh)
	}
}

// workRenewal is one delivery of that job. Nobody is asked while another replica is still renewing: it has the lock.
func (m *many) workRenewal(ctx context.Context, d *queue.Delivery) error {
	i, err := m.directory.Installations.Known(ctx, d.Tenant)
	switch {
	case errors.Is(err, tenants.ErrNotInstalled):
		return nil
	case err != nil:
		return m.app.lookedUpLater(ctx, d, err)
	case i.Renewing.IsZero(), !i.Gone.IsZero():
		return nil
	}
	if left := renewalsLook - d.Now().Sub(i.Renewing); left > 0 {
		return queue.Wait(min(left, renewalsLook))
	}
	asking, cancel := context.WithTimeout(ctx, renewalTime)
	defer cancel()
	_, _ = m.source(i).Token(asking) // it renews the token, and logs what went wrong
	return ended(ctx, queue.Wait(renewalsLook))
}

// refresh asks Slack for the next pair of tokens, as the directory wants it.
func (m *many) refresh(ctx context.Context, refresh string) (token, next string, expires time.Time, err error) {
	token, next, expires, err = m.oauth.Refresh(ctx, refresh)
	if _, limited := bot.RetryAfter(err); limited || errors.Is(err, bot.ErrToken) || errors.Is(err, bot.ErrApp) {
		err = fmt.Errorf("%w: %w", tenants.ErrRefused, err)
	}
	return token, next, expires, err
}

// awaitRenewals waits until tokens that are being renewed are kept.
func (a *app) awaitRenewals(until time.Time) {
	if a.many == nil {
		return
	}
	ctx, cancel := context.WithDeadline(context.Background(), until)
	defer cancel()
	if err := a.many.directory.Renewals.Wait(ctx); err != nil {
		a.log.Warn("stopped before slack had renewed a token: whoever runs next asks for it again", "err", err)
	}
}
