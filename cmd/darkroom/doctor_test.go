package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/config"
	"darkroom/cmd/darkroom/doctor"
	"darkroom/cmd/darkroom/manifest"
	"darkroom/order"
	"darkroom/sandbox"
	service "darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

// clinic is a whole app with all it needs, for doctor to look at.
type clinic struct {
	*sandbox.Sandbox
	t       *testing.T
	rdb     *redis.Client
	app     *app
	environ []string
	before  func() // what happens each time before doctor is asked; nil: nothing
}

// examination is a report, with what tests ask of it.
type examination struct{ doctor.Report }

const doctorsKey = "s3cret-key-of-file-addresses-0123456789"

// openClinic starts everything as it should be; change makes it otherwise.
func openClinic(t *testing.T, change ...func(*sandbox.Options)) *clinic {
	t.Helper()
	server := storetest.Start(t)
	c := &clinic{t: t, rdb: server.Client()}
	require.NoError(t, c.rdb.ConfigSet(t.Context(), "appendfsync", "always").Err())
	o := sandbox.Options{Delivery: sandbox.OverBoth}
	o.Photos.Manual = true
	o.Photos.Key, o.Photos.Secret = "s3cret-api-key", "s3cret-api-secret"
	o.Workspace = workspace.Options{Scopes: manifest.Names(manifest.Scopes), Events: manifest.Names(manifest.Events), SigningSecret: "s3cret-signing", BotToken: "xoxb-s3cret", AppToken: "xapp-s3cret"}
	for _, f := range change {
		f(&o)
	}
	var err error
	c.Sandbox, err = sandbox.Start(o)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := "http://" + listener.Addr().String()
	c.environ = append(c.Environ(), "REDIS_URL="+server.URL(), "PUBLIC_URL="+address, "LISTEN_ADDR="+listener.Addr().String(),
		"FILE_SIGNING_KEY="+doctorsKey, "OPS_CHANNEL=C0SHOOTS", "UPSTREAM_RATE=1000")
	c.start(listener, address)
	return c
}

func (c *clinic) start(listener net.Listener, address string) {
	c.t.Helper()
	cfg, err := config.Read(append(slices.Clone(c.environ), "POLL_SCHEDULE=@every 1h"))
	require.NoError(c.t, err)
	c.app, err = newApp(cfg, slog.New(slog.DiscardHandler), nil)
	require.NoError(c.t, err)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.app.run(ctx, listener) }()
	c.t.Cleanup(func() { stop(); require.NoError(c.t, <-ended) })
	c.Workspace.SetAppURL(address)
	require.True(c.t, c.Workspace.VerifyURL())
	c.heard(store.InboundVerified)
	c.heard(store.InboundStart)
}

// heard waits until something is marked.
func (c *clinic) heard(what store.Inbound) {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		heard, err := c.app.own.Store.Inbounds.LastInbound(c.t.Context())
		return err == nil && !heard[what].IsZero()
	}, 30*time.Second, 10*time.Millisecond)
}

// names notes what the account's answers told of the names of orders.
func (c *clinic) names(n tenants.Names) {
	c.t.Helper()
	cfg, err := config.Read(c.environ)
	require.NoError(c.t, err)
	_, err = c.app.own.Store.AccountNames.NoteNames(c.t.Context(), cfg.Account().ID(), n)
	require.NoError(c.t, err)
}

// report is what doctor says, with some of the environment changed.
func (c *clinic) report(change ...string) examination {
	c.t.Helper()
	return examinedAfter(c.t, c.before, append(slices.Clone(c.environ), change...))
}

// busy is how often doctor is asked again when all that ails Redis is that this machine has much to do.
const busy = 20

// examined is what doctor says of an environment, as JSON; its exit status fits, and no secret is in it.
func examined(t *testing.T, environ []string) examination {
	t.Helper()
	return examinedAfter(t, nil, environ)
}

// examinedAfter is examined when something happens each time before doctor is asked.
func examinedAfter(t *testing.T, before func(), environ []string) examination {
	t.Helper()
	once := func() examination {
		if before != nil {
			before()
		}
		return examinedOnce(t, environ)
	}
	r := once()
	for range busy {
		if !slices.ContainsFunc(r.Areas, func(a doctor.Area) bool {
			return slices.ContainsFunc(a.Checks, func(c doctor.Check) bool { return c.Name == "latency" && c.State == doctor.Yellow })
		}) {
			break
		}
		r = once()
	}
	return r
}

func examinedOnce(t *testing.T, environ []string) examination {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"doctor", "--json"}, environ, strings.NewReader(""), &out, &errs)
	var r examination
	require.NoError(t, json.Unmarshal(out.Bytes(), &r), "%s%s", out.String(), errs.String())
	require.Empty(t, errs.String())
	require.NotContains(t, out.String(), "s3cret")
	want := 0
	if r.State == doctor.Red {
		want = 1
	}
	require.Equal(t, want, code)
	return r
}

// check is one check of a report, "area/name".
func (r examination) find(t *testing.T, path string) doctor.Check {
	t.Helper()
	in, name, _ := strings.Cut(path, "/")
	for _, a := range r.Areas {
		for _, c := range a.Checks {
			if a.Name == in && c.Name == name {
				return c
			}
		}
	}
	t.Fatalf("no check %s in %+v", path, r.Areas)
	return doctor.Check{}
}

// but requires that all is green but for these checks; "" is all.
func (r examination) but(t *testing.T, paths ...string) {
	t.Helper()
	for _, a := range r.Areas {
		for _, c := range a.Checks {
			if !slices.Contains(paths, a.Name+"/"+c.Name) {
				assert.Equal(t, doctor.Green, c.State, "%s: %+v", a.Name, c)
			}
			assert.Regexp(t, `[.:…”]$`, c.Message, "a sentence")
			if c.State == doctor.Red && a.Name != "configuration" {
				assert.NotEmpty(t, c.Fix+strings.Join(c.Settings, ""), "what to do: %+v", c)
			}
		}
	}
}

func TestDoctorFindsAllGreenAndChangesNothing(t *testing.T) {
	t.Parallel()
	c := openClinic(t)
	before := len(c.Workspace.Requests())
	r := c.report()
	r.but(t)
	require.Equal(t, doctor.Green, r.State)
	require.NotEmpty(t, r.Unseen)

	var out bytes.Buffer
	for range busy {
		out.Reset()
		require.Zero(t, run(t.Context(), []string{"doctor"}, c.environ, strings.NewReader(""), &out, &out))
		if !strings.Contains(out.String(), "Run the app near its Redis") {
			break
		}
	}
	require.Contains(t, out.String(), "0 yellow, 0 red. All is well.")
	require.NotContains(t, out.String(), "\x1b", "colours are for terminals")

	for _, q := range c.Photos.Requests() {
		switch q.Op {
		case service.Balance, service.List, service.Fetch:
		case service.Approve:
			require.Contains(t, q.Path, "/orders/darkroom-doctor-")
		case service.Cancel:
			require.Contains(t, q.Params["order_id"], "darkroom-doctor-")
		default:
			require.Failf(t, "not harmless", "%s %s", q.Method, q.Path)
		}
	}
	require.Empty(t, c.Photos.Orders())
	for _, q := range c.Workspace.Requests()[before:] {
		require.Contains(t, []string{"auth.test", "users.conversations", "conversations.info", "apps.connections.open", "files.info"}, q.Method, "doctor only looks")
	}
	require.NoError(t, c.Strangers())
}

func TestDoctorWithNothingConfiguredIsAllRed(t *testing.T) {
	t.Parallel()
	r := examined(t, nil)
	require.Len(t, r.Areas, 5)
	for _, a := range r.Areas {
		require.NotEmpty(t, a.Checks, a.Name)
		for _, c := range a.Checks {
			require.Equal(t, doctor.Red, c.State, "%s: %+v", a.Name, c)
			require.NotEmpty(t, c.Message+c.Fix)
		}
	}
	require.Contains(t, r.find(t, "PUBLIC_URL/address").Message, "photos uploaded in Slack cannot be ordered")
	require.Len(t, r.Areas[0].Checks, 6, "each variable that is missing has a line of its own")
}

func TestDoctorSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>Hello</html>")) }))
	t.Cleanup(elsewhere.Close)
	moved := httptest.NewServer(http.RedirectHandler("https://www.example.com/?token=s3cret", http.StatusMovedPermanently))
	t.Cleanup(moved.Close)
	untrusted := httptest.NewTLSServer(elsewhere.Config.Handler)
	t.Cleanup(untrusted.Close)
	firewall := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<html>Forbidden</html>", http.StatusForbidden)
	}))
	t.Cleanup(firewall.Close)
	credulous := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		says := `{"errors":[],"data":{"order_id":"1","status":"reviewing"}}`
		switch {
		case strings.HasSuffix(r.URL.Path, "/balance"):
			says = `{"errors":[],"data":{"credits":3}}`
		case strings.HasSuffix(r.URL.Path, "/orders"):
			says = `{"errors":[],"data":[]}`
		}
		_, _ = w.Write([]byte(says))
	}))
	t.Cleanup(credulous.Close)
	const gone = "http://127.0.0.1:1" // a closed server's port may be another test's by then
	for name, row := range map[string]struct {
		spoil func(*clinic)
		set   []string
		at    string
		state doctor.State
		says  string // also of what to do
	}{
		"a variable":           {nil, []string{"LOG_LEVEL=loud"}, "configuration/LOG_LEVEL", doctor.Red, "is not understood: it should hold debug"},
		"Redis is not there":   {nil, []string{"REDIS_URL=redis://:s3cret@127.0.0.1:1/0?max_retries=-1"}, "Redis/connection", doctor.Red, "does not answer"},
		"appendonly no":        {func(c *clinic) { c.redis("appendonly", "no") }, nil, "Redis/persistence", doctor.Red, "appendonly yes"},
		"appendfsync everysec": {func(c *clinic) { c.redis("appendfsync", "everysec") }, nil, "Redis/persistence", doctor.Yellow, "last second"},
		"eviction":             {func(c *clinic) { c.redis("maxmemory-policy", "allkeys-lru") }, nil, "Redis/eviction", doctor.Red, "noeviction"},

		"another bot token":     {nil, []string{"SLACK_BOT_TOKEN=xoxb-s3cret-other"}, "Slack/bot token", doctor.Red, "does not know this token (invalid_auth)"},
		"Slack is not there":    {nil, []string{"SLACK_API_URL=" + gone + "/api/"}, "Slack/bot token", doctor.Red, "does not answer"},
		"Slack has moved":       {nil, []string{"SLACK_API_URL=" + moved.URL + "/api/"}, "Slack/bot token", doctor.Red, "Slack does not answer (HTTP status 301, not an answer of Slack's): people"},
		"another app token":     {nil, []string{"SLACK_APP_TOKEN=xapp-s3cret-other"}, "Slack/app token", doctor.Red, "connections:write"},
		"a missing scope":       {func(c *clinic) { c.without("users:read") }, nil, "Slack/permissions", doctor.Red, "users:read"},
		"an optional scope":     {func(c *clinic) { c.without("files:write") }, nil, "Slack/permissions", doctor.Yellow, "works without files:write"},
		"no operations channel": {nil, []string{"OPS_CHANNEL="}, "Slack/OPS_CHANNEL", doctor.Yellow, "Set OPS_CHANNEL"},
		"a channel without us":  {nil, []string{"OPS_CHANNEL=C0WEDDINGS"}, "Slack/OPS_CHANNEL", doctor.Red, "/invite @Darkroom"},
		"no such channel":       {nil, []string{"OPS_CHANNEL=C0NOSUCH"}, "Slack/OPS_CHANNEL", doctor.Red, "no such channel"},
		"an archived channel":   {func(c *clinic) { c.Workspace.Archive("C0SHOOTS") }, nil, "Slack/OPS_CHANNEL", doctor.Red, "is archived: nobody hears of outages. Choose another"},
		"nothing ever came":     {func(c *clinic) { c.marks(store.InboundStart) }, nil, "Slack/delivery", doctor.Red, "press Retry"},
		"only clicks ever came": {func(c *clinic) { c.marks(store.InboundStart, store.InboundCommand) }, nil, "Slack/delivery", doctor.Yellow, "no event ever did"},
		"the app never ran":     {func(c *clinic) { c.marks() }, nil, "Slack/delivery", doctor.Yellow, "No \"darkroom serve\" has run"},
		"the app has stopped": {func(c *clinic) {
			c.aged(map[store.Inbound]time.Duration{store.InboundStart: time.Hour, store.InboundEvent: time.Hour})
		}, nil, "Slack/delivery", doctor.Red, "No \"darkroom serve\" has run since"},
		"events came no more": {func(c *clinic) {
			c.aged(map[store.Inbound]time.Duration{store.InboundStart: 0, store.InboundInteraction: time.Hour, store.InboundEvent: 26 * time.Hour})
		}, nil, "Slack/delivery", doctor.Yellow, "no event has come since"},
		"verified, clicks, no event": {func(c *clinic) {
			c.aged(map[store.Inbound]time.Duration{store.InboundStart: 0, store.InboundVerified: time.Hour, store.InboundCommand: 10 * time.Minute})
		}, nil, "Slack/delivery", doctor.Yellow, "The request URL is verified and commands arrive, but no event ever did"},
		"a stranger's verification": {func(c *clinic) {
			c.aged(map[store.Inbound]time.Duration{store.InboundStart: 0, store.InboundVerified: 48 * time.Hour, store.InboundEvent: time.Hour, store.InboundUnverified: time.Minute})
		}, nil, "Slack/delivery", doctor.Yellow, "somebody else sent it, and nothing is wrong"},
		"a stranger's, while events are missing": {func(c *clinic) {
			c.aged(map[store.Inbound]time.Duration{store.InboundStart: 0, store.InboundVerified: time.Hour, store.InboundCommand: 10 * time.Minute, store.InboundUnverified: time.Minute})
		}, nil, "Slack/delivery", doctor.Yellow, "no event ever did"},
		"another signing secret": {func(c *clinic) { c.marks(store.InboundStart, store.InboundUnverified) }, nil, "Slack/delivery", doctor.Red, "signed with another secret"},

		"no PUBLIC_URL":               {nil, []string{"PUBLIC_URL=", "FILE_SIGNING_KEY="}, "PUBLIC_URL/address", doctor.Yellow, "photos uploaded in Slack cannot be ordered"},
		"no PUBLIC_URL nor much else": {nil, []string{"PUBLIC_URL=", "FILE_SIGNING_KEY=", "SLACK_APP_TOKEN=", "LOG_LEVEL=loud"}, "PUBLIC_URL/address", doctor.Yellow, "photos uploaded in Slack cannot be ordered"},
		"something else is there":     {nil, []string{"PUBLIC_URL=" + elsewhere.URL}, "PUBLIC_URL/address", doctor.Red, "answered by something else"},
		"it redirects":                {nil, []string{"PUBLIC_URL=" + moved.URL}, "PUBLIC_URL/address", doctor.Red, "redirects to https://www.example.com/:"},
		"an untrusted certificate":    {nil, []string{"PUBLIC_URL=" + untrusted.URL}, "PUBLIC_URL/address", doctor.Red, "no known authority signed"},
		"nobody is there":             {nil, []string{"PUBLIC_URL=" + gone}, "PUBLIC_URL/address", doctor.Red, "does not answer"},
		"another key":                 {nil, []string{"FILE_SIGNING_KEY=" + strings.Repeat("o", 40)}, "PUBLIC_URL/photos", doctor.Red, "another FILE_SIGNING_KEY"},
		"a secret of another app's":   {nil, []string{"SLACK_SIGNING_SECRET=s3cret-other"}, "PUBLIC_URL/request URL", doctor.Red, "another SLACK_SIGNING_SECRET"},

		"photos without Slack": {func(c *clinic) { c.Workspace.Misbehave("files.info", workspace.Fails("fatal_error"), 20) }, nil, "PUBLIC_URL/photos", doctor.Yellow, "the app there cannot reach Slack now"},

		"the service is down":  {func(c *clinic) { c.Photos.Down() }, nil, "photo service/address", doctor.Red, "does not answer"},
		"a page":               {nil, []string{"UPSTREAM_URL=" + elsewhere.URL}, "photo service/address", doctor.Red, "not the photo service"},
		"a firewall":           {nil, []string{"UPSTREAM_URL=" + firewall.URL}, "photo service/address", doctor.Red, "Something in front of the service refuses (HTTP status 403, no answer in the service's form)"},
		"a service that moved": {nil, []string{"UPSTREAM_URL=" + moved.URL}, "photo service/address", doctor.Red, "UPSTREAM_URL redirects (HTTP status 301)"},
		"a proxy's trouble":    {func(c *clinic) { c.Photos.Misbehave(service.Any, service.HTML(), -1) }, nil, "photo service/address", doctor.Red, "HTTP status 502"},
		"too many": {func(c *clinic) {
			c.before = func() { c.Photos.Misbehave(service.Balance, service.TooMany(time.Second), 2) }
		}, nil, "photo service/rate", doctor.Yellow, "Lower UPSTREAM_RATE"},
		"too many for long":          {func(c *clinic) { c.Photos.Misbehave(service.List, service.TooMany(time.Hour), -1) }, nil, "photo service/address", doctor.Yellow, "coming too often"},
		"names of the service's own": {func(c *clinic) { c.names(tenants.Names{Own: true}) }, nil, "photo service/names", doctor.Yellow, "may be there although the app does not find it"},
		"names that are kept":        {func(c *clinic) { c.names(tenants.Names{Kept: order.NameLength{Letters: 22, Bytes: 22}}) }, nil, "photo service/names", doctor.Green, "22 characters at least"},
		"another API secret":         {nil, []string{"UPSTREAM_API_SECRET=s3cret-other"}, "photo service/signature", doctor.Red, "invalid signature"},
		"few credits":                {nil, []string{"LOW_CREDITS=500.5"}, "photo service/balance", doctor.Yellow, "fewer than LOW_CREDITS (500.5)"},
		"a fetch that says nothing":  {func(c *clinic) { c.Photos.Misbehave(service.Fetch, service.Refuses("internal error"), -1) }, nil, "photo service/parameters", doctor.Yellow, "“internal error”. Set UPSTREAM_PARAMS"},
		"a test system":              {nil, []string{"UPSTREAM_URL=" + credulous.URL}, "photo service/address", doctor.Red, "reports success for an order that was made up"},
		"no DELETE":                  {func(c *clinic) { c.Photos.Misbehave(service.Cancel, service.Refuses("order_id is missing"), -1) }, nil, "photo service/parameters", doctor.Yellow, "those of a DELETE nowhere"},
		"a list without keywords": {func(c *clinic) {
			c.Photos.Misbehave(service.List, service.Refuses("no keywords today"), -1)
			c.Photos.Misbehave(service.Fetch, service.Refuses("internal error"), -1)
		}, nil, "photo service/signature", doctor.Yellow, "refuses the keywords that would tell the dialects apart: “no keywords today”."},
		"errors that nobody knows": {func(c *clinic) { c.Photos.Misbehave(service.Approve, service.Refuses("no luck today"), -1) }, nil, "photo service/parameters", doctor.Red, "no luck today"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openClinic(t)
			if row.spoil != nil {
				row.spoil(c)
			}
			r := c.report(row.set...)
			found := r.find(t, row.at)
			assert.Equal(t, row.state, found.State, "%+v", found)
			assert.Contains(t, found.Message+" "+found.Fix, row.says)
			assert.Equal(t, r.State, doctor.Worse(row.state, r.State), "the whole is no better")
			r.but(t, append(consequences[name], row.at)...)
		})
	}
}

// consequences are what else is not green: what could not be looked at any more.
var consequences = map[string][]string{
	"Redis is not there":          {"Redis/everything else", "Slack/delivery"},
	"another bot token":           {"Slack/everything else"},
	"Slack is not there":          {"Slack/everything else", "Slack/app token"},
	"Slack has moved":             {"Slack/everything else", "Slack/app token"},
	"something else is there":     {"PUBLIC_URL/everything else"},
	"no PUBLIC_URL nor much else": {"configuration/LOG_LEVEL"},
	"it redirects":                {"PUBLIC_URL/everything else"},
	"nobody is there":             {"PUBLIC_URL/everything else"},
	"an untrusted certificate":    {"PUBLIC_URL/everything else"},
	"the service is down":         {"photo service/everything else"},
	"a page":                      {"photo service/everything else"},
	"a firewall":                  {"photo service/everything else"},
	"a service that moved":        {"photo service/everything else"},
	"a proxy's trouble":           {"photo service/everything else"},
	"a test system":               {"photo service/parameters"},
	"a list without keywords":     {"photo service/parameters"},
	"too many for long":           {"photo service/signature", "photo service/parameters", "photo service/rate", "photo service/everything else"},
}

// redis changes a setting of Redis.
func (c *clinic) redis(setting, value string) {
	c.t.Helper()
	require.NoError(c.t, c.rdb.ConfigSet(c.t.Context(), setting, value).Err())
}

// without takes a permission from the app.
func (c *clinic) without(scope string) {
	c.Workspace.SetScopes(slices.DeleteFunc(manifest.Names(manifest.Scopes), func(s string) bool { return s == scope })...)
}

// marks are all that was heard, just now.
func (c *clinic) marks(heard ...store.Inbound) {
	c.t.Helper()
	ages := map[store.Inbound]time.Duration{}
	for _, what := range heard {
		ages[what] = 0
	}
	c.aged(ages)
}

// aged is all that was heard, and how long ago.
func (c *clinic) aged(ages map[store.Inbound]time.Duration) {
	c.t.Helper()
	require.NoError(c.t, c.rdb.Del(c.t.Context(), "{darkroom}:heard").Err())
	for what, ago := range ages {
		require.NoError(c.t, c.app.own.Store.Inbounds.NoteInbound(c.t.Context(), what, time.Now().Add(-ago)))
	}
}

func TestDoctorSaysWhichWayToSetTheService(t *testing.T) {
	t.Parallel()
	c := openClinic(t, func(o *sandbox.Options) {
		o.Photos.Signature, o.Photos.NumbersAsNumbers, o.Photos.Params, o.Photos.BasicAuth = service.Python, true, service.JSONBody, true
	})
	r := c.report()
	require.Equal(t, []string{"UPSTREAM_SIGNATURE=python", "UPSTREAM_SIGNATURE_NUMBERS=number", "UPSTREAM_BASIC_AUTH=true"}, r.find(t, "photo service/signature").Settings)
	lines := r.find(t, "photo service/parameters").Settings
	require.Equal(t, []string{"UPSTREAM_SIGNATURE=python", "UPSTREAM_SIGNATURE_NUMBERS=number", "UPSTREAM_PARAMS=json", "UPSTREAM_BASIC_AUTH=true"}, lines)
	c.report(lines...).but(t)
	r = c.report(append(lines, "UPSTREAM_SIGNATURE=php")...)
	r.but(t, "photo service/signature")
	require.Equal(t, []string{"UPSTREAM_SIGNATURE=python"}, r.find(t, "photo service/signature").Settings)
}

// Fifty photos need more room than an address has.
func TestDoctorSaysThatLongOrdersAreNotRead(t *testing.T) {
	t.Parallel()
	c := openClinic(t, func(o *sandbox.Options) { o.Photos.Params, o.Photos.ArraysAsSent = service.QueryOnly, true })
	lines := c.report().find(t, "photo service/parameters").Settings
	require.Equal(t, []string{"UPSTREAM_SIGNATURE=php-flat", "UPSTREAM_PARAMS=query-only"}, lines)
	for _, set := range [][]string{lines[:1], lines} {
		r := c.report(set...)
		r.but(t, "photo service/parameters")
		found := r.find(t, "photo service/parameters")
		require.Equal(t, doctor.Yellow, found.State)
		require.Contains(t, found.Message, "in its address alone, which has room for 8000 bytes: it takes no order of many photos")
		require.Equal(t, lines[len(set):], append([]string{}, found.Settings...))
	}
	c = openClinic(t, func(o *sandbox.Options) { o.Photos.Params = service.Query })
	c.report().but(t)
	require.Contains(t, c.report().find(t, "photo service/parameters").Message, "(query): it looked for a made-up order to approve, in few words and in many, and to cancel.")
}

func TestDoctorTellsAClockThatIsOff(t *testing.T) {
	t.Parallel()
	for off, want := range map[time.Duration]doctor.State{time.Second: doctor.Green, 30 * time.Second: doctor.Yellow, 10 * time.Minute: doctor.Red, -10 * time.Minute: doctor.Red} {
		c := openClinic(t, func(o *sandbox.Options) { o.Photos.Now = func() time.Time { return time.Now().Add(off) } })
		found := c.report().find(t, "photo service/clock")
		require.Equal(t, want, found.State, "%s: %+v", off, found)
		if want != doctor.Green {
			require.Contains(t, found.Message, map[bool]string{true: "behind", false: "ahead of"}[off > 0])
		}
	}
}

// An interrupted doctor prints nothing more.
func TestADoctorThatIsStoppedSaysNothing(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	hole := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { stop(); <-r.Context().Done() }))
	t.Cleanup(hole.Close)
	var out bytes.Buffer
	environ := append(working(), "REDIS_URL=redis://127.0.0.1:1", "SLACK_API_URL="+hole.URL+"/api/", "UPSTREAM_URL="+hole.URL)
	require.Equal(t, 1, run(ctx, []string{"doctor"}, environ, strings.NewReader(""), &out, &out))
	require.Empty(t, out.String())
}
