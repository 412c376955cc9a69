package tenants

import (
	"context"
	"net/http"

	"darkroom/bot/client"
	"darkroom/bot/install"
	"darkroom/cmd/darkroom/metrics"
	"darkroom/cmd/darkroom/workspace"
	"darkroom/jobs/accounts"
	"darkroom/notifier/poll"
	"darkroom/store"
	"darkroom/store/ratelimit"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// maker makes the parts of a workspace's app from its installation.
type maker struct {
	shared    *workspace.Shared
	directory *tenants.Directory
	queues    *Shards
	services  *Services
	tokens    *Tokens
	http      *http.Client
	outage    *client.OutageWatch
}

// tenant makes the tenant of a workspace that has the app by that installation.
func (m *maker) tenant(id string, by tenants.Installation) *workspace.Tenant {
	s := m.shared
	t := &workspace.Tenant{Shared: s, ID: id, Log: s.Log.With("workspace", id), Queue: m.queues.of(id)}
	t.Store = store.New(s.Redis, t.Queue).ShowVerdictsEvery(s.Waits.Verdicts)
	c := client.Config{
		Tokens: m.tokens.Source(by), APIURL: s.Config.SlackAPIURL, Log: t.Log, HTTP: m.http, Outage: m.outage,
		Limiter: ratelimit.NewChannels(s.Redis, t.Queue.Keyspace()), Rate: s.Waits.Pace, Reads: ratelimit.NewReads(s.Redis, t.Queue.Keyspace(), t.Store.Documents), Observe: s.Metrics.Slack.Observe, Tracer: s.Tracer,
	}
	if by.OrgWide {
		c.Team = id
	}
	t.Slack = client.New(c)
	t.Responsible = responsible{account{m.directory, id}, t.Slack, t.Log}.tell
	turns := &turnsOf{}
	t.Turns = turns
	t.Notices = poll.NewCreditNotices(poll.CreditNoticesConfig{
		Below: s.Config.LowCreditsLimit(), Store: t.Store.Documents, Queue: t.Queue, Ops: t.TellOps, Log: t.Log,
	})
	t.People = &connected{
		account: account{m.directory, id}, seen: t.Notices.Observe,
		dial: m.services.Dial(metrics.People, t.Answered, func(r *ratelimit.Account) upstream.Limiter { return r.People() }),
	}
	t.Background = &connected{account: account{m.directory, id}, dial: m.services.Dial(metrics.Poller, nil, func(r *ratelimit.Account) upstream.Limiter {
		turns.set(r)
		return r.Background()
	})}
	return t
}

// connecting returns how the admins of a workspace connect its account.
func (m *maker) connecting(id string) *accounts.Connecting {
	return &accounts.Connecting{
		Accounts: account{m.directory, id}, AllowPrivate: m.shared.Config.AllowPrivateURLs, AddedAt: m.shared.Config.PublicURL + install.Path,
		Discover: func(ctx context.Context, a tenants.ServiceAccount) (upstream.Findings, error) {
			return upstream.Discover(ctx, accountConfig(a, m.services.rates.Of(a.ID()).People(), m.services.connections))
		},
		InstalledBy: func(ctx context.Context) string {
			installed, err := m.directory.Installations.Installed(ctx, id)
			if err != nil { // then the name is empty
				m.shared.Log.DebugContext(ctx, "who added the app is not known", "workspace", id, "err", err)
			}
			return installed.By
		},
	}
}
