package tenants

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"darkroom/store/keyspace"
	"darkroom/store/kv"
	"darkroom/store/queue"
)

var (
	// ErrNoRefresh says that an installation has no refresh token.
	ErrNoRefresh = errors.New("nothing to renew the token with")
	// ErrRefused is returned by a [Refresh] if Slack refused to renew the token.
	ErrRefused = errors.New("nothing was renewed")

	errSealed = errors.New("what was sealed is not what belongs there")
)

const (
	renewTime  = 12 * time.Second       // for Slack to answer
	renewLease = 22 * time.Second       // more than renewTime and renewSave, so that two never ask at once; less than Slack accepts the old refresh token
	renewLook  = 100 * time.Millisecond // between two looks of a waiting caller
	renewSave  = 8 * time.Second        // for saving the new tokens

	mostRenewals = 1 << 30 // practically unbounded; [Renewals.Wait] acquires them all
)

// Refresh asks Slack for the next pair of tokens; expires is when token expires. After an error other than [ErrRefused]
// Slack may have renewed the token or not.
type Refresh func(ctx context.Context, refresh string) (token, next string, expires time.Time, err error)

// renewed is a new pair of tokens.
type renewed struct {
	of          string // the refresh token that was exchanged for it
	token, next string
	expires     time.Time
}

// Renewals renews the tokens of installations.
type Renewals struct {
	docs          *documents
	installations *Installations

	renewals *semaphore.Weighted // the renewals under way

	mu      sync.Mutex
	unsaved map[string]renewed // by installation; see [Renewals.Renew]
}

// Renew renews the token of an installation, and returns the installation with the new token. One replica at a time asks
// Slack, and the others wait for its answer. If the saved token is not old's, Renew returns the saved one.
//
// The new pair is saved before it is used. If saving fails, this process remembers the pair for its next try. A lost
// answer costs a second request: Slack accepts the same refresh token for a short time. The field Renewing is set before
// the call of refresh, until the pair is saved or Slack refuses it. So another process may finish the renewal. A failed
// renewal changes no other field.
func (d *Renewals) Renew(ctx context.Context, old Installation, refresh Refresh) (Installation, error) {
	if err := d.renewals.Acquire(ctx, 1); err != nil {
		return Installation{}, kv.About("installation", old.ID, err)
	}
	defer d.renewals.Release(1)
	lock := d.lock(old.ID)
	defer release(ctx, lock)
	for {
		held, err := lock.Hold(ctx)
		if err != nil {
			return Installation{}, kv.About("installation", old.ID, err)
		}
		now, err := d.installations.Known(ctx, old.ID)
		switch {
		case err != nil:
			return Installation{}, err
		case !now.Gone.IsZero():
			return Installation{}, kv.About("installation", old.ID, ErrNotInstalled)
		case now.Token != old.Token: // somebody was faster
			return asFor(now, old), nil
		case now.Refresh == "":
			return Installation{}, kv.About("installation", old.ID, ErrNoRefresh)
		case held:
			now, err = d.renew(ctx, lock, now, refresh)
			return asFor(now, old), kv.About("installation", old.ID, err)
		}
		select {
		case <-ctx.Done():
			return Installation{}, kv.About("installation", old.ID, ctx.Err())
		case <-time.After(renewLook):
		}
	}
}

// asFor returns an organisation's installation for the workspace that other was for.
func asFor(i, other Installation) Installation {
	if i.OrgWide {
		i.Team = other.Team
	}
	return i
}

// Wait waits until no renewal is under way in this process, and lets none begin meanwhile.
func (d *Renewals) Wait(ctx context.Context) error {
	if err := d.renewals.Acquire(ctx, mostRenewals); err != nil {
		return err
	}
	d.renewals.Release(mostRenewals)
	return nil
}

// renew asks Slack and saves the answer.
func (d *Renewals) renew(ctx context.Context, lock *kv.Lock, now Installation, refresh Refresh) (Installation, error) {
	pair, have := d.unsavedPair(now)
	if !have {
		if err := d.begin(ctx, lock, now); err != nil {
			return Installation{}, err
		}
		asking, cancel := context.WithTimeout(ctx, renewTime)
		defer cancel()
		token, next, expires, err := refresh(asking, now.Refresh)
		if errors.Is(err, ErrRefused) {
			return Installation{}, errors.Join(err, d.noteRenewing(ctx, now, time.Time{}))
		}
		if err != nil {
			return Installation{}, err
		}
		pair = renewed{of: now.Refresh, token: token, next: next, expires: expires}
		d.remember(now.ID, pair)
	}
	if err := d.save(ctx, now.ID, pair); err != nil {
		return Installation{}, err
	}
	d.mu.Lock()
	delete(d.unsaved, now.ID)
	d.mu.Unlock()
	i, err := d.installations.Known(ctx, now.ID)
	if err == nil && !i.Gone.IsZero() {
		err = ErrNotInstalled
	}
	return i, err
}

// begin notes that an installation is being renewed. It renews the lease, which may have been waiting for long.
func (d *Renewals) begin(ctx context.Context, lock *kv.Lock, now Installation) error {
	if err := d.noteRenewing(ctx, now, time.Now().UTC()); err != nil {
		return err
	}
	held, err := lock.Hold(ctx)
	if err == nil && !held {
		err = errContended
	}
	return err
}

// noteRenewing saves since when an installation is being renewed, unless it has another pair by now. The zero time
// ends the renewal.
func (d *Renewals) noteRenewing(ctx context.Context, of Installation, since time.Time) error {
	return d.docs.edit(ctx, of.ID, installationDoc, func(raw string) (string, error) {
		saved, err := decodeInstallation(raw)
		if err != nil || raw == "" {
			return raw, cmp.Or(err, ErrNotInstalled)
		}
		now, err := d.installations.openInstallation(of.ID, saved)
		if err != nil || now.Refresh != of.Refresh || now.Renewing.IsZero() == since.IsZero() {
			return raw, err
		}
		saved.Renewing = since
		return kv.Encode(saved), nil
	})
}

// unsavedPair returns a new pair for an installation that this process could not save.
func (d *Renewals) unsavedPair(now Installation) (renewed, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	pair, have := d.unsaved[now.ID]
	return pair, have && pair.of == now.Refresh
}

func (d *Renewals) remember(id string, pair renewed) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unsaved[id] = pair
}

// save replaces the pair that was renewed by the new one, even if the caller's context ends.
func (d *Renewals) save(ctx context.Context, id string, pair renewed) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewSave)
	defer cancel()
	for {
		err := d.docs.edit(ctx, id, installationDoc, func(raw string) (string, error) { return d.withPair(id, raw, pair) })
		if err == nil || !queue.Away(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(renewLook):
		}
	}
}

// withPair returns a document with a new pair. If the app was removed or installed anew, the document stays as it is.
func (d *Renewals) withPair(id, raw string, pair renewed) (string, error) {
	saved, err := decodeInstallation(raw)
	if err != nil || raw == "" {
		return raw, cmp.Or(err, ErrNotInstalled)
	}
	i, err := d.installations.openInstallation(id, saved)
	if err != nil || !i.Gone.IsZero() || i.Refresh != pair.of {
		return raw, err
	}
	i.Token, i.Refresh, i.Expires, i.Renewed, i.Renewing = pair.token, pair.next, pair.expires, time.Now().UTC(), time.Time{}
	return d.installations.sealInstallation(i), nil
}

// lock lets one replica at a time renew the token of an installation.
func (d *Renewals) lock(id string) *kv.Lock {
	return kv.DB{Redis: d.docs.rdb, Space: keyspace.OfWorkspace(id)}.Lock("renew", renewLease)
}

// release releases a lock that this candidate has. If Redis is away, the lock expires.
func release(ctx context.Context, lock *kv.Lock) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = lock.Release(ctx)
}
