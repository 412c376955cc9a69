package store

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"darkroom/store/queue"
	"darkroom/store/script"
)

var (
	// ErrNoRefresh says that an installation has nothing to renew its token with.
	ErrNoRefresh = errors.New("nothing to renew the token with")

	errSealed = errors.New("what was sealed is not what belongs there")
)

const (
	renewTime  = 20 * time.Second       // for Slack to answer
	renewLease = 30 * time.Second       // longer, so that two never ask at the same time
	renewLook  = 100 * time.Millisecond // how often who waits looks whether it is done
	renewKeep  = 8 * time.Second        // how long it is tried to keep what Slack gave
)

// Refresh asks Slack for the next pair of tokens; expires is when that token does.
type Refresh func(ctx context.Context, refresh string) (token, next string, expires time.Time, err error)

// renewed is what a refresh token was exchanged for.
type renewed struct {
	of          string
	token, next string
	expires     time.Time
}

// Renew exchanges the token of an installation, as the caller knows it, for a new one, and returns the installation
// with it. One replica at a time asks Slack, and the others wait for its answer; when the token is another by now, nobody
// is asked. What Slack gave is kept before anybody uses it. When it cannot be kept, this process
// remembers it for its next try; an answer that was lost costs nothing but a second try while Slack still takes the
// same refresh token, which is for a short time. Nothing that fails here changes what is kept.
func (d *Directory) Renew(ctx context.Context, old Installation, refresh Refresh) (Installation, error) {
	lock := renewLock{d, d.key(old.ID, "lock", "renew"), rand.Text()}
	defer lock.release(ctx)
	for {
		held, err := lock.hold(ctx)
		if err != nil {
			return Installation{}, about("installation", old.ID, err)
		}
		now, err := d.Known(ctx, old.ID)
		switch {
		case err != nil:
			return Installation{}, err
		case !now.Gone.IsZero():
			return Installation{}, about("installation", old.ID, ErrNotInstalled)
		case now.Token != old.Token: // somebody was faster
			return asFor(now, old), nil
		case now.Refresh == "":
			return Installation{}, about("installation", old.ID, ErrNoRefresh)
		case held:
			now, err = d.renew(ctx, now, refresh)
			return asFor(now, old), about("installation", old.ID, err)
		}
		select {
		case <-ctx.Done():
			return Installation{}, about("installation", old.ID, ctx.Err())
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

// renew asks Slack and keeps the answer.
func (d *Directory) renew(ctx context.Context, now Installation, refresh Refresh) (Installation, error) {
	pair, have := d.unkept(now)
	if !have {
		asking, cancel := context.WithTimeout(ctx, renewTime)
		defer cancel()
		token, next, expires, err := refresh(asking, now.Refresh)
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
	i, err := d.Known(ctx, now.ID)
	if err == nil && !i.Gone.IsZero() {
		err = ErrNotInstalled
	}
	return i, err
}

// unkept is what this process got for an installation and could not keep.
func (d *Directory) unkept(now Installation) (renewed, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	pair, have := d.unsaved[now.ID]
	return pair, have && pair.of == now.Refresh
}

func (d *Directory) remember(id string, pair renewed) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.unsaved[id] = pair
}

// keep writes a new pair in place of the one that it was given for, whoever waits for it.
func (d *Directory) keep(ctx context.Context, id string, pair renewed) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), renewKeep)
	defer cancel()
	for {
		err := d.edit(ctx, id, installationDoc, func(raw string) (string, error) { return d.withPair(id, raw, pair) })
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
func (d *Directory) withPair(id, raw string, pair renewed) (string, error) {
	i, err := d.parseInstallation(id, raw)
	if err != nil || !i.Gone.IsZero() || i.Refresh != pair.of {
		return raw, err
	}
	i.Token, i.Refresh, i.Expires = pair.token, pair.next, pair.expires
	return d.sealInstallation(i), nil
}

// renewLock lets one replica at a time renew an installation's token.
type renewLock struct {
	d           *Directory
	key, holder string
}

func (l renewLock) hold(ctx context.Context) (bool, error) {
	code, err := scripts.Run(ctx, l.d.rdb, "acquire", script.Keys{"key": l.key}, script.Args{"holder": l.holder, "life": renewLease}).Int()
	return code == 1, err
}

// release gives it up, if it is ours; one that cannot be given up expires.
func (l renewLock) release(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	_ = scripts.Run(ctx, l.d.rdb, "release", script.Keys{"key": l.key}, script.Args{"holder": l.holder}).Err()
}
