// Package tenants is what an app has for many workspaces: installing and removing it, its tokens and their renewals, the
// workspaces in use and their polls, and what an operator does with them. It adds workspaces and never looks into one:
// package workspace makes what each has of its own.
package tenants

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/bot/install"
	cardsaccount "darkroom/cards/account"
	"darkroom/cards/kit"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/cmd/darkroom/workspace"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/ratelimit"
	"darkroom/store/seal"
	"darkroom/store/tenants"
)

// What a process gives to the workspaces of one app.
const (
	shardWorkers = 32               // jobs at once of each shard
	share        = 16               // of them, and of those that are ready, of one workspace
	placesOfOne  = 64               // requests at once of one workspace
	warmApps     = 1024             // workspaces whose apps are kept: the last used
	warmFor      = 10 * time.Minute // after their last use
	idlePerHost  = 64               // connections to an order service that are kept for the next calls: it may serve all workspaces
	idleInAll    = 512              // and to all of them together
	checkedFor   = 5 * time.Second  // how long it is believed that the app is in a workspace
)

// Tenants is what an app has for many workspaces, each of which adds it with a button: a type for each feature, and the
// parts of Redis that they are in.
type Tenants struct {
	Directory     *tenants.Directory // where the app is
	Queues        *Shards
	PollQueues    *Shards
	Apps          *Apps
	Services      *Services
	Tokens        *Tokens
	Installations *Installations
	Remover       *Remover
	Polls         *Polls
	Lookups       *Lookups
	Install       *install.Handler // the button

	shared *workspace.Shared
	http   *http.Client // to Slack, shared by all
	outage *client.OutageWatch
	moved  string      // the workspace that was alone here before; "": none
	opened atomic.Bool // a secret in Redis opened with ENCRYPTION_KEY
}

// New wires what is there once for all workspaces. Their queues have these options.
func New(s *workspace.Shared, o queue.Options) (*Tenants, error) {
	keys, err := seal.NewKeys(string(s.Config.EncryptionKey))
	if err != nil {
		return nil, fmt.Errorf("ENCRYPTION_KEY: %w", err)
	}
	m := &Tenants{
		shared: s, Directory: tenants.NewDirectory(s.Redis, keys), http: client.HTTPClient(s.Failpoints.Slack()),
		Lookups: &Lookups{log: s.Log, unknown: rate.Sometimes{Interval: lookedUpAgain}}, Queues: &Shards{}, PollQueues: &Shards{},
	}
	m.outage = client.NewOutageWatch(client.OutageWatchConfig{
		APIURL: s.Config.SlackAPIURL, HTTP: m.http, Log: s.Log, Observe: s.Metrics.Slack.Observe,
		OnOutage: func(context.Context, time.Time, time.Time) {}, // the log has it
	})
	for n := range m.Queues {
		o.Keyspace, o.Workers, o.Share = keyspace.Shard(n), shardWorkers, share
		m.Queues[n] = queue.New(s.Redis, o)
		polls := o
		polls.Workers, polls.Idle = pollWorkers, pollIdle
		m.PollQueues[n] = workspace.PollQueue(s.Redis, polls)
	}
	oauth := install.NewOAuth(install.OAuthConfig{
		ClientID: s.Config.SlackClientID, ClientSecret: string(s.Config.SlackClientSecret), APIURL: s.Config.SlackAPIURL,
		HTTP: m.http, Observe: s.Metrics.Slack.Observe,
	})
	m.Tokens = &Tokens{directory: m.Directory, oauth: oauth, polls: m.PollQueues, lookups: m.Lookups, log: s.Log, tokens: map[string]tokenSource{}}
	m.Services = &Services{s, ratelimit.NewAccounts(s.Redis, keyspace.OfAccount, s.Config.UpstreamRate), connections(s)}
	makes := &maker{s, m.Directory, m.Queues, m.Services, m.Tokens, m.http, m.outage}
	m.Polls = newPolls(makes, m.Lookups)
	m.Apps = newApps(makes, m.Polls)
	check := &tokenCheck{m.Directory, m.Tokens, client.Config{APIURL: s.Config.SlackAPIURL, HTTP: m.http, Outage: m.outage, Observe: s.Metrics.Slack.Observe}}
	m.Remover = &Remover{
		directory: m.Directory, queues: m.Queues, polls: m.PollQueues, check: check, apps: m.Apps, redis: s.Redis, log: s.Log, Now: time.Now,
	}
	m.Installations = &Installations{m.Directory, m.Apps, m.Remover, s.Redis, s.Log}
	m.Install = install.New(install.Config{
		PublicURL: s.Config.PublicURL, ClientID: s.Config.SlackClientID, Scopes: manifest.Names(manifest.Scopes), APIURL: s.Config.SlackAPIURL,
		OAuth: oauth, States: m.Directory.States, Save: m.Installations.keep, Log: s.Log,
	})
	return m, nil
}

// Of returns what a workspace has of its own. An address that was made when there was one only names none.
func (m *Tenants) Of(ctx context.Context, id string) (*workspace.App, error) {
	return m.Apps.Of(ctx, cmp.Or(id, m.moved))
}

// Router makes the one that hears all workspaces, and knows what concerns their installations itself.
func (m *Tenants) Router(fallback *bot.Router) *bot.Router {
	r := bot.NewRouter(m.shared.Log)
	r.Trace(m.shared.Tracer)
	r.Dispatch(func(ctx context.Context, q bot.Request) (*bot.Router, error) {
		its, err := m.Heard(ctx, q)
		if err != nil {
			return nil, err
		}
		if answers := q.Kind == bot.KindCommand || q.Kind == bot.KindSubmit; answers && m.tokenLost(ctx, q.Team) {
			return nil, fmt.Errorf("%w: its token is lost", bot.ErrNotOurs)
		}
		return its.Router, nil
	}, fallback)
	r.Unconfirmed(func(ctx context.Context, q bot.Request, sentence string) {
		its, err := m.Heard(ctx, q)
		if err != nil {
			m.shared.Log.WarnContext(ctx, "person not told", "user", q.User, "err", err)
			return
		}
		its.Unconfirmed(ctx, q, sentence)
	})
	r.NotOurs(m.notHere)
	for event, do := range map[string]bot.HandlerFunc{
		"app_uninstalled": m.Installations.removed, "tokens_revoked": m.Installations.Revoked, "team_access_granted": m.Installations.granted, "team_access_revoked": m.Installations.withdrawn,
	} {
		r.Event(event, do)
	}
	return r
}

// tokenWait is how long a request waits to learn whether there is a token.
const tokenWait = time.Second

// tokenLost reports whether the app has to be added to a workspace again. Whoever uses it there is told so in the answer to
// their request, which needs no token.
func (m *Tenants) tokenLost(ctx context.Context, id string) bool {
	kept := m.Apps.warm.Get(id)
	if kept == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, tokenWait)
	defer cancel()
	return m.Tokens.Source(tenants.Installation{ID: kept.Value().installation, At: kept.Value().at}).Lost(ctx)
}

// notHere answers a command or a form of a workspace that the app is not in. A form stays open with what was typed, when
// it has a field to say so beside.
func (m *Tenants) notHere(q bot.Request) bot.Reply {
	says := cardsaccount.NotAdded(m.shared.Config.PublicURL + install.Path)
	switch {
	case q.Kind == bot.KindCommand:
		return bot.Ephemeral(says)
	case q.ViewSummary.Input != "":
		return bot.Errors(map[string]string{q.ViewSummary.Input: says})
	}
	return bot.Update(kit.Notice(cardsaccount.TitleConnect, says, q.View.ExternalID))
}

// Heard is what the workspace has of its own that a request is for.
func (m *Tenants) Heard(ctx context.Context, q bot.Request) (*workspace.App, error) {
	its, err := m.Apps.Of(ctx, q.Team)
	if errors.Is(err, tenants.ErrNotInstalled) && m.Installations.met(ctx, q) {
		its, err = m.Apps.Of(ctx, q.Team)
	}
	if errors.Is(err, tenants.ErrNotInstalled) {
		err = fmt.Errorf("%w: %w", bot.ErrNotOurs, err)
	}
	return its, err
}

// Preflight says, before anything is served, where people add the app and in how many workspaces it is.
func (m *Tenants) Preflight(ctx context.Context) error {
	moved, err := OneMoved(ctx, m.shared.Redis)
	if m.moved = moved; err != nil {
		return err
	}
	known := 0
	for shard := range keyspace.Shards {
		ids, err := m.ofShard(ctx, shard)
		if err != nil {
			return err
		}
		known += len(ids)
	}
	m.shared.Log.Info("for many workspaces", "known", known, "add_to_slack", m.shared.Config.PublicURL+install.Path)
	return nil
}

// Why an app for many workspaces does not start.
var (
	ErrNotMoved = errors.New("REDIS_URL: the data in it is of an app for one workspace: make that one of many with \"darkroom move\"")
	ErrMoving   = errors.New("REDIS_URL: a workspace is moved by half: run \"darkroom move\" again")
)

// OneMoved returns which workspace was alone here before, and fails when its data is not moved yet.
func OneMoved(ctx context.Context, rdb redis.UniversalClient) (team string, err error) {
	moved, err := tenants.MovedTo(ctx, rdb)
	switch {
	case err != nil || moved.Done:
		return moved.Team, err
	case moved.Team != "":
		return moved.Team, ErrMoving
	}
	if one, err := tenants.OneWorkspace(ctx, rdb); err != nil || one {
		return "", cmp.Or(err, ErrNotMoved)
	}
	return "", nil
}

// Close ends what is shared by all workspaces.
func (m *Tenants) Close() {
	m.Apps.warm.Stop()
	m.outage.Close()
	m.http.CloseIdleConnections()
	m.Services.connections.CloseIdle()
}
