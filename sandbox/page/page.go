// Package page is the sandbox's Slack in a browser: what every person of the workspace
// sees and does there, and the photo editor's desk beside it.
//
// A [Page] is an [http.Handler] that the workspace mounts. It holds one Slack client for
// each person, whatever the number of tabs, and tells every tab the whole state before
// that person whenever it changed. A tab that is loaded anew begins that client anew. What somebody may not see is never sent.
//
// It serves this machine only: requests for another host, and writes from another origin,
// are refused. It draws nothing itself; static/ does, without a build step and without
// anything fetched from outside.
package page

import (
	"context"
	"embed"
	"io/fs"
	"net/http"
	"path"
	"sync"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

//go:embed static
var embedded embed.FS

// Options say what the page shows.
type Options struct {
	Workspace *workspace.Workspace
	Photos    *photos.Service // nil: there is no desk
	Commands  []Command       // the app's, as its manifest declares them
	Pictures  []string        // where else pictures come from, as origins: "http://127.0.0.1:4271"
	Within    []string        // origins whose pages may show it in a frame; none: nobody's
	ReadOnly  bool            // nobody may write to the app's direct messages, as its manifest says
	Static    fs.FS           // what the browser loads; nil: what was built in
}

// Command is a slash command as its manifest declares it.
type Command struct {
	Command     string `json:"command"` // with its slash
	Description string `json:"description"`
	UsageHint   string `json:"usage_hint"`
}

// Page is the page of one workspace. Its methods are safe for concurrent use.
type Page struct {
	o       Options
	ws      *workspace.Workspace
	static  fs.FS
	handler http.Handler
	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup // streams
	slots   chan struct{}  // one for each stream

	mu    sync.Mutex
	watch chan struct{}    // closed when the page itself changed something it shows
	seats map[string]*seat // by user id
	shelf shelf
	tour  tour
}

// maxStreams is how many tabs the page tells of changes at once.
const maxStreams = 128

// New is the page of the workspace; it is not mounted yet.
func New(o Options) *Page {
	ctx, stop := context.WithCancel(context.Background())
	p := &Page{
		o: o, ws: o.Workspace, ctx: ctx, stop: stop, static: o.Static,
		slots: make(chan struct{}, maxStreams), seats: map[string]*seat{}, watch: make(chan struct{}),
	}
	if p.static == nil {
		p.static, _ = fs.Sub(embedded, "static") // the folder is built in
	}
	p.handler = p.guarded(p.routes())
	return p
}

// Close ends every stream and waits for them.
func (p *Page) Close() {
	p.stop()
	p.running.Wait()
}

// ServeHTTP serves the page's paths.
func (p *Page) ServeHTTP(rw http.ResponseWriter, r *http.Request) { p.handler.ServeHTTP(rw, r) }

// routes are the page's paths.
func (p *Page) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.index)
	mux.HandleFunc("GET /favicon.ico", p.icon)
	mux.Handle("GET /static/", typed(http.StripPrefix("/static/", http.FileServerFS(p.static))))
	mux.HandleFunc("GET /page/team", p.team)
	mux.HandleFunc("GET /page/as/{user}/stream", p.asPerson(p.stream))
	mux.HandleFunc("POST /page/as/{user}/upload", p.asPerson(p.upload))
	mux.HandleFunc("POST /page/as/{user}/{act}", p.asPerson(p.act))
	mux.HandleFunc("GET /page/file/{id}", p.file)
	p.deskRoutes(mux)
	p.faultRoutes(mux)
	p.sampleRoutes(mux)
	mux.HandleFunc("/", func(rw http.ResponseWriter, _ *http.Request) { refuse(rw, errNoSuchPage) })
	return mux
}

func (p *Page) index(rw http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(rw, r, p.static, "index.html")
}

func (p *Page) icon(rw http.ResponseWriter, r *http.Request) {
	http.ServeFileFS(rw, r, p.static, "favicon.svg")
}

// kinds are the types of what the browser loads: not every machine knows them all.
var kinds = map[string]string{
	".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".html": "text/html; charset=utf-8",
}

func typed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if kind := kinds[path.Ext(r.URL.Path)]; kind != "" {
			rw.Header().Set("Content-Type", kind)
		}
		next.ServeHTTP(rw, r)
	})
}
