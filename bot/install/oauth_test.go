package install_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"darkroom/bot/client"
	"darkroom/bot/install"
	"darkroom/store/tenants"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The wired types implement each other's interfaces.
var (
	_ install.States  = (*tenants.OAuthStates)(nil)
	_ tenants.Refresh = (*install.OAuth)(nil).Refresh
)

const (
	clientSecret = "CLIENT-SECRET-1"
	codeSecret   = "CODE-SECRET-1"
	refreshOne   = "xoxe-1-SECRETREFRESH"

	workspaceGrant = `{"ok":true,"access_token":"xoxe.xoxb-1-SECRETTOKEN","token_type":"bot","scope":"commands,chat:write","bot_user_id":"UBOT","app_id":"A1",
		"expires_in":43200,"refresh_token":"xoxe-1-SECRETREFRESH","team":{"name":"Smith & <Co>","id":"T1"},"enterprise":{"name":"Grid","id":"E1"},
		"authed_user":{"id":"UADMIN"},"is_enterprise_install":false}`
	organisationGrant = `{"ok":true,"access_token":"xoxb-1-SECRETTOKEN","token_type":"bot","scope":"commands","bot_user_id":"UBOT","app_id":"A1",
		"team":null,"enterprise":{"name":"Grid","id":"E1"},"authed_user":{"id":"UADMIN"},"is_enterprise_install":true}`
)

func (f *fakeSlack) oauth(t *testing.T) *install.OAuth {
	t.Helper()
	o := install.NewOAuth(install.OAuthConfig{ClientID: "1.2", ClientSecret: clientSecret, APIURL: f.URL + "/proxy/api", Timeout: 5 * time.Second})
	t.Cleanup(o.Close)
	return o
}

func TestACodeIsExchangedForWhatSlackGives(t *testing.T) {
	t.Parallel()
	f := newSlack(t, 200, workspaceGrant)
	began := time.Now()
	g, err := f.oauth(t).Exchange(t.Context(), codeSecret, "https://d.example/slack/oauth")
	require.NoError(t, err)
	form := f.calls()[0].Form
	require.Equal(t, []string{"1.2", clientSecret, codeSecret, "https://d.example/slack/oauth"}, []string{form.Get("client_id"), form.Get("client_secret"), form.Get("code"), form.Get("redirect_uri")})
	require.Empty(t, f.calls()[0].Query)
	require.WithinDuration(t, began.Add(12*time.Hour), g.Expires, time.Minute)
	g.Expires = time.Time{}
	type plain install.Grant
	require.Equal(t, plain{
		AppID: "A1", Team: "T1", TeamName: "Smith & <Co>", Enterprise: "E1", EnterpriseName: "Grid", BotUser: "UBOT",
		Scopes: []string{"commands", "chat:write"}, By: "UADMIN", Token: "xoxe.xoxb-1-SECRETTOKEN", Refresh: refreshOne,
	}, plain(g))
	require.Equal(t, "T1", g.ID())

	f = newSlack(t, 200, organisationGrant)
	g, err = f.oauth(t).Exchange(t.Context(), codeSecret, "x")
	require.NoError(t, err)
	require.Equal(t, []any{"E1", "Grid", true, "", true}, []any{g.ID(), g.Name(), g.OrgWide, g.Team, g.Expires.IsZero()})
}

func TestARefreshTokenIsExchangedForTheNextPair(t *testing.T) {
	t.Parallel()
	f := newSlack(t, 200, `{"ok":true,"access_token":"xoxe.xoxb-2","refresh_token":"xoxe-1-NEXT","expires_in":43200}`)
	token, next, expires, err := f.oauth(t).Refresh(t.Context(), refreshOne)
	require.NoError(t, err)
	require.Equal(t, []string{"xoxe.xoxb-2", "xoxe-1-NEXT"}, []string{token, next})
	require.WithinDuration(t, time.Now().Add(12*time.Hour), expires, time.Minute)
	form := f.calls()[0].Form
	require.Equal(t, []string{"refresh_token", refreshOne, clientSecret}, []string{form.Get("grant_type"), form.Get("refresh_token"), form.Get("client_secret")})
}

func TestWhatIsWrongWithAnExchangeHasAClassAndNoSecret(t *testing.T) {
	t.Parallel()
	refusal := func(code string) string { return `{"ok":false,"error":"` + code + `"}` }
	for name, row := range map[string]struct {
		status int
		body   string
		class  error
	}{
		"a code that was used":      {200, refusal("code_already_used"), install.ErrCode},
		"a code that is none":       {200, refusal("invalid_code"), install.ErrCode},
		"another secret":            {200, refusal("bad_client_secret"), client.ErrApp},
		"another address":           {200, refusal("bad_redirect_uri"), client.ErrApp},
		"a refresh token that died": {200, refusal("invalid_refresh_token"), client.ErrToken},
		"the app was removed":       {200, refusal("account_inactive"), client.ErrToken},
		"trouble":                   {200, refusal("internal_error"), client.ErrTryLater},
		"too often":                 {200, refusal("ratelimited"), client.ErrTryLater},
		"what nobody knows":         {200, refusal("a_new_code"), client.ErrTryLater},
		"it repeats what was sent":  {200, refusal(clientSecret + " <b>" + codeSecret + refreshOne), client.ErrTryLater},
		"a page":                    {200, "<html>" + clientSecret, client.ErrTryLater},
		"an error page":             {502, "<html>" + clientSecret, client.ErrTryLater},
		"limited":                   {429, "", client.ErrTryLater},
		"nothing in it":             {200, `{"ok":true}`, client.ErrTryLater},
		"a token of another type":   {200, `{"ok":true,"access_token":{"` + clientSecret + `":1}}`, client.ErrTryLater},
		"without end":               {200, `{"ok":true,"x":"` + strings.Repeat("x", 2<<20) + `","access_token":"a","team":{"id":"T1"}}`, client.ErrTryLater},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newSlack(t, row.status, row.body)
			_, exchanged := f.oauth(t).Exchange(t.Context(), codeSecret, "x")
			_, _, _, refreshed := f.oauth(t).Refresh(t.Context(), refreshOne)
			var told []client.Call
			_, _, _, observed := install.NewOAuth(install.OAuthConfig{APIURL: f.URL + "/proxy/api", Observe: func(c client.Call) { told = append(told, c) }}).Refresh(t.Context(), refreshOne)
			require.Len(t, told, 1)
			require.Equal(t, "oauth.v2.access", told[0].Method)
			for _, err := range []error{exchanged, refreshed, observed} {
				require.ErrorIs(t, err, row.class)
				for _, other := range []error{install.ErrCode, client.ErrApp, client.ErrToken, client.ErrTryLater} {
					if other != row.class { //nolint:errorlint // which of them it is
						require.NotErrorIs(t, err, other)
					}
				}
				for _, secret := range []string{clientSecret, codeSecret, refreshOne, "http"} {
					assert.NotContains(t, err.Error(), secret)
				}
			}
		})
	}
}

func TestASlackThatDoesNotAnswerIsForLater(t *testing.T) {
	t.Parallel()
	for name, api := range map[string]string{"nobody is there": closedPort(t), "it hangs up": hangUp(t)} {
		o := install.NewOAuth(install.OAuthConfig{ClientID: "1.2", ClientSecret: clientSecret, APIURL: api})
		t.Cleanup(o.Close)
		_, _, _, err := o.Refresh(t.Context(), refreshOne)
		require.ErrorIs(t, err, client.ErrTryLater, name)
		require.NotErrorIs(t, err, client.ErrToken)
		require.NotContains(t, err.Error(), "SECRET")
		require.NotContains(t, err.Error(), api)
	}
}

func TestAGrantPrintsWithoutItsTokens(t *testing.T) {
	t.Parallel()
	g := install.Grant{Team: "T1", Token: "xoxb-1-SECRETTOKEN", Refresh: refreshOne}
	raw, err := json.Marshal(g)
	require.NoError(t, err)
	assert.NotContains(t, fmt.Sprintf("%v %+v %#v %s %q %d %x", g, g, g, g, g, &g, g)+string(raw), "SECRET")
	assert.Equal(t, "grant T1", g.String())
}
