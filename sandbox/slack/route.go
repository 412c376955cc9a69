package slack

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"

	"darkroom/sandbox/workspace"
)

const (
	apiPath  = "/api/"
	roomPath = "/at/" // and the team id: what one workspace alone serves
	maxBody  = 4 << 20
)

// ServeHTTP routes the Web API by token, what belongs to one workspace by its path, and OAuth.
func (s *Slack) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case strings.HasPrefix(path, apiPath):
		s.serveAPI(rw, r, strings.TrimPrefix(path, apiPath))
	case strings.HasPrefix(path, roomPath):
		s.serveRoom(rw, r, strings.TrimPrefix(path, roomPath))
	case strings.HasPrefix(path, oauthPath):
		s.serveOAuth(rw, r)
	case s.mounted(path) != nil:
		s.mounted(path).ServeHTTP(rw, r)
	default:
		s.desk.ServeHTTP(rw, r) // sockets, and what nobody knows
	}
}

// serveRoom serves what is below a workspace's own address.
func (s *Slack) serveRoom(rw http.ResponseWriter, r *http.Request, rest string) {
	team, _, _ := strings.Cut(rest, "/")
	s.mu.Lock()
	w := s.rooms[team]
	s.mu.Unlock()
	if w == nil {
		s.desk.ServeHTTP(rw, r)
		return
	}
	http.StripPrefix(roomPath+team, w).ServeHTTP(rw, r)
}

// serveAPI answers one call where it belongs.
func (s *Slack) serveAPI(rw http.ResponseWriter, r *http.Request, name string) {
	token, args, err := calls(r)
	if err != nil {
		refuse(rw, "invalid_form_data")
		return
	}
	w, refused := s.addressee(name, token, args)
	if refused != "" {
		refuse(rw, refused)
		return
	}
	w.ServeHTTP(rw, r)
}

// addressee is the workspace that a call is for: that of its token, and with an organisation's token
// that of team_id, or the one that what it names is in. Where the token is for none, the desk answers.
func (s *Slack) addressee(name, text string, args object) (w *workspace.Workspace, refused string) {
	s.mu.Lock()
	t := s.tokens[text]
	if t == nil || name == "apps.connections.open" {
		s.mu.Unlock()
		return s.desk, ""
	}
	if !t.grant.orgWide {
		w = s.rooms[t.grant.id]
		s.mu.Unlock()
		return w, ""
	}
	team, _ := args["team_id"].(string)
	named, org, rooms, bad := s.rooms[team], t.grant.id, s.where(t.grant), s.word(text, "") != ""
	s.mu.Unlock()
	switch {
	case s.methods()[name] != nil, bad, name == "auth.test" && team == "":
		return s.desk, ""
	case team == "":
		return s.among(rooms, name, args)
	case named == nil || named.Enterprise() != org:
		return nil, "team_not_found"
	}
	return named, ""
}

// wantTeam are the methods that an organisation's token must name the workspace to.
var wantTeam = []string{"conversations.list", "users.list", "users.conversations", "usergroups.list", "conversations.create"}

// among is the workspace that has what the call names.
// Slack: docs.slack.dev/enterprise/organization-ready-apps.
func (s *Slack) among(rooms []*workspace.Workspace, name string, args object) (*workspace.Workspace, string) {
	if slices.Contains(wantTeam, name) {
		return nil, "missing_argument"
	}
	for _, w := range rooms {
		if w.Knows(args) {
			return w, ""
		}
	}
	channel, _ := args["channel"].(string)
	switch {
	case strings.HasPrefix(name, "chat.") && (strings.HasPrefix(channel, "#") || channel != strings.ToUpper(channel)):
		return nil, "team_not_found" // a name says nothing without a workspace
	case len(rooms) == 0:
		return nil, "team_access_not_granted"
	}
	return rooms[0], ""
}

// calls are the token and arguments of a call, whose body can be read once more.
func calls(r *http.Request) (token string, args object, err error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	if err != nil {
		return "", nil, err
	}
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	r.Body = io.NopCloser(bytes.NewReader(body))
	args = object{}
	switch kind := again.Header.Get("Content-Type"); {
	case strings.HasPrefix(kind, "application/json"):
		_ = json.Unmarshal(body, &args) // the workspace says what is wrong with it
	case strings.HasPrefix(kind, "multipart/form-data"):
		err = again.ParseMultipartForm(maxBody)
	default:
		err = again.ParseForm()
	}
	for key, values := range again.Form {
		args[key] = values[0]
	}
	for key, values := range again.URL.Query() {
		args[key] = values[0]
	}
	token = strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if token == "" {
		token, _ = args["token"].(string)
	}
	return token, args, err
}

// refuse answers ok:false.
func refuse(rw http.ResponseWriter, code string) {
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(rw).Encode(object{"ok": false, "error": code})
}

// Mount serves the handler to people's browsers: for "/", "/favicon.ico" and all that begins with
// /static/ or /page/.
func (s *Slack) Mount(window http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.window = window
}

// mounted is what a browser sees at the path; nil: nothing.
func (s *Slack) mounted(path string) http.Handler {
	if path != "/" && path != "/favicon.ico" && !strings.HasPrefix(path, "/static/") && !strings.HasPrefix(path, "/page/") {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.window
}
