package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/manifest"
	wired "darkroom/cmd/darkroom/workspace"
	"darkroom/order"
	"darkroom/sandbox"
	service "darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/ratelimit"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

// town is a workspace with its account, and the whole app, as serve wires it, between them over HTTP.
type town struct {
	t       *testing.T
	space   *workspace.Workspace
	photos  *service.Service
	samples []string
	token   func() string // of the app there
	app     *app
	store   *store.Store
	service *upstream.Client
	account tenants.ServiceAccount // where the workspace connects it
}

const (
	ourTeam = "T0SANDBOX"
	grid    = "E0GRID"
)

// someone is a kind of person: a full member of ours at first, who then becomes that.
type someone struct {
	name    string
	becomes func(*workspace.User) // nil: stays a member
	leaves  bool                  // goes out of the channel
	acts    bool                  // may do what members do
}

// everyone are the kinds of people that Slack knows, as it really answers about them.
func everyone() []someone {
	return []someone{
		{name: "member", acts: true},
		{name: "sibling", acts: true, becomes: func(u *workspace.User) {
			u.Team, u.Enterprise, u.Teams = "T0SIBLING", grid, []string{"T0SIBLING"}
		}},
		{name: "siblingadmin", acts: true, becomes: func(u *workspace.User) {
			u.Admin, u.Team, u.Enterprise, u.Teams = true, "T0SIBLING", grid, []string{"T0SIBLING"}
		}},
		{name: "colleague", acts: true, becomes: func(u *workspace.User) {
			u.Teamless, u.Enterprise, u.Teams = true, grid, []string{ourTeam, "T0SIBLING"}
		}},
		{name: "onechannel", becomes: func(u *workspace.User) { u.OneChannel = true }},
		{name: "manychannels", becomes: func(u *workspace.User) { u.Guest = true }},
		{name: "partner", becomes: func(u *workspace.User) { u.Team = "T0ELSEWHERE" }},
		{name: "teamless", becomes: func(u *workspace.User) { u.Team, u.Teamless = "T0ELSEWHERE", true }},
		{name: "othergrid", becomes: func(u *workspace.User) {
			u.Team, u.Teamless, u.Enterprise, u.Teams = "T0ELSEWHERE", true, "E0OTHER", []string{"T0ELSEWHERE"}
		}},
		{name: "robot", becomes: func(u *workspace.User) { u.Bot = true }},
		{name: "deactivated", becomes: func(u *workspace.User) { u.Deleted = true }},
		{name: "left", leaves: true},
	}
}

func (s someone) id() string      { return "U0" + strings.ToUpper(s.name) }
func (s someone) channel() string { return "C0" + strings.ToUpper(s.name) }

// openTown starts it with a channel of their own for each of these people; people outside
// say whom the channels and their orders belong to.
func openTown(t *testing.T, all []someone) *town {
	t.Helper()
	o := sandbox.Options{Credits: "1000"}
	o.Photos.Manual = true
	o.Workspace = workspace.Options{Scopes: manifest.Names(manifest.Scopes), Events: manifest.Names(manifest.Events), PostBurst: -1, Enterprise: grid}
	o.Workspace.AckLimit, o.Workspace.TriggerLife = time.Minute, time.Minute // what is asked here is who may, not how soon they are answered
	o.Workspace.Users = []workspace.User{{ID: "U0MARIA", Name: "maria", RealName: "Maria"}}
	o.Workspace.Channels = []workspace.Channel{{ID: "C0OTHER", Name: "other", Members: []string{"maria", "darkroom"}}}
	for _, s := range all {
		o.Workspace.Users = append(o.Workspace.Users, workspace.User{ID: s.id(), Name: s.name, RealName: s.name})
		o.Workspace.Channels = append(o.Workspace.Channels, workspace.Channel{ID: s.channel(), Name: s.name, Private: true, Members: []string{"maria", s.name, "darkroom"}})
		o.Workspace.Channels[0].Members = append(o.Workspace.Channels[0].Members, s.name)
	}
	box, err := sandbox.Start(o)
	require.NoError(t, err)
	t.Cleanup(box.Close)
	w := &town{t: t, space: box.Workspace, photos: box.Photos, samples: box.Samples(), token: func() string { return "xoxb-sandbox-token" }}
	w.start(box.Environ(), storetest.Embed(t))
	return w
}

func (w *town) start(environ []string, redis *miniredis.Miniredis) {
	w.t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(w.t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(w.t, err)
	address := "http://" + listener.Addr().String()
	environ = slices.DeleteFunc(environ, func(v string) bool { return strings.HasPrefix(v, "POLL_SCHEDULE=") })
	cfg, err := config.Read(append(environ, "REDIS_URL=redis://"+redis.Addr(), "POLL_SCHEDULE=@every 9999h", "UPSTREAM_RATE=1000", // nobody polls: the orders stay as this test makes them

		"PUBLIC_URL="+address, "FILE_SIGNING_KEY="+strings.Repeat("k", 40)))
	require.NoError(w.t, err)
	w.app, err = newAppWith(cfg, slog.New(slog.DiscardHandler), nil, wired.Waits{Pace: 1000}) // this Slack takes as many posts
	require.NoError(w.t, err)
	w.store = w.app.own.Store
	w.service, err = upstream.New(cfg.Service(ratelimit.NewRate(w.app.rdb, keyspace.Keyspace{}, 1000).People()))
	require.NoError(w.t, err)
	w.space.SetAppURL(address)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- w.app.run(ctx, listener) }()
	w.t.Cleanup(func() { stop(); require.NoError(w.t, <-ended) })
}

// surprise is the name of every order: who may not see it never reads it.
const surprise = "Surprise party"

// order is one at the service, and in the channel; reviewing ones have many pictures.
func (w *town) order(owner store.Owner, reviewing bool) string {
	w.t.Helper()
	ctx := w.t.Context()
	placed := order.Order{}
	for !strings.ContainsAny(placed.ID, "0123456789") { // a word without is not taken for an order's id
		var err error
		placed, err = w.service.Create(ctx, upstream.NewOrder{ProjectName: surprise, Instructions: []string{"x"}, Images: []upstream.Image{{URL: w.samples[0], Service: order.ServiceBasic}}})
		require.NoError(w.t, err)
	}
	if reviewing {
		require.NoError(w.t, w.photos.Deliver(placed.ID))
	}
	seen, err := w.service.Fetch(ctx, placed.ID)
	require.NoError(w.t, err)
	for n := 1; reviewing && n < 12; n++ {
		more := seen.EditedImages[0]
		more.ID, more.Name = fmt.Sprint("more", n), fmt.Sprint("more", n, ".jpg")
		seen.EditedImages = append(seen.EditedImages, more)
	}
	w.place(owner, seen)
	return placed.ID
}

func (w *town) place(owner store.Owner, o order.Order) {
	w.t.Helper()
	_, err := w.store.Changes.AddOrder(w.t.Context(), store.NewOrder{ID: o.ID, Owner: owner, Images: 1, Order: o, Brief: &order.Brief{Instructions: []string{"x"}}})
	require.NoError(w.t, err)
}

// post makes the app say something to somebody that it would not say: to them alone in the
// channel, or in their direct messages.
func (w *town) post(channel, user string, blocks ...any) (ts string) {
	w.t.Helper()
	method, said := "chat.postEphemeral", map[string]any{"channel": channel, "user": user, "text": "panel", "blocks": blocks}
	if strings.HasPrefix(channel, "D") {
		method = "chat.postMessage"
	}
	body, err := json.Marshal(said)
	require.NoError(w.t, err)
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.space.APIURL()+method, bytes.NewReader(body))
	require.NoError(w.t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+w.token())
	answer, err := http.DefaultClient.Do(request)
	require.NoError(w.t, err)
	defer func() { _ = answer.Body.Close() }()
	var posted struct {
		TS, Error string
		Whispered string `json:"message_ts"`
	}
	require.NoError(w.t, json.NewDecoder(answer.Body).Decode(&posted))
	require.Empty(w.t, posted.Error)
	return posted.TS + posted.Whispered
}

// within waits so long at most.
func (w *town) within(long time.Duration, holds func() bool) bool {
	ctx, cancel := context.WithTimeout(w.t.Context(), long)
	defer cancel()
	return w.space.Wait(ctx, holds) == nil
}

// until waits for what is expected to happen.
func (w *town) until(what string, holds func() bool, more ...func() string) {
	w.t.Helper()
	if w.within(3*time.Minute, holds) {
		return
	}
	for _, say := range more {
		what += "\n" + say()
	}
	require.Fail(w.t, what)
}
