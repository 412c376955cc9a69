package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/errgroup"

	"darkroom/bot"
	"darkroom/store"
)

// Slack takes a refresh token again for a short time after it was used, so that an answer may be lost. Whoever renews a
// token says so before, and what a process that died left undone is done again by whoever lives, within that time, also
// of a workspace that nobody uses.

const (
	renewalsLook = 5 * time.Second // how often a replica looks for what others left undone
	renewalsMost = 32              // at once
	renewalTime  = time.Second     // for one of them; Slack's answer is not waited for
)

// finishRenewals has tokens renewed that somebody began to renew, until ctx ends.
func (m *many) finishRenewals(ctx context.Context) error {
	for {
		if err := m.unfinished(ctx); err != nil && ctx.Err() == nil {
			m.app.log.DebugContext(ctx, "it is not known which renewals of tokens are not finished", "err", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(renewalsLook + rand.N(renewalsLook/5)): //nolint:gosec // it is no secret
		}
	}
}

// unfinished begins to renew them. Those that another replica is just renewing cost nothing: it has the lock.
func (m *many) unfinished(ctx context.Context) error {
	ids, err := m.directory.Unfinished(ctx)
	if err != nil {
		return err
	}
	var all errgroup.Group
	all.SetLimit(renewalsMost)
	for _, id := range ids {
		all.Go(func() error {
			ctx, cancel := context.WithTimeout(ctx, renewalTime)
			defer cancel()
			i, err := m.directory.Known(ctx, id)
			if err != nil {
				m.app.log.DebugContext(ctx, "a renewal of a token is not finished", "installation", id, "err", err)
				return nil
			}
			_, _ = m.source(i).Token(ctx) // which renews it, and says itself what went wrong
			return nil
		})
	}
	return all.Wait()
}

// refresh asks Slack for the next pair of tokens, as the directory wants it.
func (m *many) refresh(ctx context.Context, refresh string) (token, next string, expires time.Time, err error) {
	token, next, expires, err = m.oauth.Refresh(ctx, refresh)
	if _, limited := bot.RetryAfter(err); limited || errors.Is(err, bot.ErrToken) || errors.Is(err, bot.ErrApp) {
		err = fmt.Errorf("%w: %w", store.ErrRefused, err)
	}
	return token, next, expires, err
}

// finishRenewals does it for an app for many, until ctx ends.
func (a *app) finishRenewals(ctx context.Context) error {
	if a.many == nil {
		<-ctx.Done()
		return nil
	}
	return a.many.finishRenewals(ctx)
}

// awaitRenewals waits until tokens that are being renewed are kept.
func (a *app) awaitRenewals(until time.Time) {
	if a.many == nil {
		return
	}
	ctx, cancel := context.WithDeadline(context.Background(), until)
	defer cancel()
	if err := a.many.directory.Wait(ctx); err != nil {
		a.log.Warn("stopped before slack had renewed a token: whoever runs next asks for it again", "err", err)
	}
}
