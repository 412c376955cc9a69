package tenants

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"darkroom/bot/client"
	"darkroom/bot/install"
	"darkroom/store/tenants"
)

// Tokens reads and renews the tokens of all installations.
type Tokens struct {
	directory *tenants.Directory
	oauth     *install.OAuth
	polls     *Shards // with the renewals' jobs
	lookups   *Lookups
	log       *slog.Logger

	mu     sync.Mutex
	tokens map[string]tokenSource // by installation
}

// tokenSource is the token source of an installation.
type tokenSource struct {
	*client.TokenSource
	at time.Time // of the installation
}

// Source returns the token source of an installation, which all its workspaces share. A new installation gets a new
// source: the old one still has a token with other permissions, or a revoked one.
func (m *Tokens) Source(by tenants.Installation) *client.TokenSource {
	installation := by.ID
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.tokens[installation]; s.TokenSource != nil && s.at.Equal(by.At) {
		return s.TokenSource
	}
	s := client.NewTokenSource(client.TokenSourceConfig{
		Read: func(ctx context.Context) (client.Token, error) {
			i, err := m.directory.Installations.Known(ctx, installation)
			return tokenOf(i, err)
		},
		Renew: func(ctx context.Context, old client.Token) (client.Token, error) {
			i, err := m.directory.Renewals.Renew(ctx, tenants.Installation{ID: installation, Token: old.Text}, m.Renewing(installation, m.refresh))
			return tokenOf(i, err)
		},
		Log: m.log.With("installation", installation),
	})
	m.tokens[installation] = tokenSource{s, by.At}
	return s
}

// tokenOf returns the token of an installation.
func tokenOf(i tenants.Installation, err error) (client.Token, error) {
	switch {
	case errors.Is(err, tenants.ErrNotInstalled), err == nil && !i.Gone.IsZero():
		return client.Token{}, fmt.Errorf("%w: the app was removed", client.ErrToken)
	case err != nil:
		return client.Token{}, err
	}
	since := i.At
	if i.Renewed.After(since) {
		since = i.Renewed
	}
	return client.Token{Text: i.Token, Expires: i.Expires, Renewable: i.Refresh != "", Since: since, Due: !i.Renewing.IsZero()}, nil
}

// keepOnlyUsed returns a function that drops an installation's token source, unless it was in use before.
func (m *Tokens) keepOnlyUsed(installation string) (done func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, used := m.tokens[installation]; used {
		return func() {}
	}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.tokens, installation)
	}
}

// forget drops the token source of an installation.
func (m *Tokens) forget(installation string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.tokens, installation)
}
