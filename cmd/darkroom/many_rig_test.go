package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/cmd/darkroom/tenants"
	"darkroom/sandbox"
	"darkroom/sandbox/person"
	photo "darkroom/sandbox/photos"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/storetest"
	storetenants "darkroom/store/tenants"
)

// manyTown is one app between several workspaces, in this process.
type manyTown struct {
	*sandbox.Many
	t   *testing.T
	app *app
	rdb redis.UniversalClient
	url string
}

// openManyTown starts it; the app is in none of the workspaces yet. They are all of one shard, so that they share what a
// shard has. Their people, channels and orders have equal ids.
func openManyTown(t *testing.T, workspaces []string, change func(*sandbox.ManyOptions), environ ...string) *manyTown {
	t.Helper()
	o := sandbox.ManyOptions{Delivery: sandbox.OverHTTP}
	o.Slack.App.Scopes = manifest.Names(manifest.Scopes)
	o.Slack.App.Events = append(manifest.Names(manifest.Events), manifest.Names(manifest.EventsOfMany)...)
	for n, id := range sameShard(len(workspaces)) {
		one := sandbox.Tenant{Name: workspaces[n], Photos: photo.Options{Manual: true}}
		one.Workspace.TeamID, one.Workspace.AckLimit, one.Workspace.TriggerLife, one.Workspace.PostBurst = id, time.Minute, time.Minute, -1
		o.Workspaces = append(o.Workspaces, one)
	}
	if change != nil {
		change(&o)
	}
	w := &manyTown{t: t}
	var err error
	w.Many, err = sandbox.StartMany(o)
	require.NoError(t, err)
	t.Cleanup(w.Close)
	server := storetest.Embed(t)
	w.rdb = redisClient(t, "redis://"+server.Addr())
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w.url = "http://" + listener.Addr().String()
	cfg, err := config.Read(append(append(w.Environ(), "REDIS_URL=redis://"+server.Addr(), "UPSTREAM_RATE=1000", "PUBLIC_URL="+w.url,
		"FILE_SIGNING_KEY="+strings.Repeat("k", 40), "ENCRYPTION_KEY="+newerKey), environ...))
	require.NoError(t, err)
	w.app, err = newApp(cfg, slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})), nil)
	require.NoError(t, err)
	w.app.shared.Waits.Pace = 1000         // these workspaces take as many posts: what is asked here is not how soon
	w.app.many.Remover.SweepIn = time.Hour // a test that looks after the shards does so when it is time
	w.SetAppURL(w.url)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.app.run(ctx, listener) }()
	t.Cleanup(func() { stop(); require.NoError(t, <-ended) })
	return w
}

// sameShard are the ids of so many workspaces of one shard.
func sameShard(n int) []string {
	ids := []string{"T1"}
	for i := 2; len(ids) < n; i++ {
		if id := fmt.Sprint("T", i); keyspace.ShardOf(id) == keyspace.ShardOf(ids[0]) {
			ids = append(ids, id)
		}
	}
	return ids
}

// in is somebody in one of the workspaces.
func (w *manyTown) in(workspace, name string) *person.T {
	return person.In(w.t, w.Workspace(workspace), name, person.Options{Patience: time.Minute})
}

// add has somebody add the app to their workspace.
func (w *manyTown) add(workspace, who string) {
	w.t.Helper()
	b, err := w.AddToSlack(w.url+"/slack/install", workspace, who)
	require.NoError(w.t, err)
	require.NoError(w.t, b.Sees("Darkroom was added to "+w.Workspace(workspace).Team()), b.Text())
}

// connect connects a workspace to its account, as an admin did.
func (w *manyTown) connect(workspace, who string) {
	w.t.Helper()
	a, id := w.Account(workspace), w.Workspace(workspace).ID()
	account := storetenants.ServiceAccount{
		URL: a.URL, Key: a.Key, Secret: a.Secret, Params: "query", Signature: "php", Numbers: "string",
		By: w.Workspace(workspace).User(who).ID, At: time.Now(),
	}
	require.NoError(w.t, w.app.many.Directory.Accounts.Connect(w.t.Context(), id, account))
	was, err := w.store(workspace).Connection.Read(w.t.Context())
	require.NoError(w.t, err)
	require.NoError(w.t, w.store(workspace).Connection.NoteConnected(w.t.Context(), account, was))
}

// open adds and connects all workspaces, as their admin does.
func (w *manyTown) open() {
	w.t.Helper()
	for _, name := range w.Names() {
		w.add(name, "olga")
		w.connect(name, "olga")
	}
}

// place places an order, and returns its project's name.
func (w *manyTown) place(who *person.T, project string) string {
	w.t.Helper()
	who.Type("/order new " + w.Samples()[0])
	who.SeesModal("New photo order")
	who.Fill("Instructions", "Brighten the sky.")
	who.Fill("Project name", project)
	who.Submit()
	w.eventually(func() bool {
		_, modal, _ := strings.Cut(who.Screen(), "== modal")
		if strings.Contains(modal, "Submitting again is safe") { // a busy machine could not confirm it
			who.Submit()
		}
		return strings.Contains(modal, "Order placed")
	}, "Order placed")
	who.CloseModal()
	who.SeesInThread(project, "Placed")
	return project
}

// store is what is kept of a workspace.
func (w *manyTown) store(workspace string) *store.Store {
	return tenants.StoreOf(w.rdb, w.Workspace(workspace).ID())
}

// queue is that of the shard in which all of them are.
func (w *manyTown) queue() *queue.Queue {
	return w.app.many.Queues[keyspace.ShardOf(w.Workspace(w.Names()[0]).ID())]
}

// heard is what the app told somebody in direct messages.
func (w *manyTown) heard(workspace, who string) []string {
	var all []string
	for _, m := range w.Workspace(workspace).DMs(who) {
		all = append(all, m.Text)
	}
	return all
}

// eventually waits until something is so.
func (w *manyTown) eventually(is func() bool, why string) {
	w.t.Helper()
	require.Eventually(w.t, is, time.Minute, 20*time.Millisecond, why)
}

// metrics are those of the app, as they are read.
func (w *manyTown) metrics() string {
	w.t.Helper()
	answer := httptest.NewRecorder()
	w.app.metrics.Handler().ServeHTTP(answer, httptest.NewRequestWithContext(w.t.Context(), http.MethodGet, "/metrics", http.NoBody))
	return answer.Body.String()
}
