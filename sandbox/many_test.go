package sandbox_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
)

func TestManyWorkspacesHaveEqualIDsAndAccountsOfTheirOwn(t *testing.T) {
	m, err := sandbox.StartMany(sandbox.ManyOptions{Workspaces: []sandbox.Tenant{
		{Name: "studio"}, {Name: "agency", Credits: "7"}, {Name: "branch", Account: "studio"},
	}})
	require.NoError(t, err)
	t.Cleanup(m.Close)
	require.Equal(t, []string{"studio", "agency", "branch"}, m.Names())
	require.Equal(t, m.Workspace("studio").Channel("shoots").ID, m.Workspace("agency").Channel("shoots").ID)
	require.NotEqual(t, m.Workspace("studio").ID(), m.Workspace("agency").ID())
	require.NotEqual(t, m.Account("studio").URL, m.Account("agency").URL)
	require.NotEqual(t, m.Account("studio").Key, m.Account("agency").Key)
	require.Equal(t, m.Account("studio"), m.Account("branch"))
	require.Equal(t, "7", m.Photos("agency").Credits().String())

	person.In(t, m.Workspace("agency"), "ben").Type("hello, agency")
	person.In(t, m.Workspace("agency"), "maria").Sees("hello, agency")
	require.Empty(t, m.Workspace("studio").Messages("shoots"))
	require.NoError(t, m.Strangers())

	_, err = sandbox.StartMany(sandbox.ManyOptions{Workspaces: []sandbox.Tenant{{Name: "branch", Account: "studio"}}})
	require.ErrorContains(t, err, "branch uses the account of studio")
}

func TestAnAppForManyIsGivenWhatItsDeliveryNeeds(t *testing.T) {
	for delivery, want := range map[sandbox.Delivery][2]bool{"": {true, false}, sandbox.OverSocket: {false, true}, sandbox.OverBoth: {true, true}} {
		m, err := sandbox.StartMany(sandbox.ManyOptions{Delivery: delivery, Workspaces: []sandbox.Tenant{{Name: "studio"}}})
		require.NoError(t, err)
		env := strings.Join(m.Environ(), "\n")
		require.Equal(t, want[0], strings.Contains(env, "SLACK_SIGNING_SECRET="), "%q", delivery)
		require.Equal(t, want[1], strings.Contains(env, "SLACK_APP_TOKEN=xapp-"), "%q", delivery)
		require.Equal(t, want[1], m.Workspace("studio").SocketMode(), "%q", delivery)
		require.Contains(t, env, "SLACK_CLIENT_ID=")
		require.NotContains(t, env, "SLACK_BOT_TOKEN")
		require.NotContains(t, env, "UPSTREAM")
		m.Close()
	}
}

func TestSomebodyAddsTheAppFromItsPage(t *testing.T) {
	m, err := sandbox.StartMany(sandbox.ManyOptions{Workspaces: []sandbox.Tenant{{Name: "studio"}, {Name: "agency"}}})
	require.NoError(t, err)
	t.Cleanup(m.Close)
	var token string
	mux := http.NewServeMux()
	app := httptest.NewServer(mux)
	t.Cleanup(app.Close)
	mux.HandleFunc("GET /slack/install", func(rw http.ResponseWriter, _ *http.Request) {
		q := url.Values{"client_id": {m.Slack.App().ClientID}, "scope": {"commands"}, "redirect_uri": {app.URL + "/slack/oauth"}}
		rw.Header().Set("Content-Type", "text/html")
		_, _ = rw.Write([]byte(`<a href="` + m.Slack.URL() + "/oauth/v2/authorize?" + strings.ReplaceAll(q.Encode(), "&", "&amp;") + `">Add to Slack</a>`))
	})
	mux.HandleFunc("GET /slack/oauth", func(rw http.ResponseWriter, r *http.Request) {
		form := url.Values{
			"code": {r.FormValue("code")}, "redirect_uri": {app.URL + "/slack/oauth"},
			"client_id": {m.Slack.App().ClientID}, "client_secret": {m.Slack.App().ClientSecret},
		}
		answer, err := http.PostForm(m.Slack.APIURL()+"oauth.v2.access", form) //nolint:noctx // a test's
		if err == nil {
			_ = answer.Body.Close()
		}
		token = m.Slack.Token("T2")
		_, _ = rw.Write([]byte("Darkroom is in your workspace"))
	})
	m.SetAppURL(app.URL)
	b, err := m.AddToSlack(app.URL+"/slack/install", "agency", "olga")
	require.NoError(t, err)
	require.NoError(t, b.Sees("Darkroom is in your workspace"))
	require.True(t, m.Workspace("agency").Installed())
	require.False(t, m.Workspace("studio").Installed())

	require.NotEmpty(t, token)
	_, err = m.AddToSlack(app.URL+"/slack/install", "nowhere", "olga")
	require.Error(t, err)
}
