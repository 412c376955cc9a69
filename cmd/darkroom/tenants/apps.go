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

// Apps opens the apps of workspaces, and caches them for a while.
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

// warm is the cached app of a workspace.
type warm struct {
	*workspace.App
	installation string    // the id of the installation that it was made from
	at           time.Time // of that installation: adding the app again may change its bot user and permissions
	checkedUntil time.Time // when to check the installation again
}

// Of returns the app of a workspace, or [tenants.ErrNotInstalled]. It refuses the id of an organisation, because all its
// workspaces would share one app.
func (m *Apps) Of(ctx context.Context, id string) (*workspace.App, error) {
	if !strings.HasPrefix(id, "T") {
		return nil, fmt.Errorf("%w: no workspace is named", tenants.ErrNotInstalled)
	}
	if cached := m.warm.Get(id); cached != nil && time.Now().Before(cached.Value().checkedUntil) {
		return cached.Value().App, nil
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

// open asks the directory, and makes a workspace's app unless it is cached.
func (m *Apps) open(ctx context.Context, id string) (*workspace.App, error) {
	installed, err := m.directory.Installations.Installed(ctx, id)
	if err != nil {
		m.Drop(id)
		return nil, err
	}
	checkedUntil := time.Now().Add(checkedFor)
	cached := m.warm.Get(id)
	if cached != nil && cached.Value().installation == installed.ID && cached.Value().at.Equal(installed.At) {
		m.warm.Set(id, &warm{cached.Value().App, installed.ID, installed.At, checkedUntil}, ttlcache.DefaultTTL)
		return cached.Value().App, nil
	}
	if cached != nil {
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

// Forget drops a workspace's app, poller and token from the caches.
func (m *Apps) Forget(id string) {
	m.Drop(id)
	m.polls.drop(id)
	m.tokens.forget(id)
}

// Drop drops a workspace's app from the cache.
func (m *Apps) Drop(id string) { m.warm.Delete(id) }
