package slack_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/slack"
	"darkroom/sandbox/workspace"
)

type object = map[string]any

// world is a Slack of several workspaces and a tiny app that people add to them.
type world struct {
	*slack.Slack
	t   *testing.T
	app *httptest.Server

	mu     sync.Mutex
	clock  time.Time
	heard  []heard
	answer string // to everything
}

type heard struct {
	path   string
	header http.Header
	body   []byte
	form   url.Values
	json   object
}

// twins are two workspaces in which everything has the same ids.
func twins() []workspace.Options {
	return []workspace.Options{{TeamID: "T1", TeamDomain: "studio"}, {TeamID: "T2", TeamDomain: "agency"}}
}

func start(t *testing.T, change ...func(*slack.Options)) *world {
	t.Helper()
	w := &world{t: t, clock: time.Unix(1_800_000_000, 0)}
	o := slack.Options{Workspaces: twins(), Now: w.now}
	for _, c := range change {
		c(&o)
	}
	w.Slack = slack.New(o)
	require.NoError(t, w.Start())
	t.Cleanup(w.Close)
	w.app = httptest.NewServer(http.HandlerFunc(w.hear))
	t.Cleanup(w.app.Close)
	w.SetAppURL(w.app.URL)
	return w
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clock = w.clock.Add(d)
}

// hear is the app: it takes what it is sent, and shows who came back from Slack.
func (w *world) hear(rw http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(rw, "welcome back")
		return
	}
	h := heard{path: r.URL.Path, header: r.Header, body: body}
	if r.Header.Get("Content-Type") == "application/json" {
		_ = json.Unmarshal(body, &h.json)
	} else {
		h.form, _ = url.ParseQuery(string(body))
		_ = json.Unmarshal([]byte(h.form.Get("payload")), &h.json)
	}
	w.mu.Lock()
	w.heard = append(w.heard, h)
	answer := w.answer
	w.mu.Unlock()
	rw.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(rw, answer)
}

// all is what the app heard on the path.
func (w *world) all(path string) []heard {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.heard), func(h heard) bool { return h.path != path })
}

// events are the outer forms of the events of a kind that the app heard.
func (w *world) events(kind string) []object {
	var found []object
	for _, h := range w.all("/slack/events") {
		if event, _ := h.json["event"].(object); event["type"] == kind {
			found = append(found, h.json)
		}
	}
	return found
}

func (w *world) eventually(holds func() bool, what string) {
	w.t.Helper()
	require.Eventually(w.t, holds, 5*time.Second, 2*time.Millisecond, what)
}

// call calls a method with a token and form arguments, and gives the whole answer.
func (w *world) call(method, bearer string, args ...string) object {
	w.t.Helper()
	form := url.Values{}
	for i := 0; i < len(args); i += 2 {
		form.Set(args[i], args[i+1])
	}
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.APIURL()+method, strings.NewReader(form.Encode()))
	require.NoError(w.t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if bearer != "" {
		request.Header.Set("Authorization", "Bearer "+bearer)
	}
	return w.do(request)
}

func (w *world) do(request *http.Request) object {
	w.t.Helper()
	answer, err := http.DefaultClient.Do(request)
	require.NoError(w.t, err)
	defer func() { _ = answer.Body.Close() }()
	var out object
	require.NoError(w.t, json.NewDecoder(answer.Body).Decode(&out))
	return out
}

// word is Slack's word on the token.
func (w *world) word(bearer string) any { return w.call("auth.test", bearer)["error"] }

const (
	clientID = "1111111111.2222222222"
	secret   = "sandbox-client-secret"
)

// back is where the app wants people sent.
func (w *world) back() string { return w.app.URL + "/slack/oauth" }

// link is where the app sends people.
func (w *world) link(change ...string) string {
	q := url.Values{"client_id": {clientID}, "scope": {"commands,chat:write"}, "redirect_uri": {w.back()}, "state": {"s1"}}
	for i := 0; i < len(change); i += 2 {
		q.Set(change[i], change[i+1])
	}
	return w.URL() + "/oauth/v2/authorize?" + q.Encode()
}

// allow is somebody who adds the app, and the code that comes back with them.
func (w *world) allow(who string, change ...string) string {
	w.t.Helper()
	b := person.NewBrowser()
	require.NoError(w.t, b.Open(w.link(change...)))
	require.NoError(w.t, b.Press(who))
	require.NoError(w.t, b.Press("Allow"))
	require.NoError(w.t, b.Sees("welcome back"))
	return w.returned(b).Get("code")
}

// returned is what the browser brought back to the app.
func (w *world) returned(b *person.Browser) url.Values {
	w.t.Helper()
	at, err := url.Parse(b.URL())
	require.NoError(w.t, err)
	require.Equal(w.t, w.back(), at.Scheme+"://"+at.Host+at.Path)
	return at.Query()
}

// exchange is the app's call with what it got.
func (w *world) exchange(args ...string) object {
	w.t.Helper()
	return w.call("oauth.v2.access", "", append([]string{"client_id", clientID, "client_secret", secret}, args...)...)
}

// install adds the app and is the answer with its token.
func (w *world) install(who string, change ...string) object {
	w.t.Helper()
	out := w.exchange("code", w.allow(who, change...), "redirect_uri", w.back())
	require.Equal(w.t, true, out["ok"], "%v", out)
	return out
}

// tokenOf is the access token in an answer.
func tokenOf(out object) string {
	t, _ := out["access_token"].(string)
	return t
}

// add adds the app to a workspace without asking anybody, lets it into #shoots, and is its token.
func (w *world) add(team string) string {
	w.t.Helper()
	out := w.AddApp(team, "U0OLGA")
	w.Workspace(team).Invite("shoots", "darkroom")
	return tokenOf(out)
}

func body(text string) io.Reader { return strings.NewReader(text) }

// download is what is at the address for who has the token.
func (w *world) download(address, bearer string) string {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(w.t, err)
	request.Header.Set("Authorization", "Bearer "+bearer)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(w.t, err)
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(answer.Body)
	require.NoError(w.t, err)
	return string(content)
}
