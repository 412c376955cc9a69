package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jellydator/ttlcache/v3"
	"golang.org/x/sync/singleflight"

	"darkroom/bot"
	cardsaccount "darkroom/cards/account"
	"darkroom/cards/kit"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/cmd/darkroom/metrics"
	"darkroom/files"
	"darkroom/jobs/accounts"
	"darkroom/notifier/poll"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/ratelimit"
	"darkroom/store/seal"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// What a process gives to the workspaces of one app.
const (
	shardWorkers = 32               // jobs at once of each shard
	share        = 16               // of them, and of those that are ready, of one workspace
	placesOfOne  = 64               // requests at once of one workspace
	warmRooms    = 1024             // workspaces whose rooms are kept, those that were used last
	warmFor      = 10 * time.Minute // after their last use
	idlePerHost  = 64               // connections to an order service that are kept for the next calls: it may serve all workspaces
	idleInAll    = 512              // and to all of them together
	checkedFor   = 5 * time.Second  // how long it is believed that the app is in a workspace
)

// many is what an app has for many workspaces, each of which adds it with a button: where it is installed, the rooms
// of those in use, and the parts of Redis that they are in.
type many struct {
	app        *app
	directory  *tenants.Directory
	oauth      *bot.OAuth
	install    *bot.Install
	queues     [keyspace.Shards]*queue.Queue
	http       *http.Client // to Slack, shared by all
	outage     *bot.OutageWatch
	services   *upstream.Connections // to the order services, shared by all
	moved      string                // the workspace that was alone here before; "": none
	rates      *ratelimit.Accounts
	polls      *polls
	pollQueues [keyspace.Shards]*queue.Queue
	remover    *remover

	opened atomic.Bool // a secret in Redis opened with ENCRYPTION_KEY
	flight singleflight.Group
	warm   *ttlcache.Cache[string, *warm]
	mu     sync.Mutex
	tokens map[string]tokenSource // by installation
}

// warm are the rooms of a workspace that was in use lately.
type warm struct {
	*rooms
	installation string    // by which the app is there
	at           time.Time // when it was made: who adds the app again may get another bot user, and other permissions
	checkedUntil time.Time // until when it is believed that it still is
}

// newMany wires what is there once for all workspaces.
func newMany(a *app) (*many, error) {
	keys, err := seal.NewKeys(string(a.cfg.EncryptionKey))
	if err != nil {
		return nil, fmt.Errorf("ENCRYPTION_KEY: %w", err)
	}
	m := &many{
		app: a, directory: tenants.NewDirectory(a.rdb, keys), http: bot.HTTPClient(a.failpoints.Slack()),
		services: connections(a), tokens: map[string]tokenSource{},
		warm: ttlcache.New(ttlcache.WithCapacity[string, *warm](warmRooms), ttlcache.WithTTL[string, *warm](warmFor)),
	}
	m.remover = newRemover(m)
	m.outage = bot.NewOutageWatch(bot.OutageWatchConfig{
		APIURL: a.cfg.SlackAPIURL, HTTP: m.http, Log: a.log, Observe: a.metrics.Slack.Observe, OnOutage: a.slackWasAway,
	})
	m.rates = ratelimit.NewAccounts(a.rdb, keyspace.OfAccount, a.cfg.UpstreamRate)
	for n := range m.queues {
		o := a.queueOptions()
		o.Keyspace, o.Workers, o.Share = keyspace.Shard(n), shardWorkers, share
		m.queues[n] = queue.New(a.rdb, o)
		o.Workers, o.Idle = pollWorkers, pollIdle
		m.pollQueues[n] = pollQueue(a, o)
	}
	m.oauth = bot.NewOAuth(bot.OAuthConfig{
		ClientID: a.cfg.SlackClientID, ClientSecret: string(a.cfg.SlackClientSecret), APIURL: a.cfg.SlackAPIURL,
		HTTP: m.http, Observe: a.metrics.Slack.Observe,
	})
	m.install = bot.NewInstall(bot.InstallConfig{
		PublicURL: a.cfg.PublicURL, ClientID: a.cfg.SlackClientID, Scopes: scopeNames(), APIURL: a.cfg.SlackAPIURL,
		OAuth: m.oauth, States: m.directory.States, Keep: m.keep, Log: a.log,
	})
	m.polls = newPolls(m)
	return m, nil
}

// connections are those to the order services of all workspaces.
func connections(a *app) *upstream.Connections {
	t := files.Transport(a.cfg.AllowPrivateURLs)
	t.MaxIdleConns = idleInAll
	return upstream.NewConnections(t, idlePerHost, a.failpoints.Service())
}

// router is the one that hears all workspaces, and knows what concerns their installations itself.
func (m *many) router() *bot.Router {
	r := bot.NewRouter(m.app.log)
	r.Trace(m.app.traces.tracer())
	r.Dispatch(func(ctx context.Context, q bot.Request) (*bot.Router, error) {
		its, err := m.heard(ctx, q)
		if err != nil {
			return nil, err
		}
		if answers := q.Kind == bot.KindCommand || q.Kind == bot.KindSubmit; answers && m.tokenLost(ctx, q.Team) {
			return nil, fmt.Errorf("%w: its token is lost", bot.ErrNotOurs)
		}
		return its.router, nil
	}, m.app.router)
	r.Unconfirmed(func(ctx context.Context, q bot.Request, sentence string) {
		its, err := m.heard(ctx, q)
		if err != nil {
			m.app.log.WarnContext(ctx, "person not told", "user", q.User, "err", err)
			return
		}
		its.unconfirmed(ctx, q, sentence)
	})
	r.NotOurs(m.notHere)
	for event, do := range map[string]bot.HandlerFunc{
		"app_uninstalled": m.removed, "tokens_revoked": m.revoked, "team_access_granted": m.granted, "team_access_revoked": m.withdrawn,
	} {
		r.Event(event, do)
	}
	return r
}

// tokenWait is how long a request waits to learn whether there is a token.
const tokenWait = time.Second

// tokenLost reports whether the app has to be added to a workspace again. Whoever uses it there is told so in the answer to
// their request, which needs no token.
func (m *many) tokenLost(ctx context.Context, id string) bool {
	kept := m.warm.Get(id)
	if kept == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, tokenWait)
	defer cancel()
	return m.source(tenants.Installation{ID: kept.Value().installation, At: kept.Value().at}).Lost(ctx)
}

// notHere answers a command or a form of a workspace that the app is not in. A form stays open with what was typed, when
// it has a field to say so beside.
func (m *many) notHere(q bot.Request) bot.Reply {
	says := cardsaccount.NotAdded(m.app.cfg.PublicURL + bot.PathInstall)
	switch {
	case q.Kind == bot.KindCommand:
		return bot.Ephemeral(says)
	case q.Shown.Input != "":
		return bot.Errors(map[string]string{q.Shown.Input: says})
	}
	return bot.Update(kit.Notice(cardsaccount.TitleConnect, says, q.View.ExternalID))
}

// heard are the rooms that a request is for.
func (m *many) heard(ctx context.Context, q bot.Request) (*rooms, error) {
	its, err := m.roomsOf(ctx, q.Team)
	if errors.Is(err, tenants.ErrNotInstalled) && m.met(ctx, q) {
		its, err = m.roomsOf(ctx, q.Team)
	}
	if errors.Is(err, tenants.ErrNotInstalled) {
		err = fmt.Errorf("%w: %w", bot.ErrNotOurs, err)
	}
	return its, err
}

// preflight says, before anything is served, where people add the app and in how many workspaces it is.
func (m *many) preflight(ctx context.Context) error {
	if err := m.oneMoved(ctx); err != nil {
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
	m.app.log.Info("for many workspaces", "known", known, "add_to_slack", m.app.cfg.PublicURL+bot.PathInstall)
	return nil
}

// Why an app for many workspaces does not start.
var (
	errNotMoved = errors.New("REDIS_URL: the data in it is of an app for one workspace: make that one of many with \"darkroom move\"")
	errMoving   = errors.New("REDIS_URL: a workspace is moved by half: run \"darkroom move\" again")
)

// oneMoved learns which workspace was alone here before, and fails when its data is not moved yet.
func (m *many) oneMoved(ctx context.Context) error {
	moved, err := tenants.MovedTo(ctx, m.app.rdb)
	m.moved = moved.Team
	switch {
	case err != nil || moved.Done:
		return err
	case moved.Team != "":
		return errMoving
	}
	if one, err := tenants.OneWorkspace(ctx, m.app.rdb); err != nil || one {
		return cmp.Or(err, errNotMoved)
	}
	return nil
}

// roomsOf returns the rooms of a workspace. The error is [tenants.ErrNotInstalled] when the app is not there, and when id names
// no workspace: all workspaces of an organisation would share the rooms of its id.
func (m *many) roomsOf(ctx context.Context, id string) (*rooms, error) {
	if !strings.HasPrefix(id, "T") {
		return nil, fmt.Errorf("%w: no workspace is named", tenants.ErrNotInstalled)
	}
	if kept := m.warm.Get(id); kept != nil && time.Now().Before(kept.Value().checkedUntil) {
		return kept.Value().rooms, nil
	}
	done := m.flight.DoChan(id, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		return m.openRooms(ctx, id)
	})
	select {
	case got := <-done:
		r, _ := got.Val.(*rooms)
		return r, got.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// openRooms asks the directory, and makes the rooms of a workspace when they are not kept.
func (m *many) openRooms(ctx context.Context, id string) (*rooms, error) {
	installed, err := m.directory.Installations.Installed(ctx, id)
	if err != nil {
		m.warm.Delete(id)
		return nil, err
	}
	checkedUntil := time.Now().Add(checkedFor)
	kept := m.warm.Get(id)
	if kept != nil && kept.Value().installation == installed.ID && kept.Value().at.Equal(installed.At) {
		m.warm.Set(id, &warm{kept.Value().rooms, installed.ID, installed.At, checkedUntil}, ttlcache.DefaultTTL)
		return kept.Value().rooms, nil
	}
	if kept != nil {
		m.polls.drop(id)
	}
	r, err := newRooms(m.tenant(id, installed), m.connecting(id))
	if err != nil {
		return nil, err
	}
	r.router.Places(placesOfOne)
	m.warm.Set(id, &warm{r, installed.ID, installed.At, checkedUntil}, ttlcache.DefaultTTL)
	return r, nil
}

// tenant is a workspace in which the app is by that installation.
func (m *many) tenant(id string, by tenants.Installation) *tenant {
	a := m.app
	t := &tenant{app: a, id: id, log: a.log.With("workspace", id), queue: m.queues[keyspace.ShardOf(id)].In(id)}
	t.store = store.New(a.rdb, t.queue).ShowVerdictsEvery(a.waits.verdicts)
	c := bot.ClientConfig{
		Tokens: m.source(by), APIURL: a.cfg.SlackAPIURL, Log: t.log, HTTP: m.http, Outage: m.outage,
		Pacer: ratelimit.NewChannels(a.rdb, t.queue.Keyspace()), Pace: a.waits.pace, Reads: ratelimit.NewReads(a.rdb, t.queue.Keyspace(), t.store.Documents), Observe: a.metrics.Slack.Observe, Tracer: a.traces.tracer(),
	}
	if by.OrgWide {
		c.Team = id
	}
	t.slack = bot.NewClient(c)
	turns := &turnsOf{}
	t.turns = turns
	t.notices = poll.NewCreditNotices(poll.CreditNoticesConfig{
		Below: a.cfg.LowCreditsLimit(), Store: t.store.Documents, Queue: t.queue, Ops: t.tellOps, Log: t.log,
	})
	t.people = &connected{
		account: account{m.directory, id}, seen: t.notices.Observe,
		dial: m.dial(metrics.People, t.answered, func(r *ratelimit.Account) upstream.Limiter { return r.People() }),
	}
	t.background = &connected{account: account{m.directory, id}, dial: m.dial(metrics.Poller, nil, func(r *ratelimit.Account) upstream.Limiter {
		turns.set(r)
		return r.Background()
	})}
	return t
}

// dial makes a client of an account's service, at the account's pace.
func (m *many) dial(who string, observe func(upstream.Call), part func(r *ratelimit.Account) upstream.Limiter) func(tenants.ServiceAccount) (*upstream.Client, error) {
	return func(a tenants.ServiceAccount) (*upstream.Client, error) {
		return m.app.newServiceOf(accountConfig(a, claimed{part(m.rates.Of(a.ID()))}, m.services), who, observe)
	}
}

// connecting is how the admins of a workspace connect it.
func (m *many) connecting(id string) *accounts.Connecting {
	return &accounts.Connecting{
		Accounts: account{m.directory, id}, AllowPrivate: m.app.cfg.AllowPrivateURLs, AddedAt: m.app.cfg.PublicURL + bot.PathInstall,
		Discover: func(ctx context.Context, a tenants.ServiceAccount) (upstream.Findings, error) {
			return upstream.Discover(ctx, accountConfig(a, m.rates.Of(a.ID()).People(), m.services))
		},
		InstalledBy: func(ctx context.Context) string {
			installed, err := m.directory.Installations.Installed(ctx, id)
			if err != nil { // nobody is named then
				m.app.log.DebugContext(ctx, "who added the app is not known", "workspace", id, "err", err)
			}
			return installed.By
		},
	}
}

// forget has the rooms and the token of a workspace made anew.
func (m *many) forget(id string) {
	m.warm.Delete(id)
	m.polls.drop(id)
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.tokens, id)
}

func (m *many) close() {
	m.warm.Stop()
	m.outage.Close()
	m.http.CloseIdleConnections()
	m.services.CloseIdle()
}

// scopeNames are the permissions that the app asks for, the optional ones too.
func scopeNames() []string {
	names := make([]string, len(manifest.Scopes))
	for i, s := range manifest.Scopes {
		names[i] = s.Name
	}
	slices.Sort(names)
	return names
}
