package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/doctor"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/sandbox"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/seal"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

// manyClinic is an app for many workspaces with all it needs, for doctor to look at.
type manyClinic struct {
	*sandbox.Many
	t       *testing.T
	rdb     *redis.Client
	url     string
	environ []string
}

// openManyClinic starts everything as it should be; the app is in two workspaces.
func openManyClinic(t *testing.T) *manyClinic {
	t.Helper()
	server := storetest.Start(t)
	c := &manyClinic{t: t, rdb: server.Client()}
	require.NoError(t, c.rdb.ConfigSet(t.Context(), "appendfsync", "always").Err())
	var o sandbox.ManyOptions
	o.Slack.App.Scopes, o.Slack.App.Events = manifest.Names(manifest.Scopes), manifest.Names(append(slices.Clone(manifest.Events), manifest.EventsOfMany...))
	o.Slack.App.ClientSecret = "s3cret-client"
	o.Workspaces = []sandbox.Tenant{{Name: "studio"}, {Name: "agency"}}
	var err error
	c.Many, err = sandbox.StartMany(o)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c.url = "http://" + listener.Addr().String()
	c.environ = append(c.Environ(), "REDIS_URL="+server.URL(), "PUBLIC_URL="+c.url, "LISTEN_ADDR="+listener.Addr().String(), "ADMIN_ADDR=off",
		"FILE_SIGNING_KEY="+doctorsKey, "ENCRYPTION_KEY="+olderKey)
	cfg, err := config.Read(append(slices.Clone(c.environ), "POLL_SCHEDULE=@every 1h"))
	require.NoError(t, err)
	a, err := newApp(cfg, slog.New(slog.DiscardHandler), nil)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- a.run(ctx, listener) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-ended) })
	c.SetAppURL(c.url)
	c.add("studio")
	c.add("agency")
	require.NoError(t, a.own.Store.Inbounds.NoteInbound(t.Context(), store.InboundVerified, time.Now()))
	require.NoError(t, a.own.Store.Inbounds.NoteInbound(t.Context(), store.InboundStart, time.Now()))
	return c
}

// add has somebody add the app to their workspace.
func (c *manyClinic) add(workspace string) {
	c.t.Helper()
	b, err := c.AddToSlack(c.url+"/slack/install", workspace, "olga")
	require.NoError(c.t, err)
	require.NoError(c.t, b.Sees("Darkroom was added to"), b.Text())
}

func (c *manyClinic) report(change ...string) examination {
	c.t.Helper()
	return examined(c.t, append(slices.Clone(c.environ), change...))
}

// directory is what the app keeps of its workspaces.
func (c *manyClinic) directory() *tenants.Directory {
	c.t.Helper()
	keys, err := seal.NewKeys(olderKey)
	require.NoError(c.t, err)
	return tenants.NewDirectory(c.rdb, keys)
}

// change changes what is kept of an installation.
func (c *manyClinic) change(id string, f func(*tenants.Installation)) {
	c.t.Helper()
	i, err := c.directory().Installations.Known(c.t.Context(), id)
	require.NoError(c.t, err)
	f(&i)
	require.NoError(c.t, c.directory().Installations.Install(c.t.Context(), i))
}

func TestDoctorFindsAllGreenWhereThereAreManyWorkspaces(t *testing.T) {
	t.Parallel()
	c := openManyClinic(t)
	r := c.report()
	r.but(t)
	require.Equal(t, doctor.Green, r.State)
	require.Contains(t, r.find(t, "workspaces/added").Message, "2 workspaces and 0 organisations")
	require.Contains(t, r.find(t, "workspaces/Slack").Message, "each that was asked about (2)")
	require.Contains(t, strings.Join(r.Unseen, "\n"), "more than 10")
	require.NoError(t, c.Strangers())
}

func TestDoctorSaysWhatIsWrongWhereThereAreManyWorkspaces(t *testing.T) {
	t.Parallel()
	older := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // an app for one workspace
		if r.URL.Path != config.PathHealth {
			http.NotFound(w, r)
			return
		}
		answer(w, http.StatusOK, "ok")
	}))
	t.Cleanup(older.Close)
	for name, row := range map[string]struct {
		spoil func(*manyClinic)
		set   []string
		at    string
		state doctor.State
		says  string // also of what to do
	}{
		"another client secret":   {nil, []string{"SLACK_CLIENT_SECRET=s3cret-other"}, "Slack/app credentials", doctor.Red, "(bad_client_secret): nobody can add the app"},
		"another client ID":       {nil, []string{"SLACK_CLIENT_ID=1.2"}, "Slack/app credentials", doctor.Red, "SLACK_CLIENT_ID"},
		"a bot token beside it":   {nil, []string{"SLACK_BOT_TOKEN=xoxb-s3cret"}, "configuration/SLACK_BOT_TOKEN", doctor.Red, "is of one workspace"},
		"no page to add it":       {nil, []string{"PUBLIC_URL=" + older.URL}, "PUBLIC_URL/install page", doctor.Red, "the same SLACK_CLIENT_ID"},
		"an older key":            {nil, []string{"ENCRYPTION_KEY=" + newerKey + "," + olderKey}, "workspaces/secrets", doctor.Yellow, `run "darkroom reseal" until it says 0`},
		"a key that is lost":      {nil, []string{"ENCRYPTION_KEY=" + newerKey}, "workspaces/secrets", doctor.Red, "does not open 2 of 2 tokens and accounts (T2 and T1)"},
		"a key that is too short": {nil, []string{"ENCRYPTION_KEY=s3cret"}, "workspaces/secrets", doctor.Red, "ENCRYPTION_KEY must be right first"},
		"nobody": {func(c *manyClinic) {
			for _, id := range []string{"T1", "T2"} {
				require.NoError(c.t, c.directory().Entries.Erase(c.t.Context(), id))
			}
		}, nil, "workspaces/added", doctor.Yellow, "/slack/install"},
		"names of a service's own": {func(c *manyClinic) {
			a := tenants.ServiceAccount{URL: "https://api.example.com/v1", Key: "k"}
			require.NoError(c.t, c.directory().Accounts.Connect(c.t.Context(), "T1", a))
			own := store.New(c.rdb, queue.New(c.rdb, queue.Options{Keyspace: keyspace.Shard(keyspace.ShardOf("T1")), Share: 1}).In("T1"))
			require.NoError(c.t, own.Connection.NoteConnected(c.t.Context(), a, tenants.Connection{}))
			_, err := own.AccountNames.NoteNames(c.t.Context(), a.ID(), tenants.Names{Own: true})
			require.NoError(c.t, err)
		}, nil, "workspaces/names", doctor.Yellow, "given in T1: an order whose answer is lost"},
		"a token that has ended": {func(c *manyClinic) {
			c.change("T2", func(i *tenants.Installation) { i.Expires, i.Refresh = time.Now().Add(-time.Hour), "" })
		}, nil, "workspaces/tokens", doctor.Yellow, "The token of T2 has expired and cannot be renewed."},
		"a token that is not there": {func(c *manyClinic) {
			require.NoError(c.t, c.rdb.Set(c.t.Context(), keyspace.OfWorkspace("T1").Key("installation"), `{"id":"T1","at":"2026-11-20T09:00:00Z"}`, 0).Err())
		}, nil, "workspaces/tokens", doctor.Yellow, "There is no token of T1"},
		"a token that is renewed": {func(c *manyClinic) {
			c.change("T2", func(i *tenants.Installation) { i.Expires, i.Refresh = time.Now().Add(-time.Hour), "xoxe-s3cret" })
		}, nil, "workspaces/tokens", doctor.Green, "1 have ended and are renewed"},
		"a token that Slack refuses": {func(c *manyClinic) {
			c.change("T2", func(i *tenants.Installation) { i.Token = "xoxb-s3cret-other" })
		}, nil, "workspaces/Slack", doctor.Yellow, "does not take the token of T2 any more"},
		"a permission": {func(c *manyClinic) {
			c.change("T2", func(i *tenants.Installation) { i.Scopes = []string{"commands"} })
		}, nil, "workspaces/permissions", doctor.Yellow, "granted by T2"},
		"nothing of one opens": {func(c *manyClinic) {
			keys, err := seal.NewKeys(newerKey)
			require.NoError(c.t, err)
			d := tenants.NewDirectory(c.rdb, keys)
			require.NoError(c.t, d.Accounts.Connect(c.t.Context(), "T1", tenants.ServiceAccount{URL: "https://photos.example"}))
			require.NoError(c.t, d.Installations.Install(c.t.Context(), installation("T1", "Studio")))
		}, nil, "workspaces/secrets", doctor.Red, "2 of 3 tokens and accounts (T1)"},
		"an account that does not open": {func(c *manyClinic) {
			keys, err := seal.NewKeys(newerKey)
			require.NoError(c.t, err)
			require.NoError(c.t, tenants.NewDirectory(c.rdb, keys).Accounts.Connect(c.t.Context(), "T1", tenants.ServiceAccount{URL: "https://photos.example"}))
		}, nil, "workspaces/secrets", doctor.Red, "1 of 3 tokens and accounts (T1)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openManyClinic(t)
			c.t = t
			if row.spoil != nil {
				row.spoil(c)
			}
			found := c.report(row.set...).find(t, row.at)
			require.Equal(t, row.state, found.State, "%+v", found)
			require.Contains(t, found.Message+" "+found.Fix, row.says)
		})
	}
}

func TestDoctorAsksSlackAboutNoMoreThanTenWorkspaces(t *testing.T) {
	t.Parallel()
	c := openManyClinic(t)
	for n := range doctor.MostAsked {
		require.NoError(t, c.directory().Installations.Install(t.Context(), installation(fmt.Sprintf("T1%d", n), "Many")))
	}
	r := c.report()
	for _, a := range r.Areas {
		for _, one := range a.Checks {
			require.False(t, a.Name == "workspaces" && one.Name == "Slack", "%+v", one)
		}
	}
	require.Contains(t, r.find(t, "workspaces/permissions").Message, "and 5 more", "it is looked at all the same")
}
