package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/sandbox"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/tenants"
)

const aDay = 24 * time.Hour

// TestARemovalThatNobodyToldIsFoundWithinADay: Slack tries a few times to tell of it, and then never again. From then on
// it is as if the event had come.
func TestARemovalThatNobodyToldIsFoundWithinADay(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ rotates, ended bool }{
		"a token that lasts": {}, "one that is renewed": {rotates: true}, "one that ended meanwhile": {rotates: true, ended: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openManyTown(t, []string{"studio", "agency"}, func(o *sandbox.ManyOptions) { o.Slack.App.Rotation = row.rotates })
			w.open()
			ctx, studio := t.Context(), w.Workspace("studio").ID()
			shard := keyspace.ShardOf(studio)
			w.follows("studio")
			w.follows("agency")
			require.NoError(t, w.Slack.RemoveAppNoEvent(studio))
			if row.ended {
				w.ends(studio, time.Now().Add(-time.Hour))
			}
			w.eventually(func() bool {
				w.looksToday(shard) // the first of these may meet the job at its beginning, which waits
				return !w.entry(studio).Gone.IsZero()
			}, "the app looks by itself")
			require.Equal(t, tenants.SealedNone, w.entry(studio).Token)
			w.eventually(func() bool {
				job := tenants.PollJob()
				job.Tenant = studio
				return strings.Contains(w.app.many.Polls.Work(ctx, &queue.Delivery{Job: job}).Error(), "idle ")
			}, "its service is asked no more")
			require.NoError(t, w.ahead(31*aDay).SweepShard(ctx, shard))
			has, err := w.store("studio").Connection.HasOrders(ctx)
			require.NoError(t, err)
			require.False(t, has, "thirty days later it is forgotten")
			require.Zero(t, w.entry(w.Workspace("agency").ID()).Gone)

			w.add("studio", "olga")
			require.NoError(t, w.ahead(33*aDay).SweepShard(ctx, shard))
			require.Zero(t, w.entry(studio).Gone, "it is there again")
		})
	}
}

// ends has the token of a workspace be one that ended then.
func (w *manyTown) ends(id string, at time.Time) {
	w.t.Helper()
	i, err := w.app.many.Directory.Installations.Known(w.t.Context(), id)
	require.NoError(w.t, err)
	i.Expires = at
	require.NoError(w.t, w.app.many.Directory.Installations.Install(w.t.Context(), i))
	w.app.many.Apps.Forget(id)
}

// TestOnlyATokenThatSlackSaysIsGoneTellsOfARemoval: everything else passes, or somebody else mends it.
func TestOnlyATokenThatSlackSaysIsGoneTellsOfARemoval(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		rotates bool
		happens func(w *manyTown, id string)
		gone    bool
	}{
		"it was found in public, and there is another": {rotates: true, happens: func(w *manyTown, id string) { w.Slack.RevokeTokens(id) }},
		"it was revoked, and there is no other":        {happens: func(w *manyTown, id string) { w.Slack.RevokeTokens(id) }, gone: true},
		"Slack does not know it": {happens: func(w *manyTown, id string) { // or not from this address
			i := installation(id, "Studio")
			i.Refresh, i.Expires = "", time.Time{}
			require.NoError(w.t, w.app.many.Directory.Installations.Install(w.t.Context(), i))
			w.app.many.Apps.Forget(id)
		}},
		"it ended, and Slack gives no other": {happens: func(w *manyTown, id string) { // a backup was put back
			require.NoError(w.t, w.app.many.Directory.Installations.Install(w.t.Context(), installation(id, "Studio")))
			w.ends(id, time.Now().Add(-aDay))
		}},
		"the same for a month": {happens: func(w *manyTown, id string) {
			require.NoError(w.t, w.app.many.Directory.Installations.Install(w.t.Context(), installation(id, "Studio")))
			w.ends(id, time.Now().Add(-31*aDay))
		}, gone: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openManyTown(t, []string{"studio"}, func(o *sandbox.ManyOptions) { o.Slack.App.Rotation = row.rotates })
			w.open()
			id := w.Workspace("studio").ID()
			row.happens(w, id)
			require.NoError(t, w.ahead(0).SweepShard(t.Context(), keyspace.ShardOf(id)))
			require.Equal(t, row.gone, !w.entry(id).Gone.IsZero())
		})
	}
}

// TestNobodyIsGoneBecauseSlackIsAway: it is asked no more for now, and again an hour later.
func TestNobodyIsGoneBecauseSlackIsAway(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"studio", "agency"}, nil)
	w.open()
	ctx, id := t.Context(), w.Workspace("studio").ID()
	require.NoError(t, w.Slack.RemoveAppNoEvent(id))
	blind := w.replica(func(c *config.Config) { c.SlackAPIURL = "http://127.0.0.1:1/api/" }).many.Remover
	require.Error(t, blind.SweepShard(ctx, keyspace.ShardOf(id)))
	for _, name := range w.Names() {
		require.Zero(t, w.entry(w.Workspace(name).ID()).Gone)
	}
	require.NoError(t, w.ahead(0).SweepShard(ctx, keyspace.ShardOf(id)), "nobody has looked yet")
	require.False(t, w.entry(id).Gone.IsZero())
}

// TestAnOrganisationsRemovalThatNamesAWorkspace: an event without authorizations names the workspace in which the app
// heard of it. What Slack says to the organisation's token tells whose removal it was; a removal that nobody told is found by the daily look.
func TestAnOrganisationsRemovalThatNamesAWorkspace(t *testing.T) {
	t.Parallel()
	for _, told := range []string{"app_uninstalled", "tokens_revoked", "the token of an earlier bot user", "nothing", "of the workspace alone"} {
		t.Run(told, func(t *testing.T) {
			t.Parallel()
			w := openManyTown(t, []string{"north", "south"}, organisation)
			w.addEverywhere("north", "south")
			ctx, directory := t.Context(), w.app.many.Directory
			for _, name := range w.Names() {
				id := w.Workspace(name).ID()
				w.eventually(func() bool { _, err := directory.Installations.Installed(ctx, id); return err == nil }, "it is given to "+name)
			}
			says := map[string]any{"type": told, "tokens": map[string]any{"oauth": []string{}, "bot": []string{"U0DARKROOM"}}}
			switch told {
			case "of the workspace alone":
				says["type"] = "app_uninstalled"
				w.Workspace("north").Announce(says, nil)
				w.eventually(func() bool { return !w.entry(w.Workspace("north").ID()).Gone.IsZero() }, "it is gone from north")
				require.NoError(t, w.ahead(0).SweepShard(ctx, keyspace.ShardOf("E1")))
				require.Zero(t, w.entry("E1").Gone)
				require.Zero(t, w.entry(w.Workspace("south").ID()).Gone)
				return
			case "the token of an earlier bot user":
				says["type"], says["tokens"] = "tokens_revoked", map[string]any{"bot": []string{"UEARLIER"}}
				require.NoError(t, w.Slack.RemoveAppNoEvent("E1"))
				w.Workspace("north").Announce(says, nil)
			case "nothing":
				require.NoError(t, w.Slack.RemoveAppNoEvent("E1"))
				require.NoError(t, w.ahead(0).SweepShard(ctx, keyspace.ShardOf("E1")))
			default:
				require.NoError(t, w.Slack.RemoveAppNoEvent("E1"))
				w.Workspace("north").Announce(says, nil)
			}
			w.eventually(func() bool { return w.entry("E1").Token == tenants.SealedNone && !w.entry("E1").Gone.IsZero() }, "the organisation's token is gone")
			_, err := directory.Installations.Installed(ctx, w.Workspace("south").ID())
			require.ErrorIs(t, err, tenants.ErrNotInstalled)
		})
	}
}
