package install_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"darkroom/bot/install"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// states remembers started installations.
type states struct {
	mu    sync.Mutex
	n     int
	begun map[string]bool
	away  error

	inVain int // how often it was asked about what nobody began
}

func (s *states) NewState(context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	secret := fmt.Sprintf("STATE-SECRET-%d", s.n)
	s.begun[secret] = true
	return secret, s.away
}

func (s *states) IsState(secret string) bool { return strings.HasPrefix(secret, "STATE-SECRET-") }

func (s *states) UseState(_ context.Context, secret string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.begun[secret]
	if !s.IsState(secret) {
		s.inVain++
	}
	delete(s.begun, secret)
	return known, s.away
}

// installs is an installation server and a browser.
type installs struct {
	t       *testing.T
	cfg     install.Config
	states  *states
	slack   *fakeSlack
	kept    []install.Grant
	away    error // of keeping
	log     bytes.Buffer
	handler *install.Handler

	cookie          *http.Cookie // of the browser
	peer, forwarded string       // where it is, "" = as httptest has it; and what a proxy says of that
}

func installing(t *testing.T, answer string, change func(*install.Config)) *installs {
	t.Helper()
	i := &installs{t: t, states: &states{begun: map[string]bool{}}, slack: newSlack(t, 200, answer)}
	i.cfg = install.Config{
		PublicURL: "https://d.example/", ClientID: "1.2", Scopes: []string{"commands", "chat:write"},
		OAuth: i.slack.oauth(t), States: i.states, Log: slog.New(slog.NewTextHandler(&i.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Save: func(_ context.Context, g install.Grant) error {
			if i.away == nil {
				i.kept = append(i.kept, g)
			}
			return i.away
		},
	}
	if change != nil {
		change(&i.cfg)
	}
	i.handler = install.New(i.cfg)
	return i
}

// get opens an address in the browser.
func (i *installs) get(address string) *httptest.ResponseRecorder {
	i.t.Helper()
	r := httptest.NewRequestWithContext(i.t.Context(), http.MethodGet, address, nil)
	if i.cookie != nil {
		r.AddCookie(i.cookie)
	}
	if i.peer != "" {
		r.RemoteAddr = i.peer
		r.Header.Set("X-Forwarded-For", i.forwarded)
	}
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		i.cookie = c
		if c.MaxAge < 0 {
			i.cookie = nil
		}
	}
	return w
}

// begin presses the button and returns the request to Slack.
func (i *installs) begin() url.Values {
	i.t.Helper()
	w := i.get("/slack/install/start")
	require.Equal(i.t, http.StatusFound, w.Code)
	to, err := url.Parse(w.Header().Get("Location"))
	require.NoError(i.t, err)
	return to.Query()
}

// back returns from Slack.
func (i *installs) callback(with url.Values) *httptest.ResponseRecorder {
	i.t.Helper()
	return i.get("/slack/oauth?" + with.Encode())
}

func TestSomebodyAddsTheAppAndReadsWhatToDoNext(t *testing.T) {
	t.Parallel()
	i := installing(t, workspaceGrant, nil)
	page := i.get("/slack/install")
	require.Equal(t, http.StatusOK, page.Code)
	require.Contains(t, page.Body.String(), `href="/slack/install/start"`)
	require.Contains(t, page.Body.String(), "Add to Slack</a>")

	w := i.get("/slack/install/start")
	to := w.Header().Get("Location")
	require.True(t, strings.HasPrefix(to, "https://slack.com/oauth/v2/authorize?"), to)
	asked, err := url.Parse(to)
	require.NoError(t, err)
	q := asked.Query()
	require.Equal(t, []string{"1.2", "commands,chat:write", "https://d.example/slack/oauth"}, []string{q.Get("client_id"), q.Get("scope"), q.Get("redirect_uri")})
	c := i.cookie
	require.Equal(t, []any{"__Host-darkroom-install", "/", "", true, true, http.SameSiteLaxMode, 600}, []any{c.Name, c.Path, c.Domain, c.HttpOnly, c.Secure, c.SameSite, c.MaxAge})
	require.NotContains(t, to, c.Value, "who reads the address has not the cookie")

	done := i.callback(url.Values{"code": {codeSecret}, "state": {q.Get("state")}})
	require.Equal(t, http.StatusOK, done.Code)
	require.Len(t, i.kept, 1)
	require.Equal(t, "T1", i.kept[0].ID())
	body := done.Body.String()
	for _, says := range []string{
		"Darkroom was added to Smith &amp; &lt;Co&gt;", "a workspace admin presses Connect there", `href="slack://app?team=T1&amp;id=A1&amp;tab=home"`,
		`href="https://slack.com/app_redirect?app=A1&amp;tab=home&amp;team=T1"`,
	} {
		require.Contains(t, body, says)
	}
	require.Nil(t, i.cookie, "it is taken away")
	require.Contains(t, i.log.String(), "the app was added")
	for _, secret := range []string{clientSecret, codeSecret, "STATE-SECRET", "xox"} {
		require.NotContains(t, i.log.String()+body, secret)
	}
}

func TestAnOrganisationAddsTheApp(t *testing.T) {
	t.Parallel()
	i := installing(t, organisationGrant, nil)
	w := i.callback(url.Values{"code": {codeSecret}, "state": {i.begin().Get("state")}})
	require.Equal(t, http.StatusOK, w.Code)
	require.True(t, i.kept[0].OrgWide)
	require.Contains(t, w.Body.String(), "Darkroom was added to Grid")
	require.Contains(t, w.Body.String(), "add it to workspaces")
	require.Contains(t, w.Body.String(), "they press Connect there")
	require.NotContains(t, w.Body.String(), "slack://", "there is no Home before that")
}

func TestOverPlainHTTPTheCookieIsOneThatBrowsersTake(t *testing.T) {
	t.Parallel()
	i := installing(t, workspaceGrant, func(cfg *install.Config) {
		cfg.PublicURL, cfg.APIURL = "http://127.0.0.1:8080", "http://127.0.0.1:9090/api/"
	})
	w := i.get("/slack/install/start")
	require.True(t, strings.HasPrefix(w.Header().Get("Location"), "http://127.0.0.1:9090/oauth/v2/authorize?"))
	require.Equal(t, []any{"darkroom-install", false, true}, []any{i.cookie.Name, i.cookie.Secure, i.cookie.HttpOnly})
	to, err := url.Parse(w.Header().Get("Location"))
	require.NoError(t, err)
	done := i.callback(url.Values{"code": {codeSecret}, "state": {to.Query().Get("state")}})
	require.Equal(t, http.StatusOK, done.Code)
	require.Len(t, i.kept, 1)
}

// TestWhatWasNotBegunHereEndsNowhere: a stolen code would add another person's workspace, or take ours
// over.
func TestWhatWasNotBegunHereEndsNowhere(t *testing.T) {
	t.Parallel()
	other := installing(t, workspaceGrant, nil)
	for name, come := range map[string]func(i *installs) *httptest.ResponseRecorder{
		"without a cookie": func(i *installs) *httptest.ResponseRecorder {
			state := i.begin().Get("state")
			i.cookie = nil
			return i.callback(url.Values{"code": {"c"}, "state": {state}})
		},
		"with another's state": func(i *installs) *httptest.ResponseRecorder {
			i.begin()
			return i.callback(url.Values{"code": {"c"}, "state": {other.begin().Get("state") + "x"}})
		},
		"without a state": func(i *installs) *httptest.ResponseRecorder { i.begin(); return i.callback(url.Values{"code": {"c"}}) },
		"with a cookie of their own making": func(i *installs) *httptest.ResponseRecorder {
			sum := sha256.Sum256([]byte("darkroom install\x00made up"))
			i.begin()
			i.cookie.Value = "made up"
			return i.callback(url.Values{"code": {"c"}, "state": {base64.RawURLEncoding.EncodeToString(sum[:])}})
		},
		"with an empty cookie": func(i *installs) *httptest.ResponseRecorder {
			sum := sha256.Sum256([]byte("darkroom install\x00"))
			i.begin()
			i.cookie.Value = ""
			return i.callback(url.Values{"code": {"c"}, "state": {base64.RawURLEncoding.EncodeToString(sum[:])}})
		},
		"twice": func(i *installs) *httptest.ResponseRecorder {
			with := url.Values{"code": {"c"}, "state": {i.begin().Get("state")}}
			cookie := i.cookie
			require.Equal(t, http.StatusOK, i.callback(with).Code)
			i.kept, i.slack.seen, i.cookie = nil, nil, cookie
			return i.callback(with)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := installing(t, workspaceGrant, nil)
			w := come(i)
			require.Equal(t, http.StatusBadRequest, w.Code)
			require.Contains(t, w.Body.String(), "<h1>This page has expired</h1>")
			require.Contains(t, w.Body.String(), "Nothing was changed.")
			require.NotContains(t, w.Body.String(), "not added", "it may have been, by this page")
			require.Contains(t, w.Body.String(), "Add to Slack</a>")
			require.Empty(t, i.kept)
			require.Empty(t, i.slack.calls(), "the code goes nowhere")
		})
	}
}

func TestWhateverFailsIsASentenceAndTheButtonAgain(t *testing.T) {
	t.Parallel()
	refusal := func(code string) string { return `{"ok":false,"error":"` + code + `"}` }
	for name, row := range map[string]struct {
		answer string
		with   url.Values
		breaks func(i *installs)
		status int
		title  string
		says   string
		level  string // in the log; "" = nothing that anybody could write
	}{
		"they said no":        {workspaceGrant, url.Values{"error": {"access_denied"}}, nil, 200, "Darkroom was not added", "You chose not to allow it", ""},
		"Slack says no":       {workspaceGrant, url.Values{"error": {"org_policy"}}, nil, 400, "Darkroom was not added", "Slack did not let you", "WARN"},
		"the code is no good": {refusal("invalid_code"), nil, nil, 400, "Darkroom was not added", "has expired or was used already", ""},
		"another secret":      {refusal("bad_client_secret"), nil, nil, 500, "Darkroom was not added", "not set up", "ERROR"},
		"Slack has trouble":   {refusal("internal_error"), nil, nil, 502, "Darkroom is not ready yet", "Slack did not confirm", "WARN"},
		"it is not kept":      {workspaceGrant, nil, func(i *installs) { i.away = errors.New("redis is away") }, 503, "Darkroom is not ready yet", "could not keep", "ERROR"},
		"it is not checked":   {workspaceGrant, nil, func(i *installs) { i.states.away = errors.New("redis is away") }, 503, "Darkroom was not added", "cannot check", "WARN"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := installing(t, row.answer, nil)
			with := url.Values{"code": {codeSecret}}
			if row.with != nil {
				with = row.with
			}
			with.Set("state", i.begin().Get("state"))
			if row.breaks != nil {
				row.breaks(i)
			}
			w := i.callback(with)
			require.Equal(t, row.status, w.Code)
			require.Contains(t, w.Body.String(), "<h1>"+row.title+"</h1>")
			require.Contains(t, w.Body.String(), row.says)
			require.Contains(t, w.Body.String(), "Add to Slack</a>")
			require.Empty(t, i.kept)
			require.Equal(t, row.level != "", strings.Contains(i.log.String(), "level="), i.log.String())
			require.Contains(t, i.log.String(), row.level)
			for _, secret := range []string{clientSecret, codeSecret, "STATE-SECRET", "xox"} {
				require.NotContains(t, i.log.String()+w.Body.String(), secret)
			}
			i.away, i.states.away = nil, nil
			again := i.begin()
			require.NotEmpty(t, again.Get("state"))
		})
	}
}

func TestNothingIsBegunThatCannotBeRemembered(t *testing.T) {
	t.Parallel()
	i := installing(t, workspaceGrant, nil)
	i.states.away = errors.New("redis is away")
	w := i.get("/slack/install/start")
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Contains(t, w.Body.String(), "Nothing was added.")
	require.Nil(t, i.cookie)
}

func TestThePagesOfAnInstallationShowOnlyThemselves(t *testing.T) {
	t.Parallel()
	i := installing(t, workspaceGrant, nil)
	done := i.callback(url.Values{"code": {"c"}, "state": {i.begin().Get("state")}})
	for _, w := range []*httptest.ResponseRecorder{i.get("/slack/install"), i.get("/slack/oauth"), done} {
		h, body := w.Header(), w.Body.String()
		style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(body)[1]
		sum := sha256.Sum256([]byte(style))
		require.Contains(t, h.Get("Content-Security-Policy"), "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", "the browser takes the style")
		for _, has := range []string{"default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"} {
			require.Contains(t, h.Get("Content-Security-Policy"), has)
		}
		require.Equal(t, []string{"no-store", "no-referrer", "nosniff"}, []string{h.Get("Cache-Control"), h.Get("Referrer-Policy"), h.Get("X-Content-Type-Options")})
		require.NotContains(t, body, "<script")
		require.NotContains(t, body, "ZgotmplZ")
		require.NotContains(t, body, "src=")
		require.Contains(t, body, `<html lang="en">`)
		require.Equal(t, 1, strings.Count(body, "<h1>"))
		require.Equal(t, 1, strings.Count(body, "<main>"))
	}
}

func TestWhoeverOnlyLooksBeginsNothing(t *testing.T) {
	t.Parallel()
	i := installing(t, workspaceGrant, nil)
	for method, codes := range map[string]map[string]int{
		http.MethodHead: {"/slack/install": 200, "/slack/install/start": 200, "/slack/oauth": 200},
		http.MethodPost: {"/slack/install": 405, "/slack/install/start": 405, "/slack/oauth": 405},
		http.MethodGet:  {"/slack/install/other": 404, "/slack": 404},
	} {
		for path, code := range codes {
			w := httptest.NewRecorder()
			i.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, path, nil))
			assert.Equal(t, code, w.Code, method+path)
			assert.Empty(t, w.Header().Get("Set-Cookie"))
		}
	}
	require.Zero(t, i.states.n)
}

func TestManyWhoBeginAtOnceFillNothing(t *testing.T) {
	t.Parallel()
	i := installing(t, workspaceGrant, nil)
	busy := 0
	for range 500 {
		if w := i.get("/slack/install/start"); w.Code == http.StatusTooManyRequests {
			busy++
			require.NotEmpty(t, w.Header().Get("Retry-After"))
			require.Contains(t, w.Body.String(), "Nothing was added.")
		}
	}
	require.Greater(t, busy, 300)
	require.Less(t, i.states.n, 200)
	for n := range 2000 { // and each from a network of its own
		i.peer, i.forwarded = "10.0.0.1:1", fmt.Sprintf("2001:db8:0:%x::1", n)
		i.get("/slack/install/start")
	}
	require.Less(t, i.states.n, 800)
}

// TestWhoBeganNothingHoldsUpNobody: requests that need neither Redis nor Slack use none of their capacity.
func TestWhoBeganNothingHoldsUpNobody(t *testing.T) {
	t.Parallel()
	i := installing(t, workspaceGrant, nil)
	state := i.begin().Get("state")
	cookie := i.cookie
	for range 500 {
		i.cookie = nil
		require.Equal(t, http.StatusBadRequest, i.callback(url.Values{"code": {"c"}, "state": {state}}).Code)
	}
	require.True(t, i.states.begun[cookie.Value], "nobody was asked")
	i.cookie = cookie
	require.Equal(t, http.StatusOK, i.callback(url.Values{"code": {codeSecret}, "state": {state}}).Code)
	require.Len(t, i.kept, 1)
}

// TestMadeUpPairsHoldUpNobody: anyone can make up a secret and its state.
func TestMadeUpPairsHoldUpNobody(t *testing.T) {
	t.Parallel()
	i := installing(t, workspaceGrant, nil)
	state := i.begin().Get("state")
	cookie := *i.cookie
	for n := range 200 {
		made := cookie
		made.Value = fmt.Sprintf("MADE-UP-%d", n)
		sum := sha256.Sum256([]byte("darkroom install\x00" + made.Value))
		i.cookie = &made
		require.Equal(t, http.StatusBadRequest, i.callback(url.Values{"code": {"c"}, "state": {base64.RawURLEncoding.EncodeToString(sum[:])}}).Code, n)
	}
	i.cookie = &cookie
	require.Equal(t, http.StatusOK, i.callback(url.Values{"code": {codeSecret}, "state": {state}}).Code)
	require.Zero(t, i.states.inVain, "nobody asks Redis about what was made up")
}

// TestOneAddressHoldsUpNoOther: many real attempts from one address do not slow down other addresses.
func TestOneAddressHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	i := installing(t, workspaceGrant, nil)
	for _, from := range []struct{ peer, forwarded string }{
		{"192.0.2.1:1", ""},
		{"192.0.2.2:1", "198.51.100.7"},
		{"10.0.0.1:1", "192.0.2.3"},
		{"10.0.0.1:1", "192.0.2.3, 192.0.2.4"},
		{"[::1]:1", "2001:db8::1"},
		{"127.0.0.1:1", "odd"},
		{"10.0.0.1:1", "198.51.100.8:4711"},
		{"100.64.0.1:1", "198.51.100.9"},
		{"169.254.1.1:1", "198.51.100.10"},
	} {
		i.peer, i.forwarded = from.peer, from.forwarded
		state := i.begin().Get("state")
		cookie := i.cookie
		for range 200 {
			i.get("/slack/install/start")
			i.cookie = cookie
			i.callback(url.Values{"code": {codeSecret}, "state": {state}})
			i.cookie = cookie
		}
		require.Equal(t, http.StatusTooManyRequests, i.get("/slack/install/start").Code, from)
		require.Equal(t, http.StatusTooManyRequests, i.callback(url.Values{"code": {codeSecret}, "state": {state}}).Code, from)
	}
	held := func() bool { // each second gives one more
		for range 20 {
			if i.get("/slack/install/start").Code == http.StatusTooManyRequests {
				return true
			}
		}
		return false
	}
	i.peer, i.forwarded = "10.0.0.1:1", "2001:db8::2"
	require.True(t, held(), "of the same network")
	i.peer, i.forwarded = "192.0.2.1:2", "203.0.113.9"
	require.True(t, held(), "who is no proxy of ours says nothing of who they are")
}

func TestManyWhoComeBackAtOnceAreBounded(t *testing.T) {
	t.Parallel()
	i := installing(t, workspaceGrant, nil)
	state, busy := i.begin().Get("state"), 0
	cookie := i.cookie
	for range 200 {
		i.cookie = cookie
		if w := i.callback(url.Values{"code": {codeSecret}, "state": {state}}); w.Code == http.StatusTooManyRequests {
			busy++
			require.NotEmpty(t, w.Header().Get("Retry-After"))
			require.Empty(t, w.Result().Cookies(), "they may try again")
		}
	}
	require.Greater(t, busy, 50)
}

// Slack's directory asks for both links on the page. Without them there is none.
func TestThePagesLinkToPrivacyAndSupport(t *testing.T) {
	for _, linked := range []bool{true, false} {
		i := installing(t, `{}`, func(c *install.Config) {
			if linked {
				c.Privacy, c.Support = "https://d.example/privacy?a=1&b=2", "https://d.example/help"
			}
		})
		for _, path := range []string{install.Path, install.PathOAuth} {
			w := httptest.NewRecorder()
			i.handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, http.NoBody))
			require.Equal(t, linked, strings.Contains(w.Body.String(), `<a href="https://d.example/privacy?a=1&amp;b=2">Privacy policy</a>`), path)
			require.Equal(t, linked, strings.Contains(w.Body.String(), `<a href="https://d.example/help">Support</a>`), path)
		}
	}
}
