// Package tenants runs an app for many workspaces: installing and removing it, its tokens and their renewals, the apps of
// the workspaces and their polls, and the operator's commands. Package workspace makes the app of each workspace.
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

// The limits of a process.
const (
	shardWorkers = 32               // jobs at once of each shard
	share        = 16               // jobs at once, and ready jobs, of one workspace
	placesOfOne  = 64               // requests at once of one workspace
	warmApps     = 1024             // cached apps: the last used
	warmFor      = 10 * time.Minute // since the last use of a cached app
	idlePerHost  = 64               // idle connections to one order service, which may serve all workspaces
	idleInAll    = 512              // idle connections to all order services
	checkedFor   = 5 * time.Second  // between two checks of an installation
)

// Tenants has a type for each feature of an app for many workspaces, and the queues of the shards.
type Tenants struct {
	Directory     *tenants.Directory // installations and accounts
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
	moved  string      // the workspace that "darkroom move" moved here; "": no workspace
	opened atomic.Bool // ENCRYPTION_KEY has opened a secret in Redis
}

// New wires the parts that all workspaces share. o are the options of their queues.
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
		OnOutage: func(context.Context, time.Time, time.Time) {}, // only the log reports it
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
		Privacy: s.Config.PrivacyURL, Support: s.Config.SupportURL, OAuth: oauth, States: m.Directory.States, Save: m.Installations.save, Log: s.Log,
	})
	return m, nil
}

// Of returns the app of a workspace. An id of "" comes from links that were made before the move; it means the moved
// workspace.
func (m *Tenants) Of(ctx context.Context, id string) (*workspace.App, error) {
	return m.Apps.Of(ctx, cmp.Or(id, m.moved))
}

// Router returns the router for all workspaces. It dispatches requests to their routers, and handles events about
// installations itself.
func (m *Tenants) Router(fallback *bot.Router) *bot.Router {
	r := bot.NewRouter(m.shared.Log)
	r.Trace(m.shared.Tracer)
	r.Dispatch(func(ctx context.Context, q bot.Request) (*bot.Router, error) {
		its, err := m.AppFor(ctx, q)
		if err != nil {
			return nil, err
		}
		if answers := q.Kind == bot.KindCommand || q.Kind == bot.KindSubmit; answers && m.tokenLost(ctx, q.Team) {
			return nil, fmt.Errorf("%w: its token is lost", bot.ErrNotOurs)
		}
		return its.Router, nil
	}, fallback)
	r.Unconfirmed(func(ctx context.Context, q bot.Request, sentence string) {
		its, err := m.AppFor(ctx, q)
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

// tokenWait is how long a request waits for the check of its token.
const tokenWait = time.Second

// tokenLost reports whether the app has to be added to a workspace again. The answer to a request says so, which needs no
// token.
func (m *Tenants) tokenLost(ctx context.Context, id string) bool {
	cached := m.Apps.warm.Get(id)
	if cached == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, tokenWait)
	defer cancel()
	return m.Tokens.Source(tenants.Installation{ID: cached.Value().installation, At: cached.Value().at}).Lost(ctx)
}

// notHere answers a command or a form of a workspace without the app. A form with a field for the message stays open
// with the person's input.
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

// AppFor returns the app of the workspace that a request is for, or [bot.ErrNotOurs].
func (m *Tenants) AppFor(ctx context.Context, q bot.Request) (*workspace.App, error) {
	its, err := m.Apps.Of(ctx, q.Team)
	if errors.Is(err, tenants.ErrNotInstalled) && m.Installations.met(ctx, q) {
		its, err = m.Apps.Of(ctx, q.Team)
	}
	if errors.Is(err, tenants.ErrNotInstalled) {
		err = fmt.Errorf("%w: %w", bot.ErrNotOurs, err)
	}
	return its, err
}

// Preflight checks, before anything is served, that the data is moved. It logs where people add the app, and the number of
// known workspaces.
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

// Errors of [OneMoved].
var (
	ErrNotMoved = errors.New("REDIS_URL: the data in it is of an app for one workspace: make that one of many with \"darkroom move\"")
	ErrMoving   = errors.New("REDIS_URL: a workspace is moved by half: run \"darkroom move\" again")
)

// OneMoved returns the workspace that got the data of an app for one workspace; "": no such data. It fails if the data is
// not moved yet, or not completely.
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

// Close closes the parts that all workspaces share.
func (m *Tenants) Close() {
	m.Apps.warm.Stop()
	m.outage.Close()
	m.http.CloseIdleConnections()
	m.Services.connections.CloseIdle()
}
