package main

import (
	"context"
	"fmt"
	"net"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"darkroom/store/tenants"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	cardsaccount "darkroom/cards/account"
	"darkroom/cmd/darkroom/metrics"
	"darkroom/sandbox"
	"darkroom/sandbox/workspace"
	"darkroom/store/keyspace"
	"darkroom/store/ratelimit"
	"darkroom/upstream"
)

// boss is an admin, who may do what only operators may.
var boss = someone{name: "boss", acts: true, becomes: func(u *workspace.User) { u.Admin = true }}

// connectRows are what an admin does about the workspace's account; the last of them ends its work.
func connectRows() []row {
	press := func(action string) row {
		return row{route: "action " + action, does: func(a *actor, win *workspace.Window) error { return a.press(win, action) }}
	}
	return []row{
		press(cardsaccount.ActionConnect),
		{route: "submit " + cardsaccount.CallbackConnect, does: func(a *actor, win *workspace.Window) error {
			a.opens(win, cardsaccount.ActionConnect, "API secret")
			for field, text := range map[string]string{"serviceurl": a.account.URL, "servicekey": a.account.Key, "servicesecret": a.account.Secret} {
				a.enter(win, field, text)
			}
			defer a.until("the workspace to be connected", func() bool { v, _ := win.Modal(); return strings.Contains(text(v.Blocks), "is connected to") },
				func() string { v, _ := win.Modal(); return text(v.Errors) + text(v.Blocks) })
			return win.Submit(workspace.Once)
		}},
		press(cardsaccount.ActionDisconnect),
		{route: "submit " + cardsaccount.CallbackDisconnect, does: func(a *actor, win *workspace.Window) error {
			a.opens(win, cardsaccount.ActionDisconnect, "Keep them")
			return win.Submit(workspace.Once)
		}},
	}
}

// opens presses a button whose window says the words.
func (a *actor) opens(win *workspace.Window, action, says string) {
	require.NoError(a.t, a.press(win, action))
	a.until(action, func() bool { v, _ := win.Modal(); return strings.Contains(text(v.Blocks), says) })
}

// enter types into the field whose block begins with that name.
func (a *actor) enter(win *workspace.Window, field, words string) {
	v, _ := win.Modal()
	for _, b := range v.Blocks {
		block, _ := b["block_id"].(string)
		e, _ := b["element"].(map[string]any)
		if action, _ := e["action_id"].(string); strings.HasPrefix(block, field) {
			require.NoError(a.t, win.Act(workspace.Target{View: v.ID, Block: block, Action: action}, workspace.StateOf("plain_text_input", words), workspace.Once))
		}
	}
}

// eavesdropper hears every command that the app sends to Redis, and keeps those in which a name is.
type eavesdropper struct {
	mu    sync.Mutex
	name  *regexp.Regexp // nil: nobody listens
	heard []string
	all   int
}

// DialHook implements [redis.Hook].
func (e *eavesdropper) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) {
		return next(ctx, network, addr)
	}
}

// ProcessHook implements [redis.Hook].
func (e *eavesdropper) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, c redis.Cmder) error {
		name := e.listensFor()
		err := next(ctx, c)
		e.hear(name, c)
		return err
	}
}

// ProcessPipelineHook implements [redis.Hook].
func (e *eavesdropper) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, all []redis.Cmder) error {
		name := e.listensFor()
		err := next(ctx, all)
		for _, c := range all {
			e.hear(name, c)
		}
		return err
	}
}

// listensFor is the name that is listened for when a command begins.
func (e *eavesdropper) listensFor() *regexp.Regexp {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.name
}

// hear keeps a command with its answer: what a shared queue gives out counts as well as what is asked for. One that began
// before anybody listened for the name is of what was done before.
func (e *eavesdropper) hear(name *regexp.Regexp, c redis.Cmder) {
	said := fmt.Sprint(c)
	if strings.Contains(said, ":poll:") && (strings.HasPrefix(said, "hkeys ") || strings.Contains(said, `"lanes":[`)) {
		return // a sweep over the polls of all workspaces
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all++
	if e.name != nil && e.name == name && e.name.MatchString(said) {
		e.heard = append(e.heard, said)
	}
}

// listen waits for a name from now on; "" is for none. It returns what was heard of the one before, and of how many.
func (e *eavesdropper) listen(name string) (heard []string, of int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	heard, of = e.heard, e.all
	e.heard, e.all, e.name = nil, 0, nil
	if name != "" {
		e.name = regexp.MustCompile(`\b` + name + `\b`)
	}
	return heard, of
}

// next is one of two workspaces whose people, channels and orders have equal ids.
type next struct {
	*manyTown
	ear *eavesdropper
}

// openNext starts an app between two of them.
func openNext(t *testing.T) *next {
	t.Helper()
	w := openManyTown(t, []string{"studio", "agency"}, func(o *sandbox.ManyOptions) {
		o.Slack.App.Listed = true
		for n := range o.Workspaces {
			at := &o.Workspaces[n]
			at.Credits = "1000"
			at.Workspace.Users = []workspace.User{{ID: "U0MARIA", Name: "maria", RealName: "Maria"}, {ID: "U0OLGA", Name: "olga", RealName: "Olga", Admin: true}}
			at.Workspace.Channels = []workspace.Channel{{ID: "C0OTHER", Name: "other", Members: []string{"maria"}}}
			for _, s := range []someone{{name: "member"}, boss} {
				at.Workspace.Users = append(at.Workspace.Users, workspace.User{ID: s.id(), Name: s.name, RealName: s.name})
				at.Workspace.Channels = append(at.Workspace.Channels, workspace.Channel{ID: s.channel(), Name: s.name, Private: true, Members: []string{"maria", s.name}})
				at.Workspace.Channels[0].Members = append(at.Workspace.Channels[0].Members, s.name)
			}
		}
	}, "POLL_SCHEDULE="+notNow(), "UPSTREAM_RATE=1000")
	two := &next{manyTown: w, ear: &eavesdropper{}}
	w.app.rdb.AddHook(two.ear)
	w.open()
	for _, name := range w.Names() {
		for _, c := range []string{"C0OTHER", "C0MEMBER", boss.channel()} {
			w.Workspace(name).Invite(c, "darkroom")
		}
	}
	return two
}

// notNow is a schedule that polls no workspace while a test runs. One that says "each hour" polls each at a minute of its own,
// whenever the app began.
func notNow() string {
	return fmt.Sprintf("0 0 1 %d *", time.Now().AddDate(0, 6, 0).Month())
}

// town is one of the workspaces, for those who act there.
func (w *next) town(name string) *town {
	w.t.Helper()
	id, a := w.Workspace(name).ID(), w.Account(name)
	account := tenants.ServiceAccount{URL: a.URL, Key: a.Key, Secret: a.Secret, Params: "query", Signature: "php", Numbers: "string"}
	service, err := w.app.many.Services.Dial(metrics.People, nil, func(r *ratelimit.Account) upstream.Limiter { return r.People() })(account)
	require.NoError(w.t, err)
	return &town{
		t: w.t, space: w.Workspace(name), photos: w.Photos(name), samples: w.Samples(), token: func() string { return w.Slack.Token(id) },
		app: w.app, store: w.store(name), service: service, account: account,
	}
}

// quiet waits until nothing is under way in any workspace, and nothing comes again of what a busy machine interrupted.
func (w *next) quiet() {
	w.t.Helper()
	require.Eventually(w.t, func() bool {
		ctx := w.t.Context()
		if w.app.front.Wait(ctx) != nil || w.app.shared.Looks.Wait(ctx) != nil {
			return false
		}
		idle, err := w.queue().Inspector().Idle(ctx) // of all workspaces: they share the shard's queue
		return err == nil && idle && !w.comesAgain()
	}, 3*time.Minute, 5*time.Millisecond)
}

// comesAgain says whether a job is put for later because the delivery before was interrupted.
func (w *next) comesAgain() bool {
	w.t.Helper()
	later, err := w.rdb.ZRange(w.t.Context(), keyspace.Shard(keyspace.ShardOf(w.Workspace(w.Names()[0]).ID())).Key("q", "later"), 0, -1).Result()
	require.NoError(w.t, err)
	return slices.ContainsFunc(later, func(job string) bool { return strings.Contains(job, ":interrupted:") })
}

// alone has something be done in one workspace, and requires that nothing of it is to be noticed in the other: no key
// of it is read or written, no call comes to its Slack or to its account.
func (w *next) alone(t *testing.T, here, other, what string, do func()) {
	t.Helper()
	w.quiet()
	slack, service := len(w.Workspace(other).Requests()), len(w.Photos(other).Requests())
	w.ear.listen(w.Workspace(other).ID())
	do()
	w.quiet()
	heard, of := w.ear.listen("")
	require.Empty(t, heard, "%s in %s", what, here)
	require.Positive(t, of, "%s: something is heard", what)
	require.Len(t, w.Workspace(other).Requests(), slack, "%s in %s: calls to %s's Slack", what, here, other)
	require.Len(t, w.Photos(other).Requests(), service, "%s in %s: calls to %s's account", what, here, other)
}

// TestNothingCrossesFromOneWorkspaceToAnother: every verb, button, form, shortcut, event and picker, done in each of two
// workspaces of one shard whose people, channels and orders have equal ids. (Drafts are named by what Slack gives once; with equal
// ids they are among what the store's own walk has: see TestNoFunctionOfAStoreLeavesItsWorkspace.)
func TestNothingCrossesFromOneWorkspaceToAnother(t *testing.T) {
	t.Parallel()
	w := openNext(t)
	rows := table()
	all := slices.Concat(rows, connectRows())
	var named []string
	for _, r := range all {
		named = append(named, r.route)
	}
	slices.Sort(named)
	actors, bosses := map[string]*actor{}, map[string]*actor{}
	for _, name := range w.Names() {
		actors[name] = w.town(name).prepare(t, someone{name: "member", acts: true})
		bosses[name] = w.town(name).prepare(t, boss)
		bosses[name].change()
		require.Equal(t, actors[name].everyRoute(), slices.Compact(slices.Clone(named)), "each route has its row, and no row is of no route")
	}
	one, two := actors["studio"], actors["agency"]
	require.Equal(t, []string{one.review, one.fresh, bosses["studio"].review}, []string{two.review, two.fresh, bosses["agency"].review}, "orders have equal ids")
	for _, pair := range [][2]string{{"studio", "agency"}, {"agency", "studio"}} {
		here, other := pair[0], pair[1]
		before := actors[other].state()
		for _, r := range rows {
			w.alone(t, here, other, r.route, func() { actors[here].tries(r) })
		}
		require.JSONEq(t, before, actors[other].state())
	}
	for _, r := range slices.Concat(operatorRows(rows), connectRows()) {
		w.alone(t, "studio", "agency", "as an admin: "+r.route, func() { bosses["studio"].does(r) })
	}
	maria := bosses["agency"]
	w.alone(t, "agency", "studio", "approving where the account is still there", func() {
		require.NoError(t, maria.win().Command(maria.channel(), "/order approve "+maria.review+" Lovely"))
	})
}

// operatorRows are what only operators may.
func operatorRows(all []row) []row {
	return slices.DeleteFunc(slices.Clone(all), func(r row) bool { return !r.operators })
}

// does is one thing that the person may do.
func (a *actor) does(r row) {
	a.t.Helper()
	win := a.win()
	a.look(win)
	require.NoError(a.t, r.does(a, win), r.route)
	a.reads(win, r.route, func(s string) bool { return !refusal(s) && !strings.Contains(s, "One moment") })
}
