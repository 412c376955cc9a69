// Package slack is a Slack in which several workspaces live, over real HTTP.
//
// A [Slack] has one Web API for all of them: a call reaches the workspace that its token is
// for, and a token that is unknown, has expired or was revoked is answered as Slack answers it.
// People add the one app by OAuth, on the page that asks them, and take it away again; an
// organisation may add it for several workspaces at once. All of them deliver to that app.
//
// Invariant: a workspace is never reached with a token that was not given for it, and what was
// done in one is seen in no other. Workspaces may have the same ids for channels and people, so
// that an app which mixes them up is found out.
//
// It shares no type with the app: a common mistake would hide on both sides.
package slack

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"darkroom/sandbox/workspace"
)

// Options say what Slack is like.
type Options struct {
	App           App
	Workspaces    []workspace.Options // each with a TeamID and a TeamDomain of its own; what is the app's is taken from App
	Organisations []Organisation

	Addr       string // where Start listens; "" = "127.0.0.1:0"
	AppURL     string // base URL of the app
	SocketMode bool   // payloads go over the app's connections, nothing over HTTP

	Now func() time.Time // nil: time.Now
}

// Organisation is one of Enterprise Grid. Its workspaces are those that have its id as their Enterprise.
type Organisation struct {
	ID, Name string
}

// Slack is all of it. Its methods are safe for concurrent use.
type Slack struct {
	o      Options
	base   string
	server *http.Server
	desk   *workspace.Workspace // for what is of no workspace
	client *http.Client
	ctx    context.Context
	stop   context.CancelFunc
	served sync.WaitGroup

	mu       sync.Mutex // never held while a workspace is asked for something
	appURL   string
	window   http.Handler // what a person's browser sees; nil: nothing
	rotates  bool
	serial   int
	rooms    map[string]*workspace.Workspace // by team id
	order    []string                        // team ids, as they came
	orgs     map[string]Organisation
	grants   map[string]*grant   // by the id of the workspace or organisation
	tokens   map[string]*token   // every one there ever was
	renewals map[string]*renewal // every refresh token there ever was
	codes    map[string]*code
	sessions map[string]*session // of browsers
	secrets  []string
	refused  map[string]int // by Slack's word on a token
}

// New is a Slack as the options say; it serves nothing before Start.
func New(o Options) *Slack {
	o.App = o.App.withDefaults()
	if o.Now == nil {
		o.Now = time.Now
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Slack{
		o: o, ctx: ctx, stop: stop, appURL: strings.TrimRight(o.AppURL, "/"), rotates: o.App.Rotation, client: workspace.AppClient(),
		rooms: map[string]*workspace.Workspace{}, orgs: map[string]Organisation{}, grants: map[string]*grant{},
		tokens: map[string]*token{}, renewals: map[string]*renewal{}, codes: map[string]*code{}, sessions: map[string]*session{}, refused: map[string]int{},
	}
	for _, org := range o.Organisations {
		s.orgs[org.ID] = org
	}
	desk := s.tenant(workspace.Options{TeamID: "T0DESK", TeamDomain: "desk", Users: []workspace.User{}, Channels: []workspace.Channel{}, Groups: []workspace.UserGroup{}})
	desk.SocketMode = o.SocketMode
	s.desk = workspace.New(desk)
	s.hide(o.App.ClientSecret, o.App.SigningSecret, o.App.AppToken)
	return s
}

// tenant is what a workspace is like that has the app of this Slack.
func (s *Slack) tenant(o workspace.Options) workspace.Options {
	app := s.o.App
	o.AppComesLater, o.BotToken = true, "none: each has several"
	o.SigningSecret, o.AppToken, o.AppID, o.BotName = app.SigningSecret, app.AppToken, app.ID, app.Name
	o.Events, o.Unlisted, o.Now, o.AppURL, o.SocketMode = app.Events, !app.Listed, s.o.Now, s.appURL, false
	return o
}

// Start serves all of it where the options say.
func (s *Slack) Start() error {
	addr := s.o.Addr
	if addr == "" {
		addr = "127.0.0.1:0"
	}
	listener, err := (&net.ListenConfig{}).Listen(s.ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("slack: %w", err)
	}
	s.base = "http://" + listener.Addr().String()
	s.desk.StartIn(workspace.Host{Base: s.base, Client: s.client, Judge: s.judge(""), Methods: s.deskMethods(), Mark: "0"})
	for _, o := range s.o.Workspaces {
		s.Found(o)
	}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	s.served.Go(func() { _ = s.server.Serve(listener) })
	return nil
}

// Found founds one more workspace.
func (s *Slack) Found(o workspace.Options) *workspace.Workspace {
	s.mu.Lock()
	o = s.tenant(o)
	mark := strconv.Itoa(len(s.order) + 1)
	s.mu.Unlock()
	w := workspace.New(o)
	w.StartIn(workspace.Host{
		Base: s.base + roomPath + o.TeamID, Mark: mark, Client: s.client, Judge: s.judge(o.TeamID), Desk: s.desk, Methods: s.methods(),
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rooms[o.TeamID] = w
	s.order = append(s.order, o.TeamID)
	return w
}

// Close ends every connection and delivery and waits for them.
func (s *Slack) Close() {
	s.stop()
	if s.server != nil {
		_ = s.server.Close()
	}
	for _, w := range s.Workspaces() {
		w.Close()
	}
	s.desk.Close()
	s.served.Wait()
}

// URL is where Slack is served, without a trailing slash.
func (s *Slack) URL() string { return s.base }

// APIURL is the base of the Web API, of all workspaces; it ends with a slash.
func (s *Slack) APIURL() string { return s.base + apiPath }

// App is the app's registration.
func (s *Slack) App() App { return s.o.App }

// Desk is what is of no workspace: the methods of OAuth, the connections of Socket Mode, and what
// the app is told of organisations. Faults of oauth.v2.access are made there.
func (s *Slack) Desk() *workspace.Workspace { return s.desk }

// Workspace finds one by its team id or its domain; nil: not found.
func (s *Slack) Workspace(idOrDomain string) *workspace.Workspace {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.room(idOrDomain)
}

// room is Workspace; the caller holds the lock.
func (s *Slack) room(idOrDomain string) *workspace.Workspace {
	if w := s.rooms[idOrDomain]; w != nil {
		return w
	}
	for _, w := range s.rooms {
		if strings.EqualFold(w.Team(), idOrDomain) {
			return w
		}
	}
	return nil
}

// Workspaces are all of them, as they came.
func (s *Slack) Workspaces() []*workspace.Workspace {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]*workspace.Workspace, 0, len(s.order))
	for _, id := range s.order {
		all = append(all, s.rooms[id])
	}
	return all
}

// SetAppURL says where the app is.
func (s *Slack) SetAppURL(base string) {
	s.mu.Lock()
	s.appURL = strings.TrimRight(base, "/")
	s.mu.Unlock()
	for _, w := range append(s.Workspaces(), s.desk) {
		w.SetAppURL(base)
	}
}

// Secrets is every secret there ever was: tokens, refresh tokens, codes and those of the app. None of
// them may be found where the app keeps things.
func (s *Slack) Secrets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.secrets)
}

// hide notes secrets; the caller holds the lock, or nothing is served yet.
func (s *Slack) hide(secrets ...string) {
	s.secrets = append(s.secrets, secrets...)
}

func (s *Slack) now() time.Time { return s.o.Now() }
