package crowd_test

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/slack-go/slack"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/sandbox/crowd"
	"darkroom/sandbox/shipped"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/seal"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
	"darkroom/upstream"
)

const key = "an encryption key for a crowd and nothing else"

func sealing(t *testing.T) *seal.Keys {
	t.Helper()
	keys, err := seal.NewKeys(key)
	require.NoError(t, err)
	return keys
}

// gather starts a crowd that ends with the test.
func gather(t *testing.T, o crowd.Options) *crowd.Crowd {
	t.Helper()
	c, err := crowd.Start(o)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

// slackOf is the Slack of a workspace, as its installation says.
func slackOf(t *testing.T, c *crowd.Crowd, d *tenants.Directory, workspace int) *client.Client {
	t.Helper()
	i, err := d.Installations.Installed(t.Context(), c.Workspace(workspace))
	require.NoError(t, err)
	slackClient := client.New(client.Config{Token: i.Token, APIURL: variable(c.Environ(), "SLACK_API_URL")})
	t.Cleanup(slackClient.Close)
	return slackClient
}

func variable(environ []string, name string) string {
	for _, one := range environ {
		if value, is := strings.CutPrefix(one, name+"="); is {
			return value
		}
	}
	return ""
}

// serviceOf is the order service of a workspace, as its account says.
func serviceOf(t *testing.T, c *crowd.Crowd, d *tenants.Directory, workspace int) *upstream.Client {
	t.Helper()
	a, err := d.Accounts.Account(t.Context(), c.Workspace(workspace))
	require.NoError(t, err)
	client, err := upstream.New(upstream.Config{URL: a.URL, Key: a.Key, Secret: a.Secret, Params: a.Params, Signature: a.Signature, Numbers: a.Numbers, Retries: -1})
	require.NoError(t, err)
	return client
}

func recordOf(rdb redis.UniversalClient, id string) *store.Store {
	return store.New(rdb, queue.New(rdb, queue.Options{Keyspace: keyspace.Shard(keyspace.ShardOf(id)), Share: 1}).In(id))
}

// news is a message about an order of a workspace.
func news(c *crowd.Crowd, workspace, n int, event string) client.Post {
	return client.Post{
		Channel: c.Channel(workspace, n), Thread: fmt.Sprintf("1600%06d.000100", n), Text: fmt.Sprintf("Order %d of %s", n, c.Workspace(workspace)),
		Metadata: &slack.SlackMetadata{EventType: "darkroom_order", EventPayload: map[string]any{"order_id": c.Order(n), "event": event, "generation": 1}},
	}
}

func TestEveryWorkspaceHasItsOrdersAnnouncedAndQuiet(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		c := gather(t, crowd.Options{Workspaces: 5, Orders: 25, Channels: 2})
		keys := sealing(t)
		require.NoError(t, c.Fill(t.Context(), rdb, keys))
		d := tenants.NewDirectory(rdb, keys)
		for n := range c.Len() {
			s := recordOf(rdb, c.Workspace(n))
			active := map[string]store.Active{}
			require.NoError(t, s.Orders.EachActive(t.Context(), func(id string, a store.Active) { active[id] = a }))
			assert.Len(t, active, c.Orders(n))
			lagging, err := s.Announcements.Unannounced(t.Context())
			require.NoError(t, err)
			assert.Empty(t, lagging)
			for page := 1; len(active) > 0; page++ {
				list, err := serviceOf(t, c, d, n).List(t.Context(), order.Filter{Page: page})
				require.NoError(t, err)
				require.NotEmpty(t, list.Orders)
				for _, o := range list.Orders {
					known := active[o.ID]
					assert.False(t, known.Differs(o), "%s of %s is as it is known", o.ID, c.Workspace(n))
					tracked, err := s.Orders.Order(t.Context(), o.ID)
					require.NoError(t, err)
					assert.Equal(t, store.Owner{Team: c.Workspace(n), Channel: tracked.Owner.Channel, Requester: "U0MARIA", Generation: 1}, tracked.Owner)
					assert.Contains(t, tracked.Order.ProjectName, c.Workspace(n))
					delete(active, o.ID)
				}
			}
		}
		require.NoError(t, c.Check())
	})
}

func TestTheLedgerNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	rdb := storetest.Client(t)
	for name, test := range map[string]struct {
		post func(c *crowd.Crowd) []client.Post // as workspace 1, whose order 0 changed
		want string                             // "": nothing is wrong
	}{
		"told": {func(c *crowd.Crowd) []client.Post { return []client.Post{news(c, 1, 0, "paused")} }, ""},
		"lost": {func(*crowd.Crowd) []client.Post { return nil }, "was not told"},
		"twice": {func(c *crowd.Crowd) []client.Post {
			return []client.Post{news(c, 1, 0, "paused"), news(c, 1, 0, "paused")}
		}, "told twice"},
		"of another": {func(c *crowd.Crowd) []client.Post { return []client.Post{news(c, 0, 0, "paused")} }, "an order of T0CROWD00000"},
		"no change": {func(c *crowd.Crowd) []client.Post {
			return []client.Post{news(c, 1, 0, "paused"), news(c, 1, 1, "paused")}
		}, "has not happened"},
		"out of order": {func(c *crowd.Crowd) []client.Post {
			return []client.Post{news(c, 1, 0, "resumed"), news(c, 1, 0, "paused")}
		}, "has not happened"},
		"wrong channel": {func(c *crowd.Crowd) []client.Post {
			p := news(c, 1, 0, "paused")
			p.Channel = c.Channel(1, 1)
			return []client.Post{p}
		}, "belongs into"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := gather(t, crowd.Options{Workspaces: 2, Orders: 2})
			keys := sealing(t)
			require.NoError(t, c.Fill(t.Context(), rdb, keys)) // equal for all: who comes later writes the same
			require.True(t, c.Change(1, 0))
			require.False(t, c.Change(1, 0), "it was not told yet")
			slack := client.New(client.Config{Token: "xoxe.xoxb-1-00000001-0", APIURL: variable(c.Environ(), "SLACK_API_URL"), Rate: 1e6})
			defer slack.Close()
			for _, p := range test.post(c) {
				_, err := slack.Messages.Post(t.Context(), p)
				require.NoError(t, err)
			}
			err := c.Check()
			if test.want == "" {
				require.NoError(t, err)
				require.Len(t, c.Times(), 1)
				return
			}
			require.ErrorContains(t, err, test.want)
		})
	}
}

// app takes whatever Slack sends it.
func app(t *testing.T, status int) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	t.Cleanup(s.Close)
	return s.URL
}

func TestTheLedgerNamesWhatBecameOfWords(t *testing.T) {
	t.Parallel()
	rdb, keys := storetest.Client(t), sealing(t)
	const first, second = "Keep the shadows soft", "Mind the horizon"
	for name, test := range map[string]struct {
		status int
		sent   func(t *testing.T, own, other *upstream.Client) // where Maria of workspace 1 said both, in this order
		shows  []string                                        // in the thread, as sent
		want   string                                          // "": nothing is wrong
	}{
		"all":             {200, both(first, second), []string{first, second}, ""},
		"not taken":       {500, both(), nil, ""},
		"lost":            {200, both(first), []string{first}, "did not arrive"},
		"not shown":       {200, both(first, second), []string{first}, "the thread does not say so"},
		"out of order":    {200, both(second, first), []string{second, first}, "which was said before"},
		"shown otherwise": {200, both(first, second), []string{second, first}, "out of order"},
		"shown twice":     {200, both(first, second), []string{first, second, second}, "told twice"},
		"elsewhere": {200, func(t *testing.T, _, other *upstream.Client) {
			t.Helper()
			_, err := other.Message(t.Context(), "ord000000", first)
			require.NoError(t, err)
		}, nil, "nobody there said"},
	} {
		t.Run(name, func(t *testing.T) { // one after the other: the accounts are at other addresses each time
			c := gather(t, crowd.Options{Workspaces: 2, Orders: 2})
			require.NoError(t, c.Fill(t.Context(), rdb, keys))
			address, d := app(t, test.status), tenants.NewDirectory(rdb, keys)
			way := crowd.ByMention
			if test.status != 200 { // Slack would tell of it again and again
				way = crowd.ByCommand
			}
			for _, words := range []string{first, second} {
				require.Equal(t, test.status == 200, c.Say(t.Context(), address, 1, 0, way, words))
			}
			test.sent(t, serviceOf(t, c, d, 1), serviceOf(t, c, d, 0))
			slack := slackOf(t, c, d, 1)
			for _, words := range test.shows {
				sum := sha256.Sum256([]byte(words))
				_, err := slack.Messages.Post(t.Context(), news(c, 1, 0, "message:"+hex.EncodeToString(sum[:8])))
				require.NoError(t, err)
			}
			err := c.Check()
			if test.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, test.want)
		})
	}
}

// both sends words to the account of their workspace.
func both(all ...string) func(t *testing.T, own, other *upstream.Client) {
	return func(t *testing.T, own, _ *upstream.Client) {
		t.Helper()
		for _, words := range all {
			_, err := own.Message(t.Context(), "ord000000", words)
			require.NoError(t, err)
		}
	}
}

// What an app looks for that does not know whether its message is out.
func TestAThreadShowsWhatWasPostedBeforeAndSince(t *testing.T) {
	t.Parallel()
	rdb, keys := storetest.Client(t), sealing(t)
	c := gather(t, crowd.Options{Workspaces: 2, Orders: 2})
	require.NoError(t, c.Fill(t.Context(), rdb, keys))
	slack := slackOf(t, c, tenants.NewDirectory(rdb, keys), 1)
	require.True(t, c.Change(1, 1))
	p := news(c, 1, 1, "paused")
	ts, err := slack.Messages.Post(t.Context(), p)
	require.NoError(t, err)
	thread, err := slack.Conversations.Replies(t.Context(), p.Channel, p.Thread, time.Time{})
	require.NoError(t, err)
	var events []any
	for _, m := range thread {
		events = append(events, m.Metadata.EventPayload["event"])
	}
	assert.Equal(t, []any{"card", "placed", "paused"}, events)
	history, err := slack.Conversations.History(t.Context(), p.Channel, time.Time{})
	require.NoError(t, err)
	require.Len(t, history, 1, "the card")
	require.NoError(t, slack.Messages.Delete(t.Context(), p.Channel, ts))
	thread, err = slack.Conversations.Replies(t.Context(), p.Channel, p.Thread, time.Time{})
	require.NoError(t, err)
	assert.Len(t, thread, 2)
	assert.True(t, c.Told(1)[0].Removed)
	assert.Empty(t, c.Told(0))
}

func TestOneWorkspaceMayFareWorse(t *testing.T) {
	t.Parallel()
	rdb, keys := storetest.Client(t), sealing(t)
	c := gather(t, crowd.Options{Workspaces: 2, Orders: 1})
	require.NoError(t, c.Fill(t.Context(), rdb, keys))
	d := tenants.NewDirectory(rdb, keys)
	c.Service(1, crowd.Fault{Down: true})
	_, err := serviceOf(t, c, d, 1).Balance(t.Context())
	require.ErrorIs(t, err, order.ErrUnavailable)
	c.Service(1, crowd.Fault{Hang: true})
	ctx, stop := context.WithCancel(t.Context())
	asked := make(chan error)
	go func() { _, err := serviceOf(t, c, d, 1).Balance(ctx); asked <- err }()
	_, err = serviceOf(t, c, d, 0).Balance(t.Context())
	require.NoError(t, err)
	stop()
	require.Error(t, <-asked)
	c.Service(1, crowd.Fault{})
	_, err = serviceOf(t, c, d, 1).Balance(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.Check())
}

func TestTheKeyOfOneAccountWithTheSecretOfAnotherIsNoted(t *testing.T) {
	t.Parallel()
	rdb, keys := storetest.Client(t), sealing(t)
	c := gather(t, crowd.Options{Workspaces: 2, Orders: 1})
	require.NoError(t, c.Fill(t.Context(), rdb, keys))
	d := tenants.NewDirectory(rdb, keys)
	one, err := d.Accounts.Account(t.Context(), c.Workspace(0))
	require.NoError(t, err)
	other, err := d.Accounts.Account(t.Context(), c.Workspace(1))
	require.NoError(t, err)
	mixed, err := upstream.New(upstream.Config{URL: one.URL, Key: one.Key, Secret: other.Secret, Retries: -1})
	require.NoError(t, err)
	_, err = mixed.List(t.Context(), order.Filter{Page: 1})
	require.Error(t, err)
	require.ErrorContains(t, c.Check(), "do not fit")
}

// The real binary, many workspaces: each change is told once, where it belongs, also when tokens end meanwhile.
func TestTheBinaryTellsEachWorkspaceItsOwn(t *testing.T) {
	t.Parallel()
	redisURL, kind := storetest.Redis(t)
	t.Log("Redis:", kind)
	rdb, err := conn.Connect(redisURL)
	require.NoError(t, err)
	defer func() { _ = rdb.Close() }()
	c := gather(t, crowd.Options{Workspaces: 4, Orders: 2, Channels: 2})
	require.NoError(t, c.Fill(t.Context(), rdb, sealing(t)))
	address := serve(t, append(c.Environ(), "REDIS_URL="+redisURL, "POLL_SCHEDULE=@every 1s", "UPSTREAM_RATE=100"))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for range 2 {
		for n := range c.Len() {
			for o := range c.Orders(n) {
				require.True(t, c.Change(n, o))
			}
		}
		require.NoError(t, c.Settle(ctx))
	}
	require.NoError(t, c.Check())
	require.Len(t, c.Times(), 4*2*2)
	for round := range 2 {
		for n := range c.Len() {
			for o := range c.Orders(n) {
				require.True(t, c.Say(ctx, address, n, o, crowd.Way(o%2), fmt.Sprintf("Keep the shadows soft %d", round)), "what is said in all workspaces is the same, of equal orders")
			}
		}
	}
	require.Eventually(t, func() bool { return c.Undelivered()+c.Unshown() == 0 }, time.Minute, 20*time.Millisecond)
	require.NoError(t, c.Check())
	require.Equal(t, 4*2*2, c.Conversations().Arrived)
	for _, step := range []struct {
		what  crowd.Decision
		words string
	}{{crowd.Revise, "A little warmer 1"}, {crowd.Revise, "A little warmer 2"}, {crowd.Approve, ""}} {
		for n := range 4 {
			require.True(t, c.Deliver(n, 1))
		}
		require.NoError(t, c.Settle(ctx))
		for n := range 4 {
			require.True(t, c.Decide(ctx, address, n, 1, step.what, step.words))
		}
		require.Eventually(t, func() bool {
			return c.Done(0, 1, step.what) && c.Done(1, 1, step.what) && c.Done(2, 1, step.what) && c.Done(3, 1, step.what)
		}, time.Minute, 20*time.Millisecond)
		require.NoError(t, c.Settle(ctx))
		require.NoError(t, c.Check())
	}
	require.Empty(t, c.Refusals())
}

// serve runs the binary until the test ends, and returns its address.
func serve(t *testing.T, environ []string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "darkroom")
	require.NoError(t, shipped.Build(t.Context(), "", binary, "production"))
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	addr := l.Addr().String()
	require.NoError(t, l.Close())
	cmd := exec.Command(binary, "serve") //nolint:noctx // it is told to stop
	cmd.Env = append(environ, "LISTEN_ADDR="+addr, "ADMIN_ADDR=off", "PUBLIC_URL=http://"+addr, "FILE_SIGNING_KEY=a key that signs files of a crowd", "ENCRYPTION_KEY="+key)
	said, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	serving, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if strings.Contains(lines.Text(), "msg=serving") {
				close(serving)
			}
			if strings.Contains(lines.Text(), "level=WARN") || strings.Contains(lines.Text(), "level=ERROR") {
				t.Log(lines.Text())
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-over
		_ = cmd.Wait()
	})
	select {
	case <-serving:
	case <-over:
		require.FailNow(t, "it does not serve")
	}
	return "http://" + addr
}
