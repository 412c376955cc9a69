package tenants

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/bot"
	"darkroom/bot/install"
	"darkroom/store/tenants"
)

// Installations records where the app is installed: people add it, and Slack's events report removals and grants.
type Installations struct {
	directory *tenants.Directory
	apps      *Apps
	remover   *Remover
	redis     redis.UniversalClient
	log       *slog.Logger
}

// These events of Slack come in any order, and more than once. An event that is older than the recorded state changes
// nothing.

// removed notes that somebody removed the app from their workspace or organisation.
func (m *Installations) removed(ctx context.Context, q bot.Request) (bot.Reply, error) {
	return bot.Reply{}, m.goes(ctx, q)
}

// Revoked notes that Slack has revoked the app's token. It ignores tokens of people. The event may name another bot
// user, such as an earlier one of the app: then Slack is asked about the present token.
func (m *Installations) Revoked(ctx context.Context, q bot.Request) (bot.Reply, error) {
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

// botUser returns the app's bot user in the first of these workspaces and organisations that has one; "": not known.
func (m *Installations) botUser(ctx context.Context, ids ...string) (string, error) {
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
func (m *Installations) granted(ctx context.Context, q bot.Request) (bot.Reply, error) {
	for _, id := range q.Teams() {
		if err := m.directory.Installations.Grant(ctx, id, q.Enterprise, q.At); err != nil {
			return bot.Reply{}, err
		}
		m.apps.Forget(id)
	}
	return bot.Reply{}, nil
}

// withdrawn notes that an organisation took the app from some of its workspaces.
func (m *Installations) withdrawn(ctx context.Context, q bot.Request) (bot.Reply, error) {
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

// met reports whether an unknown workspace has the app by its organisation. Only events prove that: a person's request
// may name their own workspace, which may be a stranger's.
func (m *Installations) met(ctx context.Context, q bot.Request) bool {
	if !q.Certain {
		return false
	}
	has, err := m.directory.Installations.Meet(ctx, q.Team, q.Enterprise, q.At)
	if err != nil {
		m.log.WarnContext(ctx, "an organisation's workspace is not noted", "workspace", q.Team, "err", err)
	}
	return has
}

// goes notes that the app was removed, as an event says. An event without authorizations may concern a whole organisation
// although it names a workspace. If that workspace has no token of its own, Slack is asked about the organisation's.
func (m *Installations) goes(ctx context.Context, q bot.Request) error {
	id, unsure := m.theirs(q), false
	if id != q.Enterprise && q.Enterprise != "" {
		e, _, err := m.directory.Entries.Entry(ctx, id)
		if err != nil {
			return err
		}
		unsure = e.Token == tenants.SealedNone
	}
	if err := m.Leave(ctx, id, q.At); err != nil {
		return err
	}
	if unsure {
		m.remover.soon(ctx, q.Enterprise)
	}
	return nil
}

// theirs returns the id of the installation that an event concerns.
func (m *Installations) theirs(q bot.Request) string {
	if q.OrgWide && q.Enterprise != "" || q.Team == "" {
		return q.Enterprise
	}
	return q.Team
}

// Leave notes that the app was removed from a workspace or an organisation.
func (m *Installations) Leave(ctx context.Context, id string, at time.Time) error {
	if err := m.directory.Installations.Leave(ctx, id, at); err != nil {
		return err
	}
	m.left(ctx, id)
	return nil
}

// left forgets the cached app of an installation that was removed, and wakes the job that forgets its data.
func (m *Installations) left(ctx context.Context, id string) {
	m.apps.Forget(id)
	m.remover.soon(ctx, id)
	m.log.InfoContext(ctx, "app removed", "installation", id)
}

// save saves an installation after somebody added the app.
func (m *Installations) save(ctx context.Context, g install.Grant) error {
	err := m.directory.Installations.Install(ctx, tenants.Installation{
		ID: g.ID(), Team: g.Team, Enterprise: g.Enterprise, Name: g.Name(), AppID: g.AppID, BotUser: g.BotUser, Scopes: g.Scopes,
		OrgWide: g.OrgWide, Token: g.Token, Refresh: g.Refresh, Expires: g.Expires, By: g.By, At: time.Now(),
	})
	if err != nil {
		return err
	}
	m.apps.Forget(g.ID())
	if g.Team == "" {
		return nil // the polls of an organisation's workspaces find it by themselves
	}
	return StoreOf(m.redis, g.Team).Connection.WakePoll(ctx, false)
}
