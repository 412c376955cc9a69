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

// Tokens are the tokens of all installations, and what renews them.
type Tokens struct {
	directory *tenants.Directory
	oauth     *install.OAuth
	polls     *Shards // which do the renewals' jobs
	lookups   *Lookups
	log       *slog.Logger

	mu     sync.Mutex
	tokens map[string]tokenSource // by installation
}

// tokenSource is one of an installation that was made at a time.
type tokenSource struct {
	*client.TokenSource
	at time.Time
}

// Source is where the token of an installation comes from, one for all of its workspaces. Of one that was made anew it
// is another: what the one before remembers for some seconds is a token of other permissions, or of nobody.
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

// tokenOf is the token of an installation.
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

// keepOnlyUsed is called when a question has been answered: where nobody had use for the source of a token before,
// nobody has now.
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

// forget has the token of an installation read anew.
func (m *Tokens) forget(installation string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.tokens, installation)
}
