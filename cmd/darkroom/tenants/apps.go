package tenants

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jellydator/ttlcache/v3"
	"golang.org/x/sync/singleflight"

	"darkroom/cmd/darkroom/workspace"
	"darkroom/store/tenants"
)

// Apps are the workspaces in use: what they have of their own is kept for a while.
type Apps struct {
	directory *tenants.Directory
	makes     *maker
	polls     *Polls
	tokens    *Tokens
	warm      *ttlcache.Cache[string, *warm]
	flight    singleflight.Group
}

func newApps(makes *maker, polls *Polls) *Apps {
	return &Apps{
		directory: makes.directory, makes: makes, polls: polls, tokens: makes.tokens,
		warm: ttlcache.New(ttlcache.WithCapacity[string, *warm](warmApps), ttlcache.WithTTL[string, *warm](warmFor)),
	}
}

// warm is what a workspace has that was in use lately.
type warm struct {
	*workspace.App
	installation string    // by which the app is there
	at           time.Time // when it was made: who adds the app again may get another bot user, and other permissions
	checkedUntil time.Time // until when it is believed that it still is
}

// Of returns what a workspace has of its own. The error is [tenants.ErrNotInstalled] when the app is not there, and when id names
// no workspace: all workspaces of an organisation would share that of its id.
func (m *Apps) Of(ctx context.Context, id string) (*workspace.App, error) {
	if !strings.HasPrefix(id, "T") {
		return nil, fmt.Errorf("%w: no workspace is named", tenants.ErrNotInstalled)
	}
	if kept := m.warm.Get(id); kept != nil && time.Now().Before(kept.Value().checkedUntil) {
		return kept.Value().App, nil
	}
	done := m.flight.DoChan(id, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return m.open(ctx, id)
	})
	select {
	case got := <-done:
		r, _ := got.Val.(*workspace.App)
		return r, got.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// open asks the directory, and makes what a workspace has of its own when it is not kept.
func (m *Apps) open(ctx context.Context, id string) (*workspace.App, error) {
	installed, err := m.directory.Installations.Installed(ctx, id)
	if err != nil {
		m.Drop(id)
		return nil, err
	}
	checkedUntil := time.Now().Add(checkedFor)
	kept := m.warm.Get(id)
	if kept != nil && kept.Value().installation == installed.ID && kept.Value().at.Equal(installed.At) {
		m.warm.Set(id, &warm{kept.Value().App, installed.ID, installed.At, checkedUntil}, ttlcache.DefaultTTL)
		return kept.Value().App, nil
	}
	if kept != nil {
		m.polls.drop(id)
	}
	r, err := workspace.New(m.makes.tenant(id, installed), m.makes.connecting(id))
	if err != nil {
		return nil, err
	}
	r.Router.LimitHandlers(placesOfOne)
	m.warm.Set(id, &warm{r, installed.ID, installed.At, checkedUntil}, ttlcache.DefaultTTL)
	return r, nil
}

// Forget has what a workspace has of its own, and its token, made anew.
func (m *Apps) Forget(id string) {
	m.Drop(id)
	m.polls.drop(id)
	m.tokens.forget(id)
}

// Drop has what a workspace has of its own made anew.
func (m *Apps) Drop(id string) { m.warm.Delete(id) }
