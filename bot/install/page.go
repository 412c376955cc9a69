package install

import (
	"crypto/sha256"
	_ "embed" // the page and its style
	"encoding/base64"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
)

// The page does not use html/template. That package finds methods by name, so the linker would keep all
// methods and the binary would grow by a sixth.
var (
	//go:embed install.html
	pageHTML string
	//go:embed install.css
	pageCSS string
	//go:embed install_logo.svg
	logo string
)

// policy allows a page to show its own style and nothing else.
var policy = func() string {
	sum := sha256.Sum256([]byte(pageCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// page is the content of an installation page.
type page struct {
	Title     string
	Sentences []string
	Steps     []string // next steps
	App       string   // address of the app's Home in Slack's desktop app
	Web       string   // address of the app's Home in a browser
	Start     string   // address of *Add to Slack*
	Privacy   string   // address of the privacy policy
	Support   string   // address of support
}

// body returns the HTML below the title. It escapes all foreign text.
func (p page) body() string {
	var b strings.Builder
	for _, sentence := range p.Sentences {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(sentence))
	}
	if len(p.Steps) > 0 {
		b.WriteString("<ol>\n")
		for _, step := range p.Steps {
			fmt.Fprintf(&b, "<li>%s</li>\n", html.EscapeString(step))
		}
		b.WriteString("</ol>\n")
	}
	link := func(address, class, label string) {
		if address != "" {
			fmt.Fprintf(&b, "<p><a%s href=\"%s\">%s</a></p>\n", class, html.EscapeString(address), label)
		}
	}
	const button = ` class="button"`
	link(p.App, button, "Open Darkroom in Slack")
	link(p.Web, "", "Open it in the browser")
	link(p.Start, button, logo+"Add to Slack")
	link(p.Privacy, "", "Privacy policy")
	link(p.Support, "", "Support")
	return b.String()
}

// show writes a page. It is not cached or framed, and its links send no referrer.
func (p page) show(w http.ResponseWriter, status int) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	page := strings.NewReplacer("{title}", html.EscapeString(p.Title), "{style}", pageCSS, "{body}", p.body())
	_, _ = page.WriteString(w, pageHTML) // an error: the client has gone
}

var slackID = regexp.MustCompile(`^[A-Z][A-Z0-9]{1,40}$`)

// homeOf returns the addresses of the app's Home in a workspace; "" for malformed ids.
func homeOf(slackURL string, g Grant) (app, web string) {
	if !slackID.MatchString(g.Team) || !slackID.MatchString(g.AppID) {
		return "", ""
	}
	with := url.Values{"team": {g.Team}, "app": {g.AppID}, "tab": {"home"}}
	return "slack://app?team=" + g.Team + "&id=" + g.AppID + "&tab=home", slackURL + "/app_redirect?" + with.Encode()
}
