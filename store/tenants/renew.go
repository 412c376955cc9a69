package tenants

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"darkroom/store/keyspace"
	"darkroom/store/kv"
	"darkroom/store/queue"
)

var (
	// ErrNoRefresh says that an installation has nothing to renew its token with.
	ErrNoRefresh = errors.New("nothing to renew the token with")
	// ErrRefused is for a [Refresh] to say that Slack answered, and gave nothing.
	ErrRefused = errors.New("nothing was renewed")

	errSealed = errors.New("what was sealed is not what belongs there")
)

const (
	renewTime  = 12 * time.Second       // for Slack to answer
	renewLease = 22 * time.Second       // longer than that and keeping it, so that two never ask at the same time; less than Slack takes the old refresh token
	renewLook  = 100 * time.Millisecond // how often who waits looks whether it is done
	renewKeep  = 8 * time.Second        // how long it is tried to keep what Slack gave

	mostRenewals = 1 << 30 // at once: no bound, but what [Renewals.Wait] waits for
)

// Refresh asks Slack for the next pair of tokens; expires is when that token does. An error that is not [ErrRefused]
// leaves it open whether Slack gave one.
type Refresh func(ctx context.Context, refresh string) (token, next string, expires time.Time, err error)

// renewed is what a refresh token was exchanged for.
type renewed struct {
	of          string
	token, next string
	expires     time.Time
}

// Renewals renews the tokens of installations.
type Renewals struct {
	docs          *documents
	installations *Installations

	renewals *semaphore.Weighted // those under way

	mu      sync.Mutex
	unsaved map[string]renewed // see [Renewals.Renew]
}

// Renew exchanges the token of an installation, as the caller knows it, for a new one, and returns the installation
// with it. One replica at a time asks Slack, and the others wait for its answer; when the token is another by now, nobody
// is asked. What Slack gave is kept before anybody uses it. When it cannot be kept, this process
// remembers it for its next try; an answer that was lost costs nothing but a second try while Slack still takes the
// same refresh token, which is for a short time. The installation says that it is being renewed from before refresh is
// called until the pair is kept or Slack refused it, so that another process may finish it. Nothing else that is kept is
// changed by what fails here.
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

// asFor is an organisation's installation for the workspace that another was for.
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

// renew asks Slack and keeps the answer.
func (d *Renewals) renew(ctx context.Context, lock *kv.Lock, now Installation, refresh Refresh) (Installation, error) {
	pair, have := d.unkept(now)
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
	if err := d.keep(ctx, now.ID, pair); err != nil {
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

// begin notes that an installation is being renewed. The lease begins anew: what went before may have taken its time.
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

// noteRenewing notes since when an installation is being renewed, the zero time being not any more, unless it has
// another pair by now.
func (d *Renewals) noteRenewing(ctx context.Context, of Installation, since time.Time) error {
	return d.docs.edit(ctx, of.ID, installationDoc, func(raw string) (string, error) {
		now, err := d.installations.parseInstallation(of.ID, raw)
		if err != nil || now.Refresh != of.Refresh || now.Renewing.IsZero() == since.IsZero() {
			return raw, err
		}
		var kept keptInstallation
		if err := json.Unmarshal([]byte(raw), &kept); err != nil {
			return "", err
		}
		kept.Renewing = since
		return kv.Encode(kept), nil
	})
}

// unkept is what this process got for an installation and could not keep.
func (d *Renewals) unkept(now Installation) (renewed, bool) {
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

// keep writes a new pair in place of the one that it was given for, whoever waits for it.
func (d *Renewals) keep(ctx context.Context, id string, pair renewed) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewKeep)
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

// withPair is a document with a new pair; one of which the app is gone, or that was installed anew, stays as it is.
func (d *Renewals) withPair(id, raw string, pair renewed) (string, error) {
	i, err := d.installations.parseInstallation(id, raw)
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

// release gives a lock up, if it is ours; one that cannot be given up expires.
func release(ctx context.Context, lock *kv.Lock) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = lock.Release(ctx)
}
