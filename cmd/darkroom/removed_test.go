package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/tenants"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	storetenants "darkroom/store/tenants"
)

// ahead has the app's remover believe that it is that much later.
func (w *manyTown) ahead(by time.Duration) *tenants.Remover {
	r := *w.app.many.Remover
	r.SweepIn = 0
	r.Now = func() time.Time { return time.Now().Add(by) }
	return &r
}

// looks looks at one as the app does, and believes that it is that much later.
func (w *manyTown) looks(later time.Duration, id string) {
	w.t.Helper()
	_, err := w.ahead(later).Look(w.t.Context(), id)
	require.NoError(w.t, err)
}

// looksToday has the app look after a shard now, as it does once a day.
func (w *manyTown) looksToday(shard int) {
	w.t.Helper()
	require.NoError(w.t, w.app.many.PollQueues[shard].In(tenants.AppTenant).Wake(w.t.Context(), tenants.ShardJob(tenants.RemovalsJob, shard), true))
}

// looksUntilUnknown looks at some as the app does, again and again until nothing is known of them: when a look finds what a
// late job left behind, another one follows. Each believes that it is minutes later than the one before.
func (w *manyTown) looksUntilUnknown(ids ...string) {
	w.t.Helper()
	looks := time.Duration(0)
	w.eventually(func() bool {
		looks++
		unknown := true
		for _, id := range ids {
			w.looks(looks*5*time.Minute, id)
			_, known, err := w.app.many.Directory.Entries.Entry(w.t.Context(), id)
			require.NoError(w.t, err)
			unknown = unknown && !known
		}
		return unknown
	}, "nothing is known of it any more")
}

// forgotten tells whether a workspace's data was forgotten, to the end.
func (w *manyTown) forgotten(workspace string) bool {
	c, err := w.store(workspace).Connection.Read(w.t.Context())
	return err == nil && c.Forgotten
}

// named are the keys in which a workspace's id is, but for those that end by themselves.
func (w *manyTown) named(workspace string) (keys []string) {
	w.t.Helper()
	id := w.Workspace(workspace).ID()
	all, err := w.rdb.Keys(w.t.Context(), "*").Result()
	require.NoError(w.t, err)
	for _, key := range all {
		of := strings.FieldsFunc(key, func(r rune) bool { return strings.ContainsRune(":/{}", r) })
		ends, err := w.rdb.TTL(w.t.Context(), key).Result()
		require.NoError(w.t, err)
		for _, part := range of {
			if part == id && ends == -1 {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// kept are the keys of a workspace's documents, orders and events: not those that come and go with its jobs.
func (w *manyTown) kept(workspace string) []string {
	w.t.Helper()
	return slices.DeleteFunc(keysOf(w.t, w.rdb, w.Workspace(workspace).ID()), func(key string) bool {
		return !slices.ContainsFunc([]string{":order:", ":events:", ":installation", ":account", ":connection"}, func(family string) bool { return strings.Contains(key, family) })
	})
}

// follows has a workspace follow an order.
func (w *manyTown) follows(workspace string) {
	w.t.Helper()
	_, err := w.store(workspace).Changes.AddOrder(w.t.Context(), store.NewOrder{
		ID: "o1", Owner: store.Owner{Team: w.Workspace(workspace).ID(), Channel: "C0SHOOTS", Requester: "U0MARIA"}, Reference: "K7Q2XM",
		Order: order.Order{Status: order.StatusEditing, OrderedAt: time.Now()},
	})
	require.NoError(w.t, err)
}

// TestAWorkspaceThatLeavesIsForgottenAtOnceIfItsAdminsSaidSo: all that is left of it is the mark by which late jobs are
// known, which ends by itself. Its neighbour has everything, and it can begin anew. Whatever order Slack tells it in.
func TestAWorkspaceThatLeavesIsForgottenAtOnceIfItsAdminsSaidSo(t *testing.T) {
	t.Parallel()
	for _, told := range [][]string{{"app_uninstalled", "tokens_revoked"}, {"tokens_revoked", "app_uninstalled", "app_uninstalled"}} {
		t.Run(strings.Join(told, " then "), func(t *testing.T) {
			t.Parallel()
			w := openManyTown(t, []string{"studio", "agency"}, nil)
			w.open()
			ctx, id := t.Context(), w.Workspace("studio").ID()
			maria, other := w.in("studio", "maria"), w.in("agency", "maria")
			w.place(maria, "Spring shoes")
			w.place(other, "A wedding in May")
			require.NoError(t, w.store("studio").Connection.SetLeaving(ctx, storetenants.LeavingForgets))
			neighbours := w.kept("agency")
			require.NotEmpty(t, neighbours)

			require.NoError(t, w.Slack.RemoveApp(id, told...))
			w.eventually(func() bool { return w.forgotten("studio") }, "it is forgotten at once")
			e, known, err := w.app.many.Directory.Entries.Entry(ctx, id)
			require.NoError(t, err)
			require.True(t, known, "until what was under way has ended")
			require.False(t, e.Connected)
			w.looksUntilUnknown(id)
			w.eventually(func() bool {
				if len(w.named("studio")) == 0 {
					return true
				}
				// else it looks a minute later; a look that was under way may have ended in such a wait
				require.NoError(t, w.app.many.PollQueues[keyspace.ShardOf(id)].In(id).Wake(ctx, tenants.TimedJob(tenants.RemovalJob), true))
				return false
			}, "jobs that were under way are dropped")
			mark, err := w.rdb.TTL(ctx, keyspace.OfWorkspace(id).Key("connection")).Result()
			require.NoError(t, err)
			require.Positive(t, mark, "the mark is there, and ends by itself")
			require.Equal(t, neighbours, w.kept("agency"))
			w.looks(5*time.Minute, id) // who hears of it late changes nothing

			w.add("studio", "olga")
			w.connect("studio", "olga")
			w.place(maria, "Winter boots")
			orders := w.Photos("studio").Orders()
			require.NoError(t, w.Photos("studio").Deliver(orders[0].ID))
			w.looks(100*24*time.Hour, id) // it is there again
			maria.SeesInThread("Winter boots", "Placed")
		})
	}
}

// TestOnceADayWhatIsDueIsForgotten: after thirty days unless the admins chose otherwise, by one replica.
func TestOnceADayWhatIsDueIsForgotten(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	w := openManyTown(t, []string{"studio", "agency", "shop"}, nil)
	w.open()
	ctx, directory := t.Context(), w.app.many.Directory
	shard := keyspace.ShardOf(w.Workspace("studio").ID())
	for _, name := range w.Names() {
		w.follows(name)
	}
	require.NoError(t, w.store("agency").Connection.SetLeaving(ctx, storetenants.LeavingKeeps))
	for _, name := range []string{"studio", "agency"} {
		require.NoError(t, directory.Installations.Leave(ctx, w.Workspace(name).ID(), time.Now()))
	}
	has := func(name string) bool {
		has, err := w.store(name).Connection.HasOrders(ctx)
		require.NoError(t, err)
		return has
	}
	known := func(name string) bool {
		_, known, err := directory.Entries.Entry(ctx, w.Workspace(name).ID())
		require.NoError(t, err)
		return known
	}
	require.NoError(t, w.ahead(29*day).SweepShard(ctx, shard))
	require.True(t, has("studio"))

	delivery := &queue.Delivery{Job: tenants.ShardJob(tenants.RemovalsJob, shard), Deliveries: 2}
	require.ErrorContains(t, w.ahead(31*day).WorkShard(ctx, delivery), "wait 2", "the next look is in a day")
	w.eventually(func() bool { return w.forgotten("studio") }, "it is forgotten")
	require.False(t, has("studio"))
	require.True(t, known("studio"))
	days := time.Duration(31)
	w.eventually(func() bool {
		days++
		require.NoError(t, w.ahead(days*day).SweepShard(ctx, shard))
		return !known("studio")
	}, "the directory does not grow for ever: a day on which nothing more is found is the last")
	require.NoError(t, w.ahead(1000*day).SweepShard(ctx, shard))
	for _, name := range []string{"agency", "shop"} {
		require.True(t, has(name))
		require.True(t, known(name))
	}
}

// TestAWorkspaceThatTakesLongerThanALookIsLookedAtAgain: soon.
func TestAWorkspaceThatTakesLongerThanALookIsLookedAtAgain(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"studio"}, nil)
	id := w.Workspace("studio").ID()
	over, end := context.WithDeadline(t.Context(), time.Now())
	defer end()
	r := w.ahead(0)
	again, err := r.Look(over, id)
	require.Error(t, err)
	require.Equal(t, 65*time.Second, again)
	w.looks(0, id)
}

// TestWhenAnOrganisationLeavesItsWorkspacesDo: but for one that has the app by itself, and the organisation is known as
// long as one of them is.
func TestWhenAnOrganisationLeavesItsWorkspacesDo(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"north", "south"}, organisation)
	ctx, directory := t.Context(), w.app.many.Directory
	grid := installation("E1", "Big Corp")
	grid.At = time.Now().Add(-time.Hour)
	require.NoError(t, directory.Installations.Install(ctx, grid))
	north, south := w.Workspace("north").ID(), w.Workspace("south").ID()
	require.NoError(t, directory.Installations.Grant(ctx, north, "E1", grid.At))
	own := installation(south, "South")
	own.At = grid.At
	require.NoError(t, directory.Installations.Install(ctx, own))
	for _, name := range w.Names() {
		require.NoError(t, w.store(name).Connection.SetLeaving(ctx, storetenants.LeavingForgets))
		w.follows(name)
	}
	require.NoError(t, w.app.many.Installations.Leave(ctx, "E1", time.Now()))
	w.eventually(func() bool { has, err := w.store("north").Connection.HasOrders(ctx); return err == nil && !has }, "it goes with its organisation")
	w.looks(time.Minute, "E1")
	_, known, err := directory.Entries.Entry(ctx, "E1")
	require.NoError(t, err)
	require.True(t, known, "since when its workspaces are gone is still to be known")
	w.looksUntilUnknown(north, "E1")
	for id, want := range map[string]bool{"E1": false, north: false, south: true} {
		_, known, err := directory.Entries.Entry(ctx, id)
		require.NoError(t, err)
		require.Equal(t, want, known, id)
	}
	has, err := w.store("south").Connection.HasOrders(ctx)
	require.NoError(t, err)
	require.True(t, has)
}

// TestANewAppLooksForRemovalsWithinAnHourAndNotAtOnce: each shard's first look waits, also while the app puts its polls.
func TestANewAppLooksForRemovalsWithinAnHourAndNotAtOnce(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"studio"}, nil)
	w.open()
	for shard := range keyspace.Shards {
		key := keyspace.Shard(shard).Key
		w.eventually(func() bool {
			return w.rdb.ZScore(t.Context(), key("poll", "waiting"), "app/removals").Err() == nil
		}, "the look waits")
		delivered, err := w.rdb.HGet(t.Context(), key("poll", "job:app/removals"), "deliveries").Int()
		require.NoError(t, err)
		require.Equal(t, 1, delivered, "shard %d: put off, and not looked at", shard)
	}
}
