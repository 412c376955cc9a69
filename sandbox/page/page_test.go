package page_test

import (
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/page"
)

func TestAPersonDoesOnThePageWhatTheyWouldInSlack(t *testing.T) {
	w := start(t, page.Options{})
	w.submit = `{"response_action":"errors","errors":{"name":"Taken"}}`
	maria := w.open("maria", "channel=C0SHOOTS")

	w.do("maria", "command", object{"channel": "C0SHOOTS", "line": "/order new"})
	form := maria.sees("the form", func(s object) bool { return s["modal"] != nil })["modal"].(object)
	require.Equal(t, "Place order", form["submit"])

	w.do("maria", "submit", object{})
	maria.sees("Slack's word on an empty field", func(s object) bool { return problem(s, "name") != "" })

	typed := object{"type": "plain_text_input", "value": "Summer"}
	w.do("maria", "act", object{"target": object{"view": form["id"], "block": "name", "action": "typed"}, "state": typed})
	w.do("maria", "submit", object{})
	maria.sees("the app's word beside the field", func(s object) bool { return problem(s, "name") == "Taken" })

	second := w.now("maria", "channel=C0SHOOTS")
	require.Equal(t, "Summer", second["modal"].(object)["values"].(object)["name"].(object)["typed"].(object)["value"], "a second tab is the same client")
	require.Equal(t, "Taken", problem(second, "name"))
	require.Nil(t, w.now("ben", "channel=C0SHOOTS")["modal"], "a modal is before one person only")

	w.do("maria", "close", object{})
	maria.sees("no modal", func(s object) bool { return s["modal"] == nil })
	require.Empty(t, w.Violations())
	require.Empty(t, w.Unknown())
}

func TestAReloadTakesTheModalAndTheAppHearsNothing(t *testing.T) {
	w := start(t, page.Options{})
	maria := w.open("maria", "channel=C0SHOOTS")
	w.do("maria", "command", object{"channel": "C0SHOOTS", "line": "/order new"})
	maria.sees("the form", func(s object) bool { return s["modal"] != nil })
	w.do("ben", "reload", object{})
	require.NotNil(t, w.now("maria", "channel=C0SHOOTS")["modal"], "it was Ben's window that was loaded anew")
	w.do("maria", "reload", object{})
	maria.sees("no modal", func(s object) bool { return s["modal"] == nil })
	require.Empty(t, w.heard, "no view_closed")
}

func problem(state object, block string) string {
	modal, _ := state["modal"].(object)
	errs, _ := modal["errors"].(object)
	said, _ := errs[block].(string)
	return said
}

func TestAPrivateChannelDoesNotExistForOthers(t *testing.T) {
	w := start(t, page.Options{})
	w.do("maria", "say", object{"channel": "C0STUDIO", "text": "the secret wedding"})
	_, refs, _ := w.stage("maria", picked{"secret.png", png})
	w.do("maria", "say", object{"channel": "C0STUDIO", "files": refs})
	there := w.now("ben", "channel=C0STUDIO")
	require.Equal(t, "C0STUDIO", there["channel"])
	shared := list(there["messages"])[1]
	address := list(shared["files"])[0]["url"].(string)
	status, _, _ := w.get(address)
	require.Equal(t, http.StatusOK, status, "%s", address)

	ts := list(there["messages"])[0]["ts"]
	olga := w.now("olga", "channel=C0STUDIO&thread="+ts.(string))
	require.Equal(t, "C0SHOOTS", olga["channel"], "she is shown her own first channel instead")
	require.Nil(t, find(olga["channels"], "id", "C0STUDIO"))
	require.Empty(t, olga["replies"])
	for act, body := range map[string]object{
		"say":              {"channel": "C0STUDIO", "text": "hello"},
		"command":          {"channel": "C0STUDIO", "line": "/order new"},
		"message_shortcut": {"channel": "C0STUDIO", "ts": ts, "callback": "order_photos"},
	} {
		status, _ := w.try("olga", act, body)
		require.GreaterOrEqual(t, status, 400, act)
	}
	status, _, _ = w.get(strings.Replace(address, "U0BEN", "U0OLGA", 1))
	require.Equal(t, http.StatusNotFound, status)
	require.Len(t, w.Thread("C0STUDIO", ts.(string)), 1)
}

func TestOnlyThisMachineIsServed(t *testing.T) {
	w := start(t, page.Options{})
	post := func(change func(*http.Request)) int {
		status, _, _ := w.send(http.MethodPost, "/page/as/maria/say", "application/json", strings.NewReader(`{"channel":"C0SHOOTS","text":"hi"}`), change)
		return status
	}
	require.Equal(t, http.StatusForbidden, post(func(r *http.Request) { r.Host = "rebound.example.com" }))
	require.Equal(t, http.StatusForbidden, post(func(r *http.Request) { r.Host = "127.0.0.1.example.com" }))
	require.Equal(t, http.StatusForbidden, post(func(r *http.Request) { r.Header.Set("Origin", "https://example.com") }))
	require.Equal(t, http.StatusForbidden, post(func(r *http.Request) { r.Header.Set("Origin", "null") }))
	require.Equal(t, http.StatusForbidden, post(func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }))
	require.Equal(t, http.StatusForbidden, post(func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "same-site") }))
	require.Empty(t, w.Messages("C0SHOOTS"))
	require.Equal(t, http.StatusOK, post(func(r *http.Request) { r.Header.Set("Origin", w.URL()) }))
	require.Equal(t, http.StatusOK, post(func(r *http.Request) { r.Host = "localhost:4270" }))
	status, _, _ := w.send(http.MethodGet, "/page/as/maria/stream", "", http.NoBody, func(r *http.Request) { r.Host = "rebound.example.com" })
	require.Equal(t, http.StatusForbidden, status)
}

func TestABrowserIsToldWhatItMayDo(t *testing.T) {
	w := start(t, page.Options{Pictures: []string{"http://127.0.0.1:4999/samples/beach.jpg"}})
	status, header, body := w.get("/")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, string(body), "<!doctype html>")
	require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'self';")
	require.Contains(t, header.Get("Content-Security-Policy"), "img-src 'self' data: blob: http://127.0.0.1:4999;")
	require.Equal(t, "no-store", header.Get("Cache-Control"))
	require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
	status, _, _ = w.get("/favicon.ico")
	require.Equal(t, http.StatusOK, status)
}

// No page of ours asks another host for anything.
func TestTheFrontEndFetchesNothingFromOutside(t *testing.T) {
	static := page.Static()
	require.NoError(t, fs.WalkDir(static, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(path, "vendor/") {
			return err
		}
		content, err := fs.ReadFile(static, path)
		for _, foreign := range []string{`src="http`, `href="//`, `src="//`, `from "http`, `import("http`, `url(http`, `@import "http`} {
			require.NotContains(t, string(content), foreign, path)
		}
		return err
	}))
}

func TestFilesOfAnotherFolderAreServedWhileTheyAreWritten(t *testing.T) {
	w := start(t, page.Options{Static: fstest.MapFS{
		"index.html": {Data: []byte("mine")}, "js/app.js": {Data: []byte("export {}")},
	}})
	_, _, body := w.get("/")
	require.Equal(t, "mine", string(body))
	_, header, _ := w.get("/static/js/app.js")
	require.Equal(t, "text/javascript; charset=utf-8", header.Get("Content-Type"))
}

func TestPathsThatAreNotThePagesStayUnknownToSlack(t *testing.T) {
	w := start(t, page.Options{})
	status, _, _ := w.get("/page/nothing")
	require.Equal(t, http.StatusNotFound, status)
	require.Empty(t, w.Unknown(), "the page answers for its own paths")
	_, _, _ = w.get("/api/chat.postMassage")
	_, _, _ = w.get("/slack/commands")
	require.Equal(t, []string{"chat.postMassage", "GET /slack/commands"}, w.Unknown())
}

func TestTheTeamIsWhatTheManifestDeclares(t *testing.T) {
	w := start(t, page.Options{})
	_, _, body := w.get("/page/team")
	team := decoded(t, body)
	order := list(team["commands"])[0]
	require.Equal(t, "/order", order["command"])
	require.Equal(t, "new [urls…] | list", order["usage_hint"])
	require.NotNil(t, find(team["commands"], "command", "/invite"), "Slack's own are there too")
	require.Equal(t, true, find(team["shortcuts"], "name", "Order these photos")["message"])
	require.Equal(t, true, find(team["users"], "name", "ines")["guest"])
	require.Equal(t, true, find(team["users"], "name", "tom")["foreign"])
	require.Equal(t, true, find(team["users"], "id", team["app"].(object)["user"].(string))["bot"])
}
