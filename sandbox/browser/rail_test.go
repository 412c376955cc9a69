package browser_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/browser"
	"darkroom/sandbox/page"
)

// onRail is one window on a Slack of three workspaces.
func onRail(t *testing.T) (*sandbox.Many, *browser.Chromium) {
	t.Helper()
	browser.ThePagesOwn(t)
	browser.Needed(t)
	c, err := chromium()
	require.NoError(t, err)
	m, err := sandbox.StartMany(sandbox.ManyOptions{Workspaces: []sandbox.Tenant{{Name: "studio"}, {Name: "agency"}, {Name: "branch", Account: "studio"}}})
	require.NoError(t, err)
	t.Cleanup(m.Close)
	o := page.SeveralOptions{Base: m.Slack.URL(), Install: m.Slack.URL()}
	for _, name := range m.Names() {
		o.Pages = append(o.Pages, page.Options{Workspace: m.Workspace(name), Photos: m.Photos(name)})
	}
	window, err := page.NewSeveral(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(window.Close)
	m.Slack.Mount(window)
	return m, c
}

func TestARailShowsOneWorkspaceOrTwoSideBySide(t *testing.T) {
	m, c := onRail(t)
	shown := browser.Where{Region: "Shown"}
	x := c.Open(t, m.Slack.URL()+"/#Studio=as%3Dben&Agency=as%3Dmaria", browser.Options{})
	x.Sees("Studio", shown)
	x.Sees("Agency", shown)
	x.Press("Branch")
	x.Sees("Branch", shown)
	x.Sees("Studio", shown)
	x.DoesNotSee("Agency", shown)
	x.SeesFocus("Branch")
	x.Press("Side by side")
	x.DoesNotSee("Branch", shown)
	x.Press("Side by side")
	x.Sees("Agency", shown)
	require.Empty(t, x.Overflow())
}

func TestAPersonAddsTheAppInABrowser(t *testing.T) {
	m, c := onRail(t)
	app := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(rw, "<!doctype html><title>App</title><main><p>Welcome, "+r.URL.Query().Get("state")+"</p></main>")
	}))
	t.Cleanup(app.Close)
	m.SetAppURL(app.URL)
	q := url.Values{"client_id": {m.Slack.App().ClientID}, "scope": {"commands,chat:write"}, "redirect_uri": {app.URL + "/slack/oauth"}, "state": {"Olga"}}
	x := c.Open(t, m.Slack.URL()+"/oauth/v2/authorize?"+q.Encode(), browser.Options{})
	x.Press("Olga at Agency")
	x.Sees("Darkroom is requesting permission")
	x.Press("Allow")
	x.Sees("Welcome, Olga")
}
