package page

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"time"

	"darkroom/sandbox/workspace"
)

// SeveralOptions say which workspaces one window shows, and what their pages show.
type SeveralOptions struct {
	Base    string    // where the window itself is served, as "http://127.0.0.1:4270"
	Pages   []Options // one for each workspace
	Install string    // where the app is added to a workspace; "": nowhere
	Static  fs.FS     // what the browser loads; nil: what was built in
}

// Several is one window on several workspaces: a rail to go from one to another, and two of them
// side by side. Each has its page on an address of its own, as every workspace has at Slack: what
// a browser keeps for one it does not show another.
type Several struct {
	o       SeveralOptions
	static  fs.FS
	pages   []*Page
	servers []*http.Server
	shown   []shownWorkspace
	handler http.Handler
}

// shownWorkspace is what the rail knows of one.
type shownWorkspace struct {
	ws     *workspace.Workspace
	Name   string `json:"name"`
	Origin string `json:"origin"`
	App    bool   `json:"app"` // somebody has added it
}

// NewSeveral serves the pages on 127.0.0.1; the window is for [http.Handler]'s caller to serve at its base.
func NewSeveral(ctx context.Context, o SeveralOptions) (*Several, error) {
	s := &Several{o: o, static: o.Static}
	if s.static == nil {
		s.static, _ = fs.Sub(embedded, "static") // the folder is built in
	}
	for _, one := range o.Pages {
		one.Within, one.Static = append(one.Within, o.Base), o.Static
		if err := s.open(ctx, one); err != nil {
			s.Close()
			return nil, err
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.window)
	mux.HandleFunc("GET /favicon.ico", s.icon)
	mux.Handle("GET /static/", typed(http.StripPrefix("/static/", http.FileServerFS(s.static))))
	mux.HandleFunc("GET /page/workspaces", s.workspaces)
	mux.HandleFunc("/", func(rw http.ResponseWriter, _ *http.Request) { refuse(rw, errNoSuchPage) })
	s.handler = mux
	return s, nil
}

// open serves the page of one workspace at an address of its own.
func (s *Several) open(ctx context.Context, o Options) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("page of %s: %w", o.Workspace.Team(), err)
	}
	p := New(o)
	server := &http.Server{Handler: p, ReadHeaderTimeout: 10 * time.Second}
	s.pages, s.servers = append(s.pages, p), append(s.servers, server)
	s.shown = append(s.shown, shownWorkspace{ws: o.Workspace, Name: o.Workspace.Team(), Origin: "http://" + listener.Addr().String()})
	go server.Serve(listener) //nolint:errcheck // it ends with Close
	return nil
}

// Close ends every page.
func (s *Several) Close() {
	for i, p := range s.pages {
		p.Close()
		_ = s.servers[i].Close()
	}
}

// Origin is where the page of the workspace is; "" when none is shown.
func (s *Several) Origin(name string) string {
	for _, one := range s.shown {
		if strings.EqualFold(one.Name, name) {
			return one.Origin
		}
	}
	return ""
}

// ServeHTTP serves the window to this machine's browser.
func (s *Several) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	frames := make([]string, 0, len(s.shown))
	for _, one := range s.shown {
		frames = append(frames, one.Origin)
	}
	rw.Header().Set("Content-Security-Policy", "default-src 'self'; frame-src "+strings.Join(frames, " ")+
		"; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	rw.Header().Set("X-Content-Type-Options", "nosniff")
	rw.Header().Set("Referrer-Policy", "no-referrer")
	rw.Header().Set("Cache-Control", "no-store")
	if !loopback(r.Host) {
		refuse(rw, errForeign)
		return
	}
	s.handler.ServeHTTP(rw, r)
}

func (s *Several) window(rw http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(rw, r, s.static, "several.html")
}

func (s *Several) icon(rw http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(rw, r, s.static, "favicon.svg")
}

// workspaces are what the rail shows.
func (s *Several) workspaces(rw http.ResponseWriter, _ *http.Request) {
	all := make([]shownWorkspace, 0, len(s.shown))
	for _, one := range s.shown {
		one.App = one.ws.App().User != ""
		all = append(all, one)
	}
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(rw).Encode(map[string]any{"workspaces": all, "install": s.o.Install}) // the browser may be gone
}
