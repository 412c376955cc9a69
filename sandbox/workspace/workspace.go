// Package workspace is a Slack workspace on a laptop, over real HTTP.
//
// A [Workspace] answers the Web API, keeps channels, threads, modals, files
// and ephemeral messages, and delivers commands, interactions and events to
// the one app installed in it, signed over HTTP or in Socket Mode. It enforces what Slack enforces, with
// Slack's own error strings, and misbehaves on demand. A [Window] is one Slack
// client of one person: what is clicked and typed there.
//
// Invariant: nothing that Slack would reject is accepted in silence. A
// rejected payload is answered as Slack answers it and is also listed by
// [Workspace.Violations]; an unknown method or path by [Workspace.Unknown]. So is
// listed, though Slack takes it, a token outside the Authorization header.
//
// It shares no type with the app: a common mistake would hide on both sides.
package workspace

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// apiPath is where the methods of the Web API are.
const apiPath = "/api/"

// Workspace is one team with its people, channels and the app.
type Workspace struct {
	o       Options
	methods map[string]method
	server  *http.Server
	base    string
	client  *http.Client // to the app
	images  *http.Client // to wherever image URLs point
	in      Host         // the Slack of several that it lives in
	tenants []*Workspace // who share its connections
	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup
	wake    chan struct{} // there are events to deliver

	mu         sync.Mutex
	watch      chan struct{} // closed at every change
	appURL     string
	page       http.Handler // what a person's browser sees; nil: nothing
	revoked    bool
	installed  bool     // the app is here
	orgWide    bool     // as its organisation wants
	appTokens  []string // all of them, once they were set
	verified   bool     // the request URL
	serial     int
	lastTS     int64 // microseconds
	users      []*User
	groups     []*UserGroup
	channels   []*Channel
	messages   map[string][]*Message // by channel id, oldest first, replies included
	ephemerals []*Message
	triggers   map[string]*trigger
	views      map[string]*View // open modals and homes
	homes      map[string]*View // by user id
	files      map[string]*File
	responses  map[string]*responseURL
	book       book
	trouble    trouble
	oddFiles   bool
	rates      rates
	sockets    sockets
	pending    []object // events not delivered yet
}

// New is a workspace as the options say; it serves nothing before Start.
func New(o Options) *Workspace {
	o = o.withDefaults()
	ctx, stop := context.WithCancel(context.Background())
	w := &Workspace{
		o: o, ctx: ctx, stop: stop, installed: !o.AppComesLater,
		methods:   methods(),
		client:    AppClient(),
		images:    imageClient(o.PublicImagesOnly),
		wake:      make(chan struct{}, 1),
		watch:     make(chan struct{}),
		appURL:    strings.TrimRight(o.AppURL, "/"),
		messages:  map[string][]*Message{},
		triggers:  map[string]*trigger{},
		views:     map[string]*View{},
		homes:     map[string]*View{},
		files:     map[string]*File{},
		responses: map[string]*responseURL{},
		rates:     newRates(o),
		sockets:   newSockets(o.SocketMode),
	}
	w.seed()
	return w
}

// Start serves the workspace where the options say.
func (w *Workspace) Start() error {
	listener, err := (&net.ListenConfig{}).Listen(w.ctx, "tcp", w.o.Addr)
	if err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	w.base = "http://" + listener.Addr().String()
	w.server = &http.Server{Handler: w, ReadHeaderTimeout: 10 * time.Second}
	w.running.Go(func() { _ = w.server.Serve(listener) })
	w.running.Go(w.deliverEvents)
	return nil
}

// Close ends every connection and delivery and waits for them.
func (w *Workspace) Close() {
	w.stop()
	if w.server != nil {
		_ = w.server.Close()
	}
	w.client.CloseIdleConnections()
	w.images.CloseIdleConnections()
	w.running.Wait()
}

// URL is where the workspace is served, without a trailing slash.
func (w *Workspace) URL() string { return w.base }

// APIURL is the base of the Web API; it ends with a slash.
func (w *Workspace) APIURL() string { return w.base + apiPath }

// SetAppURL says where the app is: /slack/commands, /slack/interactions and
// /slack/events are appended.
func (w *Workspace) SetAppURL(base string) {
	defer w.change()()
	w.appURL = strings.TrimRight(base, "/")
	w.rouse()
}

// ServeHTTP routes the Web API, response URLs, uploads, file downloads and the page.
func (w *Workspace) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case path == linkPath:
		w.serveSocket(rw, r)
	case forApp(path):
		w.serveApp(rw, r)
	case onPage(path) && w.mounted() != nil:
		w.mounted().ServeHTTP(rw, r)
	default:
		w.noteUnknown(r.Method + " " + path)
		http.Error(rw, `{"ok":false,"error":"unknown_method"}`, http.StatusNotFound)
	}
}

// forApp tells whether only the app asks for the path.
func forApp(path string) bool {
	return slices.ContainsFunc([]string{apiPath, responsePath, uploadPath, filePath}, func(prefix string) bool {
		return strings.HasPrefix(path, prefix)
	})
}

// serveApp serves what forApp names.
func (w *Workspace) serveApp(rw http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case strings.HasPrefix(path, responsePath):
		w.serveResponse(rw, r, strings.TrimPrefix(path, responsePath))
	case strings.HasPrefix(path, uploadPath):
		w.serveUpload(rw, r, strings.TrimPrefix(path, uploadPath))
	case strings.HasPrefix(path, filePath):
		w.serveFile(rw, r, strings.TrimPrefix(path, filePath))
	default:
		w.serveAPI(rw, r, strings.TrimPrefix(path, apiPath))
	}
}

// Changed is closed at the next change of anything a person or a test can see.
// Take it before looking, then look, then wait for it.
func (w *Workspace) Changed() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.watch
}

// Wait returns when the condition holds, looking again at every change, or
// with the context's error.
func (w *Workspace) Wait(ctx context.Context, holds func() bool) error {
	for {
		changed := w.Changed()
		if holds() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// change locks the workspace; the function it returns wakes everyone who
// watches and unlocks.
func (w *Workspace) change() func() {
	w.mu.Lock()
	return w.unlock
}

// unlock ends a change that began with the bare lock.
func (w *Workspace) unlock() {
	close(w.watch)
	w.watch = make(chan struct{})
	w.mu.Unlock()
}

func (w *Workspace) now() time.Time { return w.o.Now() }

// Clock is the timestamp of what was said last, or would have been said now.
func (w *Workspace) Clock() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock()
}

func (w *Workspace) clock() string { return stamped(max(w.now().UnixMicro(), w.lastTS)) }

func stamped(micro int64) string { return fmt.Sprintf("%d.%06d", micro/1e6, micro%1e6) }

// id is a new identifier with the prefix; the caller holds the lock.
func (w *Workspace) id(prefix string) string {
	w.serial++
	return fmt.Sprintf("%s0%06d", prefix, w.serial)
}

// stamp is a new message timestamp, later than all before it; the caller
// holds the lock.
func (w *Workspace) stamp() string {
	w.lastTS = max(w.now().UnixMicro(), w.lastTS+1)
	return stamped(w.lastTS)
}
