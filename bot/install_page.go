package bot

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page and its style
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"regexp"
)

var (
	//go:embed install.html
	installHTML string
	//go:embed install.css
	installCSS string

	installTemplate = template.Must(template.New("install").Parse(installHTML))
)

// installPolicy lets a page show itself, and nothing else.
var installPolicy = func() string {
	sum := sha256.Sum256([]byte(installCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// installPage is what a page of an installation shows.
type installPage struct {
	Title     string
	Sentences []string
	Steps     []string     // what to do next
	App       template.URL // of the app's Home, in Slack's own program
	Web       string       // the same in a browser
	Start     string       // Add to Slack

	Style template.CSS
}

// show writes a page. Nobody keeps it, frames it, or learns from a link where it was.
func (p installPage) show(w http.ResponseWriter, status int) {
	p.Style = template.CSS(installCSS) //nolint:gosec // it is ours
	var body bytes.Buffer
	if err := installTemplate.Execute(&body, p); err != nil { // it is tested
		http.Error(w, http.StatusText(http.StatusInternalServerError), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", installPolicy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body.Bytes()) // whoever asked has gone
}

var slackID = regexp.MustCompile(`^[A-Z][A-Z0-9]{1,40}$`)

// homeOf are the addresses of the app's Home in a workspace; "" when its ids are none.
func homeOf(slackURL string, g Grant) (app template.URL, web string) {
	if !slackID.MatchString(g.Team) || !slackID.MatchString(g.AppID) {
		return "", ""
	}
	with := url.Values{"team": {g.Team}, "app": {g.AppID}, "tab": {"home"}}
	return template.URL("slack://app?team=" + g.Team + "&id=" + g.AppID + "&tab=home"), //nolint:gosec // both have the shape of ids
		slackURL + "/app_redirect?" + with.Encode()
}
