package review

import (
	"crypto/sha256"
	_ "embed" // the page, its script and its style
	"encoding/hex"
	"fmt"
	"html"
	"net/http"
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
)

// The page does not use html/template, for the reason that package install gives. All text goes through html.EscapeString.
var (
	//go:embed compare.html
	pageHTML string
	//go:embed compare.js
	pageJS string
	//go:embed compare.css
	pageCSS string
)

// parts are what compare.html has: the frame of a page, the body with photos, its part that sets pins, and the body without
// photos.
var parts = strings.Split(pageHTML, "<!-- part -->\n")

// framed returns a page. The head and the body are safe HTML; nothing in them is replaced.
func framed(title, head, body string) string {
	return strings.NewReplacer("{title}", html.EscapeString(title), "{head}", head, "{body}", body, "{version}", pageVersion).Replace(parts[0])
}

// icon stands on the browser's tab: two halves of a picture.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#86868f" d="M1 2h7v12H1z"/><path fill="#0b57d0" d="M8 2h7v12H8z"/></svg>`

// pageVersion changes with the files beside the page, so that a browser never has those of another version.
var pageVersion = func() string {
	sum := sha256.Sum256([]byte(pageJS + pageCSS + icon))
	return hex.EncodeToString(sum[:6])
}()

// pageFile is a file beside the page. Its content is the same for everybody.
type pageFile struct{ kind, content string }

// pageFiles are the files by name. No token has a dot.
var pageFiles = map[string]pageFile{
	"compare.js":  {"text/javascript; charset=utf-8", pageJS},
	"compare.css": {"text/css; charset=utf-8", pageCSS},
	"compare.svg": {"image/svg+xml", icon},
}

// serve answers with the file. A browser keeps it if it is the version that the page names; another replica may be of
// another version.
func (f pageFile) serve(w http.ResponseWriter, present bool) {
	w.Header().Set("Content-Type", f.kind)
	if present {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	_, _ = w.Write([]byte(f.content)) // an error: the browser has gone
}

// policyOf allows the page's own files, and pictures of these origins.
func policyOf(pictures []string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src " + strings.Join(append([]string{"'self'"}, pictures...), " ") +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// setHeaders sets the headers of every answer: search engines and referrers learn nothing. Some answers set another type or
// policy.
func setHeaders(h http.Header) {
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policyOf(nil))
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex, nofollow, noarchive")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-store")
}

func show(w http.ResponseWriter, status int, content string) {
	w.WriteHeader(status)
	_, _ = w.Write([]byte(content)) // an error: the browser has gone
}

// plain returns a page without photos.
func plain(title, how string) string {
	return framed(title, "", strings.NewReplacer("{title}", html.EscapeString(title), "{how}", html.EscapeString(how)).Replace(parts[3]))
}

// policy allows the pictures of the page, and a page for pins to save them.
func (p *page) policy() string {
	return policyOf(p.hosts) + kit.OnlyIf(p.marks != "", "; connect-src 'self'")
}

// html writes the page: a list of the photos, from which the script makes the rest.
func (p *page) html() string {
	photos, head := "", "<script src=\"compare.js?v="+pageVersion+"\" defer></script>\n"
	for i, one := range p.photos {
		photos += one.html(i + 1)
	}
	if len(p.photos) > 0 {
		if first := p.photos[0].versions; len(first) > 0 {
			head += fmt.Sprintf("<link rel=\"preload\" as=\"image\" href=\"%s\">\n", html.EscapeString(first[len(first)-1].source))
		}
	}
	summary := kit.Capital(cards.Round(p.round)) + " · " + kit.Count(len(p.photos), "photo", "photos")
	title := kit.Either(p.marks == "", "Compare", "Mark on the Pictures")
	body := strings.NewReplacer("{title}", title, "{summary}", summary, "{photos}", photos, "{marks}", p.marks).Replace(parts[1])
	return framed(title, head, body)
}

// html writes one photo of the list.
func (one photo) html(number int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<li id=\"photo-%d\" data-photo=\"%s\">\n<h2>%s</h2>\n<ul>\n", number, html.EscapeString(one.edit), html.EscapeString(one.title))
	for _, v := range one.versions {
		fmt.Fprintf(&b, "<li><a data-version=\"%s\" data-instead=\"%s\" href=\"%s\" target=\"_blank\" rel=\"noreferrer\">%[1]s, full size</a></li>\n", v.label, html.EscapeString(v.instead), html.EscapeString(v.source))
	}
	fmt.Fprintf(&b, "</ul>\n<h3>%s</h3>\n<p class=\"asked\">%s</p>\n</li>\n", html.EscapeString(one.heading), html.EscapeString(one.asked))
	return b.String()
}
