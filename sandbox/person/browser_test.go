package person_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
)

const signupPage = `<!DOCTYPE html><html><head><title>unseen</title><style>a > b { color: red }</style></head><body>
<h1>Hello &amp; welcome</h1><p>Read <a href="/more">more&nbsp;about us</a>.<br>Thank you</p>
<form method="post" action="/join"><input type="hidden" name="crumb" value="c1">
<label for="n">Your name</label><input id="n" name="name">
<label for="w">Workspace</label><select id="w" name="at"><option value="1">Studio</option><option value="2">Agency</option></select>
<button name="answer" value="no">Cancel</button><button name="answer" value="yes">Join us</button></form></body></html>`

func TestABrowserIsUsedByWhatIsWrittenOnThePage(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(rw http.ResponseWriter, _ *http.Request) {
		http.SetCookie(rw, &http.Cookie{Name: "seen", Value: "1"})
		rw.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = rw.Write([]byte(signupPage))
	})
	mux.HandleFunc("GET /more", func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte("All about us")) })
	mux.HandleFunc("POST /join", func(rw http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("seen")
		if err != nil || cookie.Value != "1" {
			http.Error(rw, "no cookie", http.StatusForbidden)
			return
		}
		http.Redirect(rw, r, "/more?name="+r.FormValue("name")+"&at="+r.FormValue("at")+"&answer="+r.FormValue("answer")+"&crumb="+r.FormValue("crumb"), http.StatusSeeOther)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)

	b := person.NewBrowser()
	require.NoError(t, b.Open(server.URL))
	require.NoError(t, b.Sees("Hello & welcome"))
	require.Error(t, b.Sees("unseen"))
	require.Error(t, b.Sees("color"))
	require.NoError(t, b.Choose("Workspace", "Agency"))
	require.ErrorContains(t, b.Choose("Workspace", "Elsewhere"), "Hello & welcome")
	require.NoError(t, b.Press("Join us"))
	require.Equal(t, server.URL+"/more?name=&at=2&answer=yes&crumb=c1", b.URL())
	require.Equal(t, http.StatusOK, b.Status())

	require.NoError(t, b.Open("/"))
	require.NoError(t, b.Press("Cancel"))
	require.Contains(t, b.URL(), "at=1&answer=no", "a list begins with its first")
	require.NoError(t, b.Open("/"))
	require.NoError(t, b.Follow("more about us"))
	require.NoError(t, b.Sees("All about us"))
	require.ErrorContains(t, b.Press("Nothing"), `no link "Nothing"`)
}
