package page

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// guarded lets in only this machine's own browser: a name that is no loopback name may be
// a foreign one bound to 127.0.0.1, and a write from another origin is not the person's.
func (p *Page) guarded(next http.Handler) http.Handler {
	ours := http.NewCrossOriginProtection()
	ours.SetDenyHandler(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { refuse(rw, errForeign) }))
	next = ours.Handler(next)
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		p.fence(rw.Header())
		if !loopback(r.Host) {
			refuse(rw, errForeign)
			return
		}
		next.ServeHTTP(rw, r)
	})
}

// fence says what a browser may do with an answer.
func (p *Page) fence(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'self'; img-src 'self' data: blob: "+strings.Join(p.pictures(), " ")+
		"; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors "+p.framers())
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
}

// framers are the origins whose pages may show this one in a frame.
func (p *Page) framers() string {
	if len(p.o.Within) == 0 {
		return "'none'"
	}
	return strings.Join(p.o.Within, " ")
}

// pictures are the origins that pictures are shown from.
func (p *Page) pictures() []string {
	origins := slices.Clone(p.o.Pictures)
	if p.o.Photos != nil {
		origins = append(origins, p.o.Photos.URL())
	}
	for i, origin := range origins {
		if u, err := url.Parse(origin); err == nil {
			origins[i] = u.Scheme + "://" + u.Host
		}
	}
	return origins
}

// loopback tells whether a Host header names this machine.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
