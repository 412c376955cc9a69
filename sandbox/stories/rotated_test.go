package stories

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
	"darkroom/store/storetest"
)

// Every secret is changed while people work, and nothing is lost. That of file addresses is in
// form_test.go.

// talks has somebody write to the editor of an order until it ends, one message after the other as the
// thread shows them; end tells how many were written.
func (w *world) talks(who *person.T, project, id string) (end func() int) {
	over, n := make(chan struct{}), 0
	var talking sync.WaitGroup
	talking.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
			}
			n++
			text := "Number " + strings.Repeat("i", n) + "."
			who.Type("/order message " + id + " " + text)
			who.SeesInThread(project, text)
		}
	})
	return func() int { close(over); talking.Wait(); return n }
}

// saidTo counts a message of ours in an order's conversation.
func (w *world) saidTo(id, text string) (n int) {
	o, _ := w.Photos.Order(id)
	for _, m := range o.Messages {
		if m.From == "client" && m.Content == text {
			n++
		}
	}
	return n
}

// replaces has a process with another environment take the place of the one that runs, which stops
// once the other serves.
func (w *world) replaces(environ ...string) {
	w.t.Helper()
	w.environ = append(w.environ, environ...)
	before, sockets := w.app, w.Workspace.Sockets()
	w.app = w.launch()
	w.Workspace.SetAppURL(w.app.url)
	if sockets > 0 {
		w.until("the new one dials out", func() bool { return w.Workspace.Sockets() > sockets })
	}
	before.stop()
}

// What the old secret signed is still on its way, or comes again, when the new one signs: the app
// believes both for a while.
func TestTheSigningSecretIsChangedUnderTraffic(t *testing.T) {
	t.Parallel()
	const old, newer = "8f742231b10e8888abcd99yyyzzz85a5", "00000000000000000000000000000000"
	w := open(t, func(o *sandbox.Options) { o.Delivery = sandbox.OverHTTP })
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Signed anew")
	done := w.talks(ben, "Signed anew", order.ID)
	w.replaces("SLACK_SIGNING_SECRET=" + old + "," + newer)
	w.Workspace.SetSigningSecret(newer)
	w.placed(maria, "Signed by the new")
	w.replaces("SLACK_SIGNING_SECRET=" + newer)
	w.placed(maria, "And by it alone")
	n := done()
	require.Len(t, w.called("Signed anew").Messages, n)
	require.Len(t, w.Photos.Orders(), 3)
	all := w.Workspace.Deliveries()
	for i, d := range all {
		// What meets a process that is just stopping may have no answer: Slack brings it again.
		again := func(later workspace.Delivery) bool {
			return later.Status == http.StatusOK && bytes.Equal(later.Body, d.Body)
		}
		require.True(t, d.Status == http.StatusOK || d.Status == 0 && slices.ContainsFunc(all[i+1:], again), "%s: %d, %v", d.Kind, d.Status, d.Err)
	}
	w.Workspace.SetSigningSecret(old)
	ben.Type("/order help")
	all = w.Workspace.Deliveries()
	require.Equal(t, http.StatusUnauthorized, all[len(all)-1].Status, "what the old one signs is refused")
}

// An app may have several app-level tokens: the old one is revoked when nobody uses it.
func TestTheAppLevelTokenIsChangedUnderTraffic(t *testing.T) {
	t.Parallel()
	const old, newer = "xapp-sandbox-token", "xapp-newer-token"
	w := open(t, func(o *sandbox.Options) { o.Delivery = sandbox.OverSocket })
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Dialled anew")
	done := w.talks(ben, "Dialled anew", order.ID)
	w.Workspace.SetAppTokens(old, newer)
	w.replaces("SLACK_APP_TOKEN=" + newer)
	w.Workspace.SetAppTokens(newer)
	w.placed(maria, "Dialled with the new")
	n := done()
	require.Len(t, w.called("Dialled anew").Messages, n)
}

// Redis takes two passwords of one user, so that both are good while processes are replaced.
func TestThePasswordOfRedisIsChangedUnderTraffic(t *testing.T) {
	t.Parallel()
	seated(t)
	server := storetest.Start(t)
	admin := server.Client()
	user := func(rules ...any) {
		t.Helper()
		require.NoError(t, admin.Do(t.Context(), append([]any{"ACL", "SETUSER", "darkroom"}, rules...)...).Err())
	}
	user("reset", "on", ">first", "~{darkroom}:*", "&*", "+@all")
	url := func(password string) string {
		return strings.Replace(server.URL(), "redis://", "redis://darkroom:"+password+"@", 1)
	}
	w := openOver(t, url("first"))
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Behind a password")
	done := w.talks(ben, "Behind a password", order.ID)
	user(">second")
	w.redis = url("second")
	w.replaces()
	user("<first")
	w.placed(maria, "Behind the new one")
	n := done()
	require.Len(t, w.called("Behind a password").Messages, n)
	first, err := redis.ParseURL(url("first"))
	require.NoError(t, err)
	rdb := redis.NewClient(first)
	defer func() { _ = rdb.Close() }()
	require.ErrorContains(t, rdb.Ping(t.Context()).Err(), "WRONGPASS")
}

// The service's key and Slack's bot token may have no overlap: whoever asks for something between the
// change and the restart is told that it was not done, with their words, and the channel hears of the
// rest afterwards.
func TestWhatIsAskedWhileAKeyIsChangedIsGivenBack(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		change func(*world)
		with   []string
	}{
		"the service's key": {func(w *world) { w.Photos.SetKey("newer-key", "newer-secret") }, []string{"UPSTREAM_API_KEY=newer-key", "UPSTREAM_API_SECRET=newer-secret"}},
		"the bot token":     {func(w *world) { w.Workspace.SetBotToken("xoxb-newer-token") }, []string{"SLACK_BOT_TOKEN=xoxb-newer-token"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			maria := w.person("maria")
			order := w.place(maria, "In between")
			row.change(w)
			maria.Type("/order message " + order.ID + " Asked in between.")
			require.NoError(t, w.Photos.Deliver(order.ID))
			w.until("the words are given back", func() bool { return w.givenBack("maria", "Asked in between.") })
			require.Zero(t, w.saidTo(order.ID, "Asked in between."))
			w.restart(row.with...)
			ben := person.In(t, w.Workspace, "ben", person.Options{Patience: time.Minute + patience}) // as long as a channel may wait for its turn
			ben.SeesInThread("In between", "Ready for review")
			maria.Type("/order message " + order.ID + " Asked in between.")
			maria.SeesInThread("In between", "Asked in between.")
			w.placed(maria, "Afterwards")
			require.Equal(t, 1, w.saidTo(order.ID, "Asked in between."))
			require.Contains(t, w.dead(), "There are no dead letters")
			require.Equal(t, 1, w.countInThread("In between", "Ready for review"))
		})
	}
}

// givenBack tells whether somebody was shown these words alone, or by direct message.
func (w *world) givenBack(name, words string) bool {
	return slices.ContainsFunc(slices.Concat(w.Workspace.Ephemerals(name), w.Workspace.DMs(name)), func(m workspace.Message) bool {
		return strings.Contains(m.Text, words)
	})
}
