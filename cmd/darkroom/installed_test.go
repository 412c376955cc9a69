package main

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/sandbox"
	"darkroom/sandbox/slack"
	"darkroom/sandbox/workspace"
	"darkroom/store/tenants"
)

// organisation has north and south be of one organisation, whose people have ids of their own.
func organisation(o *sandbox.ManyOptions) {
	o.Slack.App.OrgReady = true
	o.Slack.Organisations = []slack.Organisation{{ID: "E1", Name: "Big Corp"}}
	for i, mark := range []string{"N", "S"} {
		was := o.Workspaces[i].Workspace
		o.Workspaces[i].Workspace = slack.Distinct(workspace.Options{Enterprise: "E1"}, mark)
		o.Workspaces[i].Workspace.TeamID = was.TeamID
	}
}

// addEverywhere adds the app to the organisation, and has it give the app to workspaces.
func (w *manyTown) addEverywhere(workspaces ...string) {
	w.t.Helper()
	given := w.Slack.AddApp("E1", w.Workspace(w.Names()[0]).User("olga").ID)
	token, _ := given["access_token"].(string)
	botUser, _ := given["bot_user_id"].(string)
	require.NoError(w.t, w.app.many.Directory.Installations.Install(w.t.Context(), tenants.Installation{
		ID: "E1", Enterprise: "E1", Name: "Big Corp", OrgWide: true, Scopes: manifest.Names(manifest.Scopes), BotUser: botUser, Token: token, At: time.Now(),
	}))
	w.app.many.Apps.Forget("E1")
	for _, name := range workspaces {
		require.NoError(w.t, w.Slack.GrantTeams("E1", w.Workspace(name).ID()))
	}
}

// entry is what the directory has of a workspace or organisation.
func (w *manyTown) entry(id string) tenants.Entry {
	w.t.Helper()
	e, known, err := w.app.many.Directory.Entries.Entry(w.t.Context(), id)
	require.NoError(w.t, err)
	require.True(w.t, known, id)
	return e
}

// replica is another replica, which hears nothing of Slack.
func (w *manyTown) replica(change func(*config.Config)) *app {
	w.t.Helper()
	cfg := w.app.cfg
	if change != nil {
		change(&cfg)
	}
	a, err := newApp(cfg, slog.New(slog.NewTextHandler(w.t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})), nil)
	require.NoError(w.t, err)
	w.t.Cleanup(func() { require.NoError(w.t, a.close()) })
	return a
}

// TestAnOrganisationTakesNothingFromAWorkspaceThatAddedTheAppItself: its token is its own, and Slack takes it as before.
func TestAnOrganisationTakesNothingFromAWorkspaceThatAddedTheAppItself(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"north", "south"}, organisation)
	w.add("north", "olga")
	w.connect("north", "olga")
	w.addEverywhere("north", "south")
	north, south := w.Workspace("north").ID(), w.Workspace("south").ID()
	w.eventually(func() bool {
		_, err := w.app.many.Directory.Installations.Installed(t.Context(), south)
		return err == nil
	}, "it is given to south")
	require.NoError(t, w.Slack.RevokeTeams("E1", north, south))
	w.eventually(func() bool { return !w.entry(south).Gone.IsZero() }, "it is taken from south")
	require.Equal(t, tenants.SealedNewest, w.entry(north).Token)
	require.Zero(t, w.entry(north).Gone)
	w.place(w.in("north", "maria"), "Snow")
}

// TestALateEventMakesNoWorkspaceItsOrganisations: an event from before a workspace removed its own app concerns the
// removed app, even if it names the organisation. Later events concern the organisation's app.
func TestALateEventMakesNoWorkspaceItsOrganisations(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"north", "south"}, organisation)
	w.add("north", "olga")
	w.addEverywhere("south")
	ctx, north, sent := t.Context(), w.Workspace("north").ID(), time.Now()
	require.NoError(t, w.store("north").Connection.SetLeaving(ctx, tenants.LeavingForgets))
	require.NoError(t, w.Slack.RemoveApp(north))
	w.eventually(func() bool { c, err := w.store("north").Connection.Read(ctx); return err == nil && c.Forgotten }, "it is forgotten")

	late := bot.Request{Kind: bot.KindEvent, Team: north, Enterprise: "E1", OrgWide: true, Certain: true, At: sent}
	_, err := w.app.many.AppFor(ctx, late)
	require.ErrorIs(t, err, bot.ErrNotOurs)
	w.looks(5*time.Minute, north)
	_, err = w.app.many.AppFor(ctx, late)
	require.ErrorIs(t, err, bot.ErrNotOurs, "also when all was forgotten")
	require.Equal(t, "", w.entry(north).Organisation)
	require.False(t, w.entry(north).Gone.IsZero())

	gone := w.entry(north).Gone.Unix()
	w.eventually(func() bool { return time.Now().Unix() > gone }, "a second has passed: Slack tells no less of when that was")
	late.At = time.Now()
	its, err := w.app.many.AppFor(ctx, late)
	require.NoError(t, err, "it has the app by its organisation")
	require.Equal(t, north, its.ID)
	require.Equal(t, "E1", w.entry(north).Organisation)

	require.NoError(t, w.app.many.Directory.Installations.Leave(ctx, north, time.Now()))
	for range 2 {
		w.looks(tenants.LateEvents+time.Hour, north)
	}
	_, known, err := w.app.many.Directory.Entries.Entry(ctx, north)
	require.NoError(t, err)
	require.False(t, known, "the directory does not grow for ever")
}

// TestOnlySlackMakesAWorkspaceAnOrganisations: somebody of another organisation's workspace presses a button in a shared
// channel, and the payload names no workspace but theirs. That is no word on where the app is.
func TestOnlySlackMakesAWorkspaceAnOrganisations(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"north", "south"}, organisation)
	w.addEverywhere("north")
	ctx, stranger := t.Context(), w.Workspace("south").ID()
	w.eventually(func() bool {
		_, err := w.app.many.Directory.Installations.Installed(ctx, w.Workspace("north").ID())
		return err == nil
	}, "it is given to north")
	for _, kind := range []bot.Kind{bot.KindAction, bot.KindCommand, bot.KindSubmit, bot.KindShortcut, bot.KindEvent} {
		_, err := w.app.many.AppFor(ctx, bot.Request{Kind: kind, Team: stranger, Enterprise: "E1", OrgWide: true, At: time.Now()})
		require.ErrorIs(t, err, bot.ErrNotOurs, kind)
	}
	_, known, err := w.app.many.Directory.Entries.Entry(ctx, stranger)
	require.NoError(t, err)
	require.False(t, known, "nothing is kept of it")
}

// TestAnotherAppsTokenIsNoneOfOurs: what Slack revokes of another bot user, or of people, leaves the app where it is.
func TestAnotherAppsTokenIsNoneOfOurs(t *testing.T) {
	t.Parallel()
	w := openManyTown(t, []string{"north", "south"}, organisation)
	w.add("north", "olga")
	ctx, north := t.Context(), w.Workspace("north").ID()
	known, err := w.app.many.Directory.Installations.Known(ctx, north)
	require.NoError(t, err)
	for _, row := range []struct {
		bots string
		gone bool
	}{{``, false}, {`"UOTHER"`, false}, {`"UOTHER","` + known.BotUser + `"`, true}} {
		_, err := w.app.many.Installations.Revoked(ctx, bot.Request{
			Kind: bot.KindEvent, Name: "tokens_revoked", Team: north, At: time.Now(), Event: []byte(`{"type":"tokens_revoked","tokens":{"oauth":["U1"],"bot":[` + row.bots + `]}}`),
		})
		require.NoError(t, err)
		require.Equal(t, row.gone, !w.entry(north).Gone.IsZero(), row.bots)
	}
}

// TestAnotherReplicaKnowsWhoTheAppIsNow: who adds the app again may get another bot user and other permissions, and all
// replicas use them, although only one got the event.
func TestAnotherReplicaKnowsWhoTheAppIsNow(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{false, true} {
		t.Run(map[bool]string{false: "a workspace", true: "an organisation"}[whole], func(t *testing.T) {
			t.Parallel()
			w := openManyTown(t, []string{"north", "south"}, func(o *sandbox.ManyOptions) { organisation(o); o.Slack.App.OtherBotUser = true })
			ctx, north := t.Context(), w.Workspace("north").ID()
			added, add := north, func() { w.add("north", "olga") }
			if whole {
				added, add = "E1", func() { w.addEverywhere("north") }
			}
			other := w.replica(nil).many
			who := func() string {
				its, err := other.Apps.Of(ctx, north)
				require.NoError(t, err)
				me, err := its.Slack.People.Identity(ctx)
				require.NoError(t, err)
				return me.BotUser
			}
			isThere := func() bool { _, err := w.app.many.Directory.Installations.Installed(ctx, north); return err == nil }
			add()
			w.eventually(isThere, "it is there")
			first := who()
			require.NoError(t, w.Slack.RemoveApp(added))
			removed := time.Now().Unix()
			w.eventually(func() bool { return !isThere() && time.Now().Unix() > removed }, "it is gone, for a second: Slack tells no less of when that was")
			add()
			w.eventually(isThere, "it is there again")
			w.eventually(func() bool { return who() != first }, "the other replica looks again")
		})
	}
}
