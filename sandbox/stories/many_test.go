package stories

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
	"darkroom/store/storetest"
)

// encryptionKey seals what workspaces entrust to the app.
const encryptionKey = "an encryption key for stories and nothing else"

// manyWorld is a Slack of several workspaces, and one app between them and their accounts.
type manyWorld struct {
	*sandbox.Many
	t       *testing.T
	redis   string
	app     *process
	environ []string // what this story adds
}

// openMany starts a Slack of workspaces of these names, in none of which the app is, and the app. Their people, channels
// and orders have equal ids.
func openMany(t *testing.T, delivery sandbox.Delivery, names ...string) *manyWorld {
	t.Helper()
	seated(t)
	redis, kind := storetest.Redis(t)
	t.Logf("Redis: %s", kind)
	o := sandbox.ManyOptions{Delivery: delivery}
	o.Slack.App.Scopes, o.Slack.App.Events = manifest(t)
	o.Slack.App.Events = append(o.Slack.App.Events, "app_uninstalled", "tokens_revoked", "team_access_granted", "team_access_revoked")
	for _, name := range names {
		o.Workspaces = append(o.Workspaces, sandbox.Tenant{Name: name, Photos: photos.Options{Manual: true}})
	}
	m, err := sandbox.StartMany(o)
	require.NoError(t, err)
	t.Cleanup(m.Close)
	w := &manyWorld{Many: m, t: t, redis: redis}
	w.startApp(delivery)
	t.Cleanup(func() {
		w.app.stop()
		require.NoError(t, w.Strangers())
	})
	return w
}

// startApp runs `darkroom serve` and waits until it listens.
func (w *manyWorld) startApp(delivery sandbox.Delivery) {
	w.t.Helper()
	for range 5 { // somebody else may take the address first
		addr := freeAddress(w.t)
		w.app = start(w.t, binary, slices.Concat(w.Environ(), []string{
			"REDIS_URL=" + w.redis, "LISTEN_ADDR=" + addr, "ADMIN_ADDR=127.0.0.1:0", "LOG_LEVEL=debug",
			"PUBLIC_URL=http://" + addr, "FILE_SIGNING_KEY=" + fileKey, "ENCRYPTION_KEY=" + encryptionKey,
		}, w.environ))
		if w.app != nil {
			break
		}
	}
	require.NotNil(w.t, w.app, "no address to listen on")
	w.SetAppURL(w.app.url)
	if delivery != sandbox.OverHTTP {
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
	admin.SeesModal("Order service")
	admin.Fill("Base URL", account.URL)
	admin.Fill("API key", account.Key)
	admin.Fill("API secret", account.Secret)
	admin.Submit()
	admin.Sees("Everybody in this workspace can order now")
	admin.CloseModal()
	require.NotContains(w.t, w.app.said(), account.Secret)
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
	for _, way := range ways {
		t.Run(string(way), func(t *testing.T) {
			t.Parallel()
			w := openMany(t, way, "studio", "agency")
			w.add("studio", "olga")
			w.add("agency", "olga")

			studio, agency := w.in("studio", "maria"), w.in("agency", "maria")
			studio.Type("/order new")
			studio.Sees("This workspace is not connected to an order service")
			w.connect("studio", "olga")
			agency.Type("/order new")
			agency.Sees("This workspace is not connected to an order service")
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
			studio.PressOn("Ready for review", "Approve")
			studio.SeesModal("Approve order")
			studio.Submit()
			studio.Sees("The order is closed")
			studio.CloseModal()
			require.Equal(t, "closed", w.Photos("studio").Orders()[0].Status)
			require.NotEqual(t, "closed", w.Photos("agency").Orders()[0].Status)

			require.NoError(t, w.Photos("agency").Deliver(two[0].ID))
			agency.SeesBroadcast("Ready for review")
			for _, m := range w.Workspace("studio").Messages(w.Workspace("studio").Channel("shoots").ID) {
				require.NotContains(t, m.Text, "wedding in May")
			}
			for _, secret := range w.Slack.Secrets() {
				require.False(t, strings.Contains(w.app.said(), secret), "a secret of Slack's is in the log")
			}
		})
	}
}
