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

// The page is put together without html/template, which finds methods by their names: the linker would keep all there
// are, and the program would be a sixth larger.
var (
	//go:embed install.html
	pageHTML string
	//go:embed install.css
	pageCSS string
	//go:embed install_logo.svg
	logo string
)

// policy lets a page show itself, and nothing else.
var policy = func() string {
	sum := sha256.Sum256([]byte(pageCSS))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()

// page is what a page of an installation shows.
type page struct {
	Title     string
	Sentences []string
	Steps     []string // what to do next
	App       string   // the address of the app's Home, in Slack's own program
	Web       string   // the same in a browser
	Start     string   // Add to Slack
}

// body is what stands below the title. Whatever is not ours is text.
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
	link := func(address, class, words string) {
		if address != "" {
			fmt.Fprintf(&b, "<p><a%s href=\"%s\">%s</a></p>\n", class, html.EscapeString(address), words)
		}
	}
	const button = ` class="button"`
	link(p.App, button, "Open Darkroom in Slack")
	link(p.Web, "", "Open it in the browser")
	link(p.Start, button, logo+"Add to Slack")
	return b.String()
}

// show writes a page. Nobody keeps it, frames it, or learns from a link where it was.
func (p page) show(w http.ResponseWriter, status int) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	page := strings.NewReplacer("{title}", html.EscapeString(p.Title), "{style}", pageCSS, "{body}", p.body())
	_, _ = page.WriteString(w, pageHTML) // an error: the visitor has gone
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
