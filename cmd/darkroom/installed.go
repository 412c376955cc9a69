package main

import (
	"context"
	"time"

	"darkroom/bot"
)

// The events by which Slack tells where the app is come in any order, and more than once: what is older than what is
// known changes nothing.

// removed notes that somebody removed the app from their workspace, or from their organisation.
func (m *many) removed(ctx context.Context, q bot.Request) (bot.Reply, error) {
	return bot.Reply{}, m.leave(ctx, m.theirs(q), q.At)
}

// revoked notes that Slack takes the app's token no more. Tokens of people, of which the app has none, are not meant.
func (m *many) revoked(ctx context.Context, q bot.Request) (bot.Reply, error) {
	if len(q.RevokedBots()) == 0 {
		return bot.Reply{}, nil
	}
	return bot.Reply{}, m.leave(ctx, m.theirs(q), q.At)
}

// granted notes that an organisation has the app in more of its workspaces.
func (m *many) granted(ctx context.Context, q bot.Request) (bot.Reply, error) {
	for _, id := range q.Teams() {
		if err := m.directory.Grant(ctx, id, q.Enterprise, q.At); err != nil {
			return bot.Reply{}, err
		}
		m.forget(id)
	}
	return bot.Reply{}, nil
}

// withdrawn notes that it has the app in fewer.
func (m *many) withdrawn(ctx context.Context, q bot.Request) (bot.Reply, error) {
	for _, id := range q.Teams() {
		if err := m.leave(ctx, id, q.At); err != nil {
			return bot.Reply{}, err
		}
	}
	return bot.Reply{}, nil
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
	if err := m.directory.Leave(ctx, id, at); err != nil {
		return err
	}
	m.forget(id)
	m.remover.soon(id, 0)
	m.app.log.InfoContext(ctx, "app removed", "installation", id)
	return nil
}
