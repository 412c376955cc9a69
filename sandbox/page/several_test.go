package page_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/page"
	"darkroom/sandbox/slack"
	"darkroom/sandbox/workspace"
)

// severalWorkspaces is a Slack of two workspaces with the same ids, and one window on both.
func severalWorkspaces(t *testing.T) (*slack.Slack, *page.Several) {
	t.Helper()
	s := slack.New(slack.Options{Workspaces: []workspace.Options{{TeamID: "T1", TeamDomain: "studio"}, {TeamID: "T2", TeamDomain: "agency"}}})
	require.NoError(t, s.Start())
	t.Cleanup(s.Close)
	o := page.SeveralOptions{Base: s.URL(), Install: "http://127.0.0.1:1/slack/install"}
	for _, ws := range s.Workspaces() {
		o.Pages = append(o.Pages, page.Options{Workspace: ws, Commands: []page.Command{{Command: "/order"}}})
	}
	window, err := page.NewSeveral(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(window.Close)
	s.Mount(window)
	return s, window
}

// remote is a browser at an origin.
type remote struct {
	t      *testing.T
	origin string
}

func (r *remote) get(path string) (int, http.Header, object) {
	r.t.Helper()
	status, header, body := fetched(r.t, r.origin+path)
	var out object
	require.NoError(r.t, json.Unmarshal(body, &out), "%s", body)
	return status, header, out
}

// fetched is what is at the address.
func fetched(t *testing.T, address string) (int, http.Header, []byte) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, answer.Header, body
}

func (r *remote) post(path, body string) int {
	r.t.Helper()
	request, err := http.NewRequestWithContext(r.t.Context(), http.MethodPost, r.origin+path, strings.NewReader(body))
	require.NoError(r.t, err)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	require.NoError(r.t, err)
	require.NoError(r.t, answer.Body.Close())
	return answer.StatusCode
}

func TestOneWindowShowsSeveralWorkspacesEachAtItsOwnAddress(t *testing.T) {
	s, window := severalWorkspaces(t)
	rail := &remote{t: t, origin: s.URL()}
	_, header, shown := rail.get("/page/workspaces")
	require.Equal(t, "http://127.0.0.1:1/slack/install", shown["install"])
	both := list(shown["workspaces"])
	require.Len(t, both, 2)
	require.Equal(t, []any{"Studio", "Agency"}, []any{both[0]["name"], both[1]["name"]})
	one, two := window.Origin("studio"), window.Origin("agency")
	require.NotEqual(t, one, two)
	require.Contains(t, header.Get("Content-Security-Policy"), "frame-src "+one+" "+two+";")
	require.Empty(t, window.Origin("elsewhere"))

	status, _, front := fetched(t, s.URL()+"/")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, string(front), "/static/js/several.js")
	for _, path := range []string{"/static/js/several.js", "/static/css/several.css", "/favicon.ico"} {
		status, _, _ := fetched(t, s.URL()+path)
		require.Equal(t, http.StatusOK, status, path)
	}
	_, header, team := (&remote{t: t, origin: one}).get("/page/team")
	require.Equal(t, "Studio", team["team"])
	require.Contains(t, header.Get("Content-Security-Policy"), "frame-ancestors "+s.URL())
}

func TestWhatIsSaidInOneWorkspacesPageStaysThere(t *testing.T) {
	s, window := severalWorkspaces(t)
	studio := (&remote{t: t, origin: window.Origin("studio")})
	require.Equal(t, http.StatusOK, studio.post("/page/as/maria/say", `{"channel":"C0SHOOTS","text":"only here"}`))
	require.Len(t, s.Workspace("studio").Messages("shoots"), 1)
	require.Empty(t, s.Workspace("agency").Messages("shoots"))
}

func TestThePageHasTheAppWhenSomebodyAddedIt(t *testing.T) {
	s, window := severalWorkspaces(t)
	studio := (&remote{t: t, origin: window.Origin("studio")})
	_, _, team := studio.get("/page/team")
	require.Empty(t, team["app"].(object)["user"])
	require.Nil(t, find(team["commands"], "command", "/order"))
	require.Empty(t, team["shortcuts"])
	s.AddApp("T1", "U0OLGA")
	_, _, team = studio.get("/page/team")
	require.Equal(t, "U0DARKROOM", team["app"].(object)["user"])
	require.NotNil(t, find(team["commands"], "command", "/order"))
	_, _, shown := (&remote{t: t, origin: s.URL()}).get("/page/workspaces")
	require.Equal(t, []any{true, false}, []any{list(shown["workspaces"])[0]["app"], list(shown["workspaces"])[1]["app"]})
}

func TestTheWindowIsForThisMachineOnly(t *testing.T) {
	_, window := severalWorkspaces(t)
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://slack.evil/", http.NoBody)
	answer := httptest.NewRecorder()
	window.ServeHTTP(answer, request)
	require.Equal(t, http.StatusForbidden, answer.Code)
}
