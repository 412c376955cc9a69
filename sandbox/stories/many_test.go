package stories

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
	"darkroom/sandbox/slack"
	"darkroom/sandbox/workspace"
)

// encryptionKey seals what workspaces entrust to the app.
const encryptionKey = "an encryption key for stories and nothing else"

// manyWorld is a Slack of several workspaces, and one app between them and their accounts.
type manyWorld struct {
	*sandbox.Many
	t        *testing.T
	redis    string
	delivery sandbox.Delivery
	key      string // ENCRYPTION_KEY
	environ  []string
	app      *process
}

// restart stops the app and starts it with another key.
func (w *manyWorld) restart(key string) {
	w.t.Helper()
	w.app.stop()
	w.requireNothingSecret()
	w.key = key
	w.startApp()
}

// openMany starts a Slack of workspaces of these names, in none of which the app is, and the app. Their people, channels
// and orders have equal ids.
func openMany(t *testing.T, delivery sandbox.Delivery, names []string, change ...func(*sandbox.ManyOptions)) *manyWorld {
	t.Helper()
	seated(t)
	return openManyAtOnce(t, delivery, names, change...)
}

// openManyAtOnce is openMany without a seat, for a story that has the browser's window.
func openManyAtOnce(t *testing.T, delivery sandbox.Delivery, names []string, change ...func(*sandbox.ManyOptions)) *manyWorld {
	t.Helper()
	w := aManyWorld(t, delivery, itsRedis(t), names, change...)
	w.startApp()
	return w
}

// aManyWorld is all of that but the app.
func aManyWorld(t *testing.T, delivery sandbox.Delivery, redis string, names []string, change ...func(*sandbox.ManyOptions)) *manyWorld {
	t.Helper()
	o := sandbox.ManyOptions{Delivery: delivery}
	o.Slack.App.Scopes, o.Slack.App.Events = manifest(t)
	o.Slack.App.Events = append(o.Slack.App.Events, "app_uninstalled", "tokens_revoked", "team_access_granted", "team_access_revoked")
	for _, name := range names {
		o.Workspaces = append(o.Workspaces, sandbox.Tenant{Name: name, Photos: photos.Options{Manual: true}})
	}
	for _, c := range change {
		c(&o)
	}
	m, err := sandbox.StartMany(o)
	require.NoError(t, err)
	t.Cleanup(m.Close)
	w := &manyWorld{Many: m, t: t, redis: redis, delivery: delivery, key: encryptionKey}
	t.Cleanup(func() {
		w.app.stop()
		require.NotContains(t, w.app.said(), "DATA RACE")
		for _, name := range w.Names() {
			record(w.Workspace(name))
		}
		require.NoError(t, w.Strangers())
		require.Empty(t, w.Slack.Refused(), "a dead token was used")
		w.requireNothingSecret()
	})
	return w
}

// requireNothingSecret looks for everything secret in what the app logged and in whatever Redis holds.
func (w *manyWorld) requireNothingSecret() {
	w.t.Helper()
	secrets := w.Slack.Secrets()
	for _, name := range w.Names() {
		secrets = append(secrets, w.Account(name).Secret, w.Account(name).Key)
	}
	kept := stolen(w.t, w.redis) + w.app.said()
	require.Contains(w.t, kept, "installation", "there is something to find")
	for _, secret := range secrets {
		for how, text := range map[string]string{
			"in clear": secret, "in hex": hex.EncodeToString([]byte(secret)), "in base64": base64.RawStdEncoding.EncodeToString([]byte(secret))[:len(secret)],
		} {
			require.NotContains(w.t, kept, text, how)
		}
	}
}

// stolen is all that a Redis holds, as whoever copied it would read it.
func stolen(t *testing.T, address string) string {
	t.Helper()
	rdb := asOperator(t, address)
	ctx := context.Background()
	var all strings.Builder
	keys, err := rdb.Keys(ctx, "*").Result()
	require.NoError(t, err)
	for _, key := range keys {
		fmt.Fprintln(&all, key, valueOf(t, rdb, key))
	}
	return all.String()
}

// valueOf is what Redis has under a key, whatever its type; nil when it has expired.
func valueOf(t *testing.T, rdb redis.UniversalClient, key string) any {
	t.Helper()
	ctx := context.Background()
	switch kind := rdb.Type(ctx, key).Val(); kind {
	case "string":
		return rdb.Get(ctx, key).Val()
	case "hash":
		return rdb.HGetAll(ctx, key).Val()
	case "list":
		return rdb.LRange(ctx, key, 0, -1).Val()
	case "set":
		return rdb.SMembers(ctx, key).Val()
	case "zset":
		return rdb.ZRange(ctx, key, 0, -1).Val()
	case "stream":
		return rdb.XRange(ctx, key, "-", "+").Val()
	case "none":
		return nil
	default:
		require.Fail(t, "a key of an unknown type", "%s: %s", key, kind)
		return nil
	}
}

// startApp runs `darkroom serve` and waits until it listens.
func (w *manyWorld) startApp() {
	w.t.Helper()
	for range 5 { // somebody else may take the address first
		addr := freeAddress(w.t)
		w.app = start(w.t, binary, slices.Concat(w.Environ(), []string{
			"REDIS_URL=" + w.redis, "LISTEN_ADDR=" + addr, "ADMIN_ADDR=127.0.0.1:0", "LOG_LEVEL=debug",
			"PUBLIC_URL=http://" + addr, "FILE_SIGNING_KEY=" + fileKey, "ENCRYPTION_KEY=" + w.key,
		}, w.environ))
		if w.app != nil {
			break
		}
	}
	require.NotNil(w.t, w.app, "no address to listen on")
	w.SetAppURL(w.app.url)
	if w.delivery != sandbox.OverHTTP {
		require.Eventually(w.t, func() bool { return w.Slack.Desk().Sockets() > 0 }, patience, tick, "the app dials out")
	}
}

// in is somebody in one of the workspaces.
func (w *manyWorld) in(workspace, name string) *person.T {
	return person.In(w.t, w.Workspace(workspace), name, person.Options{Patience: patience})
}

// add has somebody add the app to their workspace.
func (w *manyWorld) add(workspace, who string) {
	w.t.Helper()
	b, err := w.AddToSlack(w.app.url+"/slack/install", workspace, who)
	require.NoError(w.t, err)
	require.NoError(w.t, b.Sees("Darkroom was added to "+w.Workspace(workspace).Team()), b.Text())
}

// connect has an admin connect the workspace to its account.
func (w *manyWorld) connect(workspace, who string) {
	w.t.Helper()
	admin, account := w.in(workspace, who), w.Account(workspace)
	admin.OpenHome()
	admin.Press("Connect")
	admin.SeesModal("Connect photo service")
	admin.Fill("Base URL", account.URL)
	admin.Fill("API key", account.Key)
	admin.Fill("API secret", account.Secret)
	admin.Submit()
	admin.Sees("All full members of this workspace can order now")
	admin.CloseModal()
	require.NotContains(w.t, w.app.said(), account.Secret)
}

// disconnect has an admin disconnect it again, and keep what was ordered.
func (w *manyWorld) disconnect(workspace, who string) {
	w.t.Helper()
	admin := w.in(workspace, who)
	admin.OpenHome()
	admin.Press("Disconnect")
	admin.SeesModal("Disconnect photo service")
	admin.Submit()
	admin.Sees("no longer connected to")
	admin.CloseModal()
}

// placeIn places the samples in #shoots of a workspace.
func (w *manyWorld) placeIn(who *person.T, project string) {
	w.t.Helper()
	who.Type("/order new " + w.Samples()[0])
	who.SeesModal("New photo order")
	who.Fill("Instructions", "Brighten the sky.")
	who.Fill("Project name", project)
	who.Submit()
	who.Sees("Order placed")
	who.CloseModal()
	who.SeesInThread(project, "Placed")
}

// TestTwoWorkspacesAddConnectAndOrder: as new admins of two workspaces, whose people, channels and orders have the same
// ids, and each of which sees its own only.
func TestTwoWorkspacesAddConnectAndOrder(t *testing.T) {
	t.Parallel()
	w := openMany(t, delivery(), []string{"studio", "agency"})
	w.add("studio", "olga")
	w.add("agency", "olga")

	studio, agency := w.in("studio", "maria"), w.in("agency", "maria")
	studio.Type("/order new")
	studio.Sees("This workspace is not connected to a photo service")
	w.connect("studio", "olga")
	agency.Type("/order new")
	agency.Sees("This workspace is not connected to a photo service")
	w.connect("agency", "olga")

	w.placeIn(studio, "Spring shoes")
	w.placeIn(agency, "A wedding in May")
	one, two := w.Photos("studio").Orders(), w.Photos("agency").Orders()
	require.Len(t, one, 1)
	require.Len(t, two, 1)
	require.Equal(t, one[0].ID, two[0].ID, "two services count alike")

	require.NoError(t, w.Photos("studio").Deliver(one[0].ID))
	studio.SeesBroadcast("Ready for review")
	agency.SeesNoButton("Approve")
	approveOn(studio, "Ready for review", "Spring shoes")
	require.Equal(t, "closed", w.Photos("studio").Orders()[0].Status)
	require.NotEqual(t, "closed", w.Photos("agency").Orders()[0].Status)

	require.NoError(t, w.Photos("agency").Deliver(two[0].ID))
	agency.SeesBroadcast("Ready for review")
	for _, m := range w.Workspace("studio").Messages(w.Workspace("studio").Channel("shoots").ID) {
		require.NotContains(t, m.Text, "wedding in May")
	}
	w.disconnect("studio", "olga")
	studio.Type("/order new")
	studio.Sees("This workspace is not connected to a photo service")
	w.placeIn(agency, "A wedding in June")
}

// TestTheAppIsRemovedAndAddedAgain: what a workspace had is there when it comes back, its tokens are not, and its
// neighbour hears of nothing.
func TestTheAppIsRemovedAndAddedAgain(t *testing.T) {
	t.Parallel()
	for _, told := range [][]string{{"app_uninstalled", "tokens_revoked"}, {"tokens_revoked", "app_uninstalled", "app_uninstalled"}} {
		t.Run(strings.Join(told, " then "), func(t *testing.T) {
			t.Parallel()
			w := openMany(t, sandbox.OverHTTP, []string{"studio", "agency"})
			for _, name := range w.Names() {
				w.add(name, "olga")
				w.connect(name, "olga")
			}
			maria, other := w.in("studio", "maria"), w.in("agency", "maria")
			w.placeIn(maria, "Spring shoes")
			require.NoError(t, w.Slack.RemoveApp(w.Workspace("studio").ID(), told...))
			require.Eventually(t, func() bool { return strings.Contains(w.app.said(), "app removed") }, patience, tick)
			require.NoError(t, w.Photos("studio").Deliver(w.Photos("studio").Orders()[0].ID))

			w.placeIn(other, "A wedding in May")
			w.add("studio", "olga")
			maria.SeesBroadcast("Ready for review")
			approveOn(maria, "Ready for review", "Spring shoes")
			require.Equal(t, 1, w.Photos("studio").Orders()[0].Approvals)
		})
	}
}

// TestTokensAreRenewedWhilePeopleWork: tokens that last fifteen seconds, and none is used that has ended.
func TestTokensAreRenewedWhilePeopleWork(t *testing.T) {
	t.Parallel()
	w := openMany(t, sandbox.OverHTTP, []string{"studio"}, func(o *sandbox.ManyOptions) {
		o.Slack.App.Rotation, o.Slack.App.TokenLife = true, 13*time.Second
	})
	w.add("studio", "olga")
	w.connect("studio", "olga")
	first, maria, tokens := w.Slack.Token(w.Workspace("studio").ID()), w.in("studio", "maria"), map[string]bool{}
	for n := 0; len(tokens) < 3; n++ {
		maria.Type("/order settings")
		maria.SeesModal("Channel settings")
		maria.Sees("The editor gets") // it is filled in: one look at a time
		maria.CloseModal()
		tokens[w.Slack.Token(w.Workspace("studio").ID())] = true
		require.Less(t, n, 50_000, "tokens are renewed")
	}
	require.Contains(t, tokens, first)
	w.placeIn(maria, "Spring shoes")
}

// TestTheKeyIsChangedWhilePeopleWork: a new key behind the old one, then in front, what is kept sealed anew, and then the old one taken away.
func TestTheKeyIsChangedWhilePeopleWork(t *testing.T) {
	t.Parallel()
	w := openMany(t, sandbox.OverHTTP, []string{"studio", "agency"})
	w.add("studio", "olga")
	w.connect("studio", "olga")
	maria, other := w.in("studio", "maria"), w.in("agency", "maria")
	w.placeIn(maria, "Spring shoes")

	const next = "the key that comes after that one and is as long"
	w.restart(encryptionKey + "," + next) // every replica can open what it seals, before one seals with it
	w.restart(next + "," + encryptionKey)
	w.add("agency", "olga")
	w.connect("agency", "olga")
	w.placeIn(maria, "Winter boots")
	w.placeIn(other, "A wedding in May")
	w.reseal()
	w.restart(next)
	w.placeIn(maria, "Summer sandals")
	w.placeIn(other, "A wedding in June")
}

// reseal runs `darkroom reseal` as an operator does.
func (w *manyWorld) reseal() {
	w.t.Helper()
	c := exec.CommandContext(w.t.Context(), binary, "reseal")
	c.Env = []string{"REDIS_URL=" + w.redis, "ENCRYPTION_KEY=" + w.key}
	out, err := c.CombinedOutput()
	require.NoError(w.t, err, string(out))
}

// TestAnOrganisationAddsTheAppForItsWorkspaces: one installation, two workspaces, each with an account and orders of its
// own.
func TestAnOrganisationAddsTheAppForItsWorkspaces(t *testing.T) {
	t.Parallel()
	w := openOrganisation(t, delivery())
	for name, project := range map[string]string{"north": "Snow", "south": "Palms"} {
		w.connect(name, "olga")
		w.placeIn(w.in(name, "maria"), project)
		require.NoError(t, w.Photos(name).Deliver(w.Photos(name).Orders()[0].ID))
		maria := w.in(name, "maria")
		maria.SeesBroadcast("Ready for review")
		approveOn(maria, "Ready for review", project)
	}
	for _, name := range w.Names() {
		require.Len(t, w.Photos(name).Orders(), 1)
		require.Equal(t, 1, w.Photos(name).Orders()[0].Approvals)
	}
}

// openOrganisation has an organisation add the app for its two workspaces, north and south.
func openOrganisation(t *testing.T, way sandbox.Delivery) *manyWorld {
	t.Helper()
	w := openMany(t, way, []string{"north", "south"}, func(o *sandbox.ManyOptions) {
		o.Slack.App.OrgReady = true
		o.Slack.Organisations = []slack.Organisation{{ID: "E1", Name: "Big Corp"}}
		for i, mark := range []string{"N", "S"} {
			o.Workspaces[i].Workspace = slack.Distinct(workspace.Options{Enterprise: "E1"}, mark)
		}
	})
	b := person.NewBrowser()
	require.NoError(t, b.Open(w.app.url+"/slack/install"))
	require.NoError(t, b.Press("Add to Slack"))
	require.NoError(t, b.Press("Olga at "+w.Workspace("north").Team()))
	require.NoError(t, b.Choose("Workspace", "Big Corp (organisation)"))
	require.NoError(t, b.Press("Allow"))
	require.NoError(t, b.Sees("Darkroom was added to Big Corp"), b.Text())
	require.NoError(t, w.Slack.GrantTeams("E1", w.Workspace("north").ID(), w.Workspace("south").ID()))
	return w
}

// TestAnOrderInASharedChannelStaysItsWorkspaces: two workspaces of an organisation share a channel, their accounts count
// alike, and somebody of one uses the review of the other's order.
func TestAnOrderInASharedChannelStaysItsWorkspaces(t *testing.T) {
	t.Parallel()
	w := openOrganisation(t, delivery())
	w.connect("north", "olga")
	w.connect("south", "olga")
	maria := w.in("north", "maria")
	w.placeIn(maria, "Snow")
	w.placeIn(w.in("south", "maria"), "Palms")
	snow, palms := w.Photos("north").Orders()[0], w.Photos("south").Orders()[0]
	require.Equal(t, snow.ID, palms.ID)
	require.NoError(t, w.Photos("north").Deliver(snow.ID))
	require.NoError(t, w.Photos("south").Deliver(palms.ID))
	maria.SeesBroadcast("Ready for review")
	w.in("south", "maria").SeesBroadcast("Ready for review")

	require.NoError(t, w.Slack.ShareChannel("north", "shoots", "south", "ben"))
	ben := w.in("north", w.Workspace("south").User("ben").ID)
	ben.PressOn("Ready for review", "Approve")
	ben.Press("Approve")
	ben.Sees("This order belongs to another workspace that shares this channel")
	ben.CloseModal()
	ben.PressOn("Brighten the sky.", "Cancel order")
	ben.Press("Cancel Order")
	ben.Sees("This order belongs to another workspace that shares this channel")
	ben.CloseModal()
	require.Zero(t, w.Photos("north").Orders()[0].Approvals)
	require.Zero(t, w.Photos("south").Orders()[0].Approvals)

	approveOn(maria, "Ready for review", "Snow")
	require.Equal(t, 1, w.Photos("north").Orders()[0].Approvals)
	require.Zero(t, w.Photos("south").Orders()[0].Approvals)
	require.Equal(t, "reviewing", w.Photos("south").Orders()[0].Status)
}
