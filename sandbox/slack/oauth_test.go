package slack_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/slack"
)

func TestAnAdminAddsTheAppToTheirWorkspaceAndToNoOther(t *testing.T) {
	w := start(t)
	require.False(t, w.Workspace("studio").Installed())
	require.Empty(t, w.Workspace("studio").App().User, "its bot comes with it")

	b := person.NewBrowser()
	require.NoError(t, b.Open(w.link()))
	require.NoError(t, b.Sees("Sign in to your workspace"))
	require.NoError(t, b.Press("Olga at Studio"))
	require.NoError(t, b.Sees("Darkroom is requesting permission"))
	require.NoError(t, b.Sees("chat:write"))
	require.NoError(t, b.Press("Allow"))
	q := w.returned(b)
	require.Equal(t, "s1", q.Get("state"))

	out := w.exchange("code", q.Get("code"), "redirect_uri", w.back())
	token := tokenOf(out)
	require.True(t, strings.HasPrefix(token, "xoxb-"), token)
	delete(out, "access_token")
	want := object{
		"ok": true, "app_id": "A0DARKROOM", "scope": "commands,chat:write", "token_type": "bot", "bot_user_id": "U0DARKROOM",
		"team": object{"id": "T1", "name": "Studio"}, "enterprise": nil, "is_enterprise_install": false, "authed_user": object{"id": "U0OLGA"},
	}
	require.Equal(t, want, out)
	require.Equal(t, "T1", w.call("auth.test", token)["team_id"])
	require.Equal(t, "missing_scope", w.call("users.info", token, "user", "U0BEN")["error"], "what was not asked for was not given")
	require.True(t, w.Workspace("studio").User("darkroom").Bot)
	require.False(t, w.Workspace("agency").Installed())
}

func TestWhoCancelsIsSentBackWithoutACode(t *testing.T) {
	w := start(t)
	b := person.NewBrowser()
	require.NoError(t, b.Open(w.link()))
	require.NoError(t, b.Press("Ben at Agency"))
	require.NoError(t, b.Press("Cancel"))
	require.Equal(t, url.Values{"error": {"access_denied"}, "state": {"s1"}}, w.returned(b))
	require.False(t, w.Workspace("agency").Installed())
}

func TestABrowserMayBeSignedInToSeveralWorkspacesAndChooses(t *testing.T) {
	w := start(t)
	b := person.NewBrowser()
	require.NoError(t, b.Open(w.link()))
	require.NoError(t, b.Press("Olga at Studio"))
	require.NoError(t, b.Follow("Sign in to another workspace"))
	require.NoError(t, b.Press("Maria at Agency"))
	require.NoError(t, b.Choose("Workspace", "Studio"))
	require.NoError(t, b.Press("Allow"))
	out := w.exchange("code", w.returned(b).Get("code"), "redirect_uri", w.back())
	require.Equal(t, "T1", out["team"].(object)["id"])
	require.Equal(t, object{"id": "U0OLGA"}, out["authed_user"])

	require.NoError(t, b.Open(w.link("team", "T2")))
	require.NoError(t, b.Press("Allow"))
	out = w.exchange("code", w.returned(b).Get("code"), "redirect_uri", w.back())
	require.Equal(t, "T2", out["team"].(object)["id"], "the link said which")
	require.Equal(t, object{"id": "U0MARIA"}, out["authed_user"])
}

func TestAWrongLinkSendsNobodyAnywhere(t *testing.T) {
	tests := map[string][]string{
		"invalid_client_id":                      {"client_id", "1.2"},
		"did not match any configured URIs":      {"redirect_uri", "http://127.0.0.1:1/slack/oauth"},
		"no_scopes":                              {"scope", ""},
		"invalid_scope":                          {"scope", "commands,admin"},
		"any configured URIs. Passed URI: javas": {"redirect_uri", "javascript:alert(1)"},
	}
	w := start(t)
	for want, change := range tests {
		b := person.NewBrowser()
		require.NoError(t, b.Open(w.link(change...)))
		require.NoError(t, b.Sees(want))
		require.Equal(t, http.StatusBadRequest, b.Status(), want)
	}
}

func TestARedirectLiesAtARegisteredAddressOrBelow(t *testing.T) {
	w := start(t, func(o *slack.Options) { o.App.Redirects = []string{"https://app.example/slack"} })
	tests := map[string]bool{
		"https://app.example/slack":           true,
		"https://app.example/slack/oauth":     true,
		"https://app.example/slackers":        false,
		"https://app.example/":                false,
		"http://app.example/slack":            false,
		"https://app.example:8443/slack":      false,
		"https://app.example.evil/slack":      false,
		"https://app.example/slack/../x":      false,
		"https://a@app.example/slack":         false,
		"https://app.example/slack/oauth#top": false,
		"":                                    true, // the only one there is
	}
	for address, right := range tests {
		b := person.NewBrowser()
		require.NoError(t, b.Open(w.link("redirect_uri", address)))
		require.Equal(t, right, b.Sees("Sign in to your workspace") == nil, "%q: %s", address, b.Text())
	}
}

func TestGuestsAddNoApps(t *testing.T) {
	w := start(t)
	tests := map[string]string{"Ines at Studio": "Guests cannot", "Ben at Studio": ""}
	for who, why := range tests {
		b := person.NewBrowser()
		require.NoError(t, b.Open(w.link()))
		require.NoError(t, b.Press(who))
		require.NoError(t, b.Press("Allow"))
		if why == "" {
			require.NotEmpty(t, w.returned(b).Get("code"))
			continue
		}
		require.NoError(t, b.Sees(why))
		require.Equal(t, http.StatusForbidden, b.Status())
	}
}

// A page elsewhere can make a browser send a form, but cannot know what ours holds.
func TestAFormThatOursDidNotMakeIsNotTaken(t *testing.T) {
	w := start(t)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	browser := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	send := func(path, crumb string) int {
		form := url.Values{"client_id": {clientID}, "scope": {"commands"}, "redirect_uri": {w.back()}, "as": {"T1/U0OLGA"}, "place": {"T1"}, "answer": {"allow"}, "crumb": {crumb}}
		answer, err := browser.PostForm(w.URL()+path, form) //nolint:noctx // a browser's
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return answer.StatusCode
	}
	answer, err := browser.Get(w.link()) //nolint:noctx // a browser's
	require.NoError(t, err)
	page, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	crumb := regexp.MustCompile(`name="crumb" value="([^"]+)"`).FindStringSubmatch(string(page))[1]

	require.Equal(t, http.StatusForbidden, send("/oauth/v2/signin", "guess"))
	require.Equal(t, http.StatusSeeOther, send("/oauth/v2/signin", crumb))
	require.Equal(t, http.StatusForbidden, send("/oauth/v2/authorize", "guess"))
	require.Equal(t, http.StatusFound, send("/oauth/v2/authorize", crumb))
}

func TestACodeIsExchangedOnceInTimeByTheAppWithTheSameRedirect(t *testing.T) {
	w := start(t)
	code := w.allow("Olga at Studio")
	for want, args := range map[string][]string{
		"invalid_client_id":  {"client_id", "1.2", "code", code, "redirect_uri", w.back()},
		"bad_client_secret":  {"client_secret", "guess", "code", code, "redirect_uri", w.back()},
		"bad_redirect_uri":   {"code", code, "redirect_uri", w.back() + "/"},
		"invalid_code":       {"code", "guess", "redirect_uri", w.back()},
		"invalid_grant_type": {"code", code, "redirect_uri", w.back(), "grant_type", "password"},
	} {
		require.Equal(t, want, w.exchange(args...)["error"])
	}
	require.Equal(t, "bad_redirect_uri", w.exchange("code", code)["error"], "it was said in the first step")
	require.Equal(t, true, w.exchange("code", code, "redirect_uri", w.back())["ok"])
	require.Equal(t, "code_already_used", w.exchange("code", code, "redirect_uri", w.back())["error"])

	late := w.allow("Olga at Studio")
	w.pass(10*time.Minute + time.Second)
	require.Equal(t, "invalid_code", w.exchange("code", late, "redirect_uri", w.back())["error"])
}

func TestTheAppMayNameItselfByHTTPBasic(t *testing.T) {
	w := start(t)
	code := w.allow("Olga at Studio")
	form := url.Values{"code": {code}, "redirect_uri": {w.back()}}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.APIURL()+"oauth.v2.access", strings.NewReader(form.Encode()))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.SetBasicAuth(clientID, secret)
	require.Equal(t, true, w.do(request)["ok"])
}

func TestScopesAddUpAndTheTokenStaysWhenTheAppIsAddedAgain(t *testing.T) {
	w := start(t)
	first := w.install("Olga at Studio", "scope", "commands")
	second := w.install("Ben at Studio", "scope", "chat:write,commands")
	require.Equal(t, "commands,chat:write", second["scope"])
	require.Equal(t, tokenOf(first), tokenOf(second))
	require.Equal(t, object{"id": "U0BEN"}, second["authed_user"])
}

func TestRotatingTokensExpireAndAreRenewedOnce(t *testing.T) {
	w := start(t, func(o *slack.Options) { o.App.Rotation = true })
	out := w.install("Olga at Studio")
	require.True(t, strings.HasPrefix(tokenOf(out), "xoxe.xoxb-"), tokenOf(out))
	require.EqualValues(t, 43200, out["expires_in"])
	old := out["refresh_token"].(string)
	require.True(t, strings.HasPrefix(old, "xoxe-1-"), old)
	require.Equal(t, "invalid_auth", w.word(old), "a refresh token opens nothing")

	w.pass(12 * time.Hour)
	require.Equal(t, "token_expired", w.word(tokenOf(out)))
	renewed := w.exchange("grant_type", "refresh_token", "refresh_token", old)
	require.Equal(t, true, renewed["ok"], "%v", renewed)
	require.Nil(t, w.word(tokenOf(renewed)))
	require.Equal(t, object{"id": "T1", "name": "Studio"}, renewed["team"])
	require.NotEqual(t, old, renewed["refresh_token"])
	require.Nil(t, renewed["authed_user"], "nobody pressed anything")

	w.pass(time.Minute + time.Second)
	require.Equal(t, "invalid_refresh_token", w.exchange("grant_type", "refresh_token", "refresh_token", old)["error"])
	require.Equal(t, "invalid_refresh_token", w.exchange("grant_type", "refresh_token", "refresh_token", "xoxe-1-guess")["error"])
	require.Equal(t, "invalid_refresh_token", w.exchange("grant_type", "refresh_token", "refresh_token", tokenOf(renewed))["error"])
}

func TestWhoLostTheAnswerMayRenewAgainAtOnceAndTwoTokensLive(t *testing.T) {
	w := start(t, func(o *slack.Options) { o.App.Rotation = true })
	out := w.install("Olga at Studio")
	refresh := out["refresh_token"].(string)
	second := w.exchange("grant_type", "refresh_token", "refresh_token", refresh)
	require.Nil(t, w.word(tokenOf(out)), "two may live")
	require.Nil(t, w.word(tokenOf(second)))
	third := w.exchange("grant_type", "refresh_token", "refresh_token", refresh)
	require.Equal(t, true, third["ok"], "%v", third)
	require.Equal(t, "token_revoked", w.word(tokenOf(out)), "and no more")
	require.Nil(t, w.word(tokenOf(second)))
	require.Nil(t, w.word(tokenOf(third)))
}

func TestEverySecretIsKnown(t *testing.T) {
	w := start(t, func(o *slack.Options) { o.App.Rotation = true })
	code := w.allow("Olga at Studio")
	out := w.exchange("code", code, "redirect_uri", w.back())
	for _, one := range []string{code, tokenOf(out), out["refresh_token"].(string), secret} {
		require.Contains(t, w.Secrets(), one)
	}
}

func TestDeadTokensAreCounted(t *testing.T) {
	w := start(t, func(o *slack.Options) { o.App.Rotation, o.App.TokenLife = true, 5*time.Second })
	out := w.install("Olga at Studio")
	require.EqualValues(t, 5, out["expires_in"])
	require.Nil(t, w.word(tokenOf(out)))
	require.Empty(t, w.Refused())
	w.pass(5 * time.Second)
	require.Equal(t, "token_expired", w.word(tokenOf(out)))
	renewed := w.exchange("grant_type", "refresh_token", "refresh_token", out["refresh_token"].(string))
	w.RevokeTokens("T1")
	require.Equal(t, "token_revoked", w.word(tokenOf(renewed)))
	require.Empty(t, w.Token("T1"))
	require.True(t, w.Workspace("T1").Installed())
	again := w.exchange("grant_type", "refresh_token", "refresh_token", renewed["refresh_token"].(string))
	require.Nil(t, w.word(tokenOf(again)))
	require.Equal(t, map[string]int{"token_expired": 1, "token_revoked": 1}, w.Refused())
}
