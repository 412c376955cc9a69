package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/bot"
	"darkroom/store/tenants"
)

// The events by which Slack tells where the app is come in any order, and more than once: what is older than what is
// known changes nothing.

// removed notes that somebody removed the app from their workspace, or from their organisation.
func (m *many) removed(ctx context.Context, q bot.Request) (bot.Reply, error) {
	return bot.Reply{}, m.goes(ctx, q)
}

// revoked notes that Slack has revoked the app's token. The event may name tokens of people: the app has none. It may
// name another bot user, such as the app had before it was added again: then Slack is asked about ours.
func (m *many) revoked(ctx context.Context, q bot.Request) (bot.Reply, error) {
	bots := q.RevokedBots()
	if len(bots) == 0 {
		return bot.Reply{}, nil
	}
	ours, err := m.botUser(ctx, m.theirs(q), q.Enterprise)
	if err != nil {
		return bot.Reply{}, err
	}
	if !slices.Contains(bots, ours) {
		m.remover.soon(ctx, cmp.Or(q.Enterprise, m.theirs(q)))
		m.remover.soon(ctx, m.theirs(q))
		return bot.Reply{}, nil
	}
	return bot.Reply{}, m.goes(ctx, q)
}

// botUser is who the app is in a workspace, by itself or else by its organisation; "": that is not known.
func (m *many) botUser(ctx context.Context, ids ...string) (string, error) {
	for _, id := range ids {
		if id == "" {
			continue
		}
		if e, _, err := m.directory.Entries.Entry(ctx, id); err != nil || e.BotUser != "" {
			return e.BotUser, err
		}
	}
	return "", nil
}

// granted notes that an organisation has the app in more of its workspaces.
func (m *many) granted(ctx context.Context, q bot.Request) (bot.Reply, error) {
	for _, id := range q.Teams() {
		if err := m.directory.Installations.Grant(ctx, id, q.Enterprise, q.At); err != nil {
			return bot.Reply{}, err
		}
		m.forget(id)
	}
	return bot.Reply{}, nil
}

// withdrawn notes that it has the app in fewer.
func (m *many) withdrawn(ctx context.Context, q bot.Request) (bot.Reply, error) {
	for _, id := range q.Teams() {
		changed, err := m.directory.Installations.Withdraw(ctx, id, q.Enterprise, q.At)
		if err != nil {
			return bot.Reply{}, err
		}
		if changed {
			m.left(ctx, id)
		}
	}
	return bot.Reply{}, nil
}

// met tells whether a workspace that nobody knew has the app by its organisation. An event says so; what people do names
// their own workspace at times, which may be a stranger's.
func (m *many) met(ctx context.Context, q bot.Request) bool {
	if !q.Certain {
		return false
	}
	has, err := m.directory.Installations.Meet(ctx, q.Team, q.Enterprise, q.At)
	if err != nil {
		m.app.log.WarnContext(ctx, "an organisation's workspace is not noted", "workspace", q.Team, "err", err)
	}
	return has
}

// goes notes that the app is no longer where an event says. One without authorizations may be of all of an organisation
// though it names the workspace by which it came: when that has no token of its own, Slack is asked about the
// organisation's.
func (m *many) goes(ctx context.Context, q bot.Request) error {
	id, doubt := m.theirs(q), false
	if id != q.Enterprise && q.Enterprise != "" {
		e, _, err := m.directory.Entries.Entry(ctx, id)
		if err != nil {
			return err
		}
		doubt = e.Token == tenants.SealedNone
	}
	if err := m.leave(ctx, id, q.At); err != nil {
		return err
	}
	if doubt {
		m.remover.soon(ctx, q.Enterprise)
	}
	return nil
}

// theirs is the installation that an event is of.
func (m *many) theirs(q bot.Request) string {
	if q.OrgWide && q.Enterprise != "" || q.Team == "" {
		return q.Enterprise
	}
	return q.Team
}

// leave notes that the app is no longer where it was.
func (m *many) leave(ctx context.Context, id string, at time.Time) error {
	if err := m.directory.Installations.Leave(ctx, id, at); err != nil {
		return err
	}
	m.left(ctx, id)
	return nil
}

// left has what is known to have left looked after.
func (m *many) left(ctx context.Context, id string) {
	m.forget(id)
	m.remover.soon(ctx, id)
	m.app.log.InfoContext(ctx, "app removed", "installation", id)
}

// tokenSource is one of an installation that was made at a time.
type tokenSource struct {
	*bot.TokenSource
	at time.Time
}

// source is where the token of an installation comes from, one for all of its workspaces. Of one that was made anew it
// is another: what the one before remembers for some seconds is a token of other permissions, or of nobody.
func (m *many) source(by tenants.Installation) *bot.TokenSource {
	installation := by.ID
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.tokens[installation]; s.TokenSource != nil && s.at.Equal(by.At) {
		return s.TokenSource
	}
	s := bot.NewTokenSource(bot.TokenSourceConfig{
		Read: func(ctx context.Context) (bot.Token, error) {
			i, err := m.directory.Installations.Known(ctx, installation)
			return tokenOf(i, err)
		},
		Renew: func(ctx context.Context, old bot.Token) (bot.Token, error) {
			i, err := m.directory.Renewals.Renew(ctx, tenants.Installation{ID: installation, Token: old.Text}, m.renewing(installation, m.refresh))
			return tokenOf(i, err)
		},
		Log: m.app.log.With("installation", installation),
	})
	m.tokens[installation] = tokenSource{s, by.At}
	return s
}

// tokenOf is the token of an installation.
func tokenOf(i tenants.Installation, err error) (bot.Token, error) {
	switch {
	case errors.Is(err, tenants.ErrNotInstalled), err == nil && !i.Gone.IsZero():
		return bot.Token{}, fmt.Errorf("%w: the app was removed", bot.ErrToken)
	case err != nil:
		return bot.Token{}, err
	}
	since := i.At
	if i.Renewed.After(since) {
		since = i.Renewed
	}
	return bot.Token{Text: i.Token, Expires: i.Expires, Renewable: i.Refresh != "", Since: since, Due: !i.Renewing.IsZero()}, nil
}

// keep keeps what Slack gave when somebody added the app.
func (m *many) keep(ctx context.Context, g bot.Grant) error {
	err := m.directory.Installations.Install(ctx, tenants.Installation{
		ID: g.ID(), Team: g.Team, Enterprise: g.Enterprise, Name: g.Name(), AppID: g.AppID, BotUser: g.BotUser, Scopes: g.Scopes,
		OrgWide: g.OrgWide, Token: g.Token, Refresh: g.Refresh, Expires: g.Expires, By: g.By, At: time.Now(),
	})
	if err != nil {
		return err
	}
	m.forget(g.ID())
	if g.Team == "" {
		return nil // the polls of an organisation's workspaces look for it themselves
	}
	return storeOf(m.app.rdb, g.Team).Connection.WakePoll(ctx, false)
}
