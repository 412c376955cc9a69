package slack

import (
	"crypto/rand"
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"darkroom/sandbox/workspace"
)

const (
	oauthPath     = "/oauth/v2/"
	authorizePath = oauthPath + "authorize"
	signInPath    = oauthPath + "signin"
	sessionCookie = "d"
	mostShown     = 40 // workspaces to sign in to
)

//go:embed authorize.html
var pages string

var page = template.Must(template.New("").Parse(pages))

// session is one browser: who is signed in, and what its forms must hold.
type session struct {
	crumb string
	as    []account
}

// account is a person of a workspace.
type account struct{ team, user string }

// asked is what the app wants of a person, as it sent them here.
type asked struct {
	ClientID, Scope, RedirectURI, State, Team string
}

func askedIn(q url.Values) asked {
	return asked{ClientID: q.Get("client_id"), Scope: q.Get("scope"), RedirectURI: q.Get("redirect_uri"), State: q.Get("state"), Team: q.Get("team")}
}

func (a asked) query() string {
	q := url.Values{"client_id": {a.ClientID}, "scope": {a.Scope}}
	for key, value := range map[string]string{"redirect_uri": a.RedirectURI, "state": a.State, "team": a.Team} {
		if value != "" {
			q.Set(key, value)
		}
	}
	return q.Encode()
}

func (a asked) scopes() []string {
	return strings.FieldsFunc(a.Scope, func(r rune) bool { return r == ',' || r == ' ' })
}

// refusal is what the page says is wrong with the link; "" is nothing.
func (s *Slack) refusal(a asked) string {
	_, right := s.redirect(a.RedirectURI)
	switch {
	case a.ClientID != s.o.App.ClientID:
		return "invalid_client_id"
	case !right:
		return "redirect_uri did not match any configured URIs. Passed URI: " + a.RedirectURI
	case len(a.scopes()) == 0:
		return "no_scopes"
	case slices.ContainsFunc(a.scopes(), func(one string) bool { return !slices.Contains(s.o.App.Scopes, one) }):
		return "invalid_scope"
	}
	return ""
}

// serveOAuth is the pages a person sees who adds the app.
func (s *Slack) serveOAuth(rw http.ResponseWriter, r *http.Request) {
	rw.Header().Set("Cache-Control", "no-store")
	rw.Header().Set("X-Frame-Options", "DENY")
	rw.Header().Set("Referrer-Policy", "no-referrer")
	switch r.Method + " " + r.URL.Path {
	case "GET " + authorizePath:
		s.ask(rw, r)
	case "POST " + authorizePath:
		s.decide(rw, r)
	case "POST " + signInPath:
		s.signIn(rw, r)
	case "GET " + signInPath:
		s.offerSignIn(rw, r, askedIn(r.URL.Query()))
	default:
		s.desk.ServeHTTP(rw, r)
	}
}

// ask shows who wants what, to somebody who is signed in.
func (s *Slack) ask(rw http.ResponseWriter, r *http.Request) {
	a := askedIn(r.URL.Query())
	if why := s.refusal(a); why != "" {
		s.show(rw, http.StatusBadRequest, "wrong", object{"Why": why})
		return
	}
	se := s.session(rw, r)
	places := s.places(se)
	named := slices.IndexFunc(places, func(p place) bool { return p.ID == a.Team })
	if len(places) == 0 || a.Team != "" && named < 0 {
		s.offerSignIn(rw, r, a)
		return
	}
	if named > 0 {
		places[0], places[named] = places[named], places[0]
	}
	s.show(rw, http.StatusOK, "ask", object{
		"App": s.desk.App().Name, "Asked": a, "Places": places, "Scopes": a.scopes(), "Crumb": se.crumb, "Again": signInPath + "?" + a.query(),
	})
}

// place is where somebody may add the app, or why they may not.
type place struct{ ID, Name, Person, Barred string }

// places are the workspaces that the browser is signed in to, and organisations that somebody signed in runs.
func (s *Slack) places(se *session) []place {
	s.mu.Lock()
	as := slices.Clone(se.as)
	s.mu.Unlock()
	var all, orgs []place
	for _, one := range as {
		w := s.Workspace(one.team)
		u := w.User(one.user)
		all = append(all, place{ID: w.ID(), Name: w.Team(), Person: u.RealName, Barred: s.barred(u)})
		org, known := s.orgs[w.Enterprise()]
		isIn := slices.ContainsFunc(orgs, func(p place) bool { return p.ID == org.ID })
		if known && u.Admin && s.o.App.OrgReady && !isIn {
			orgs = append(orgs, place{ID: org.ID, Name: org.Name + " (organisation)", Person: u.RealName})
		}
	}
	return append(all, orgs...)
}

// barred is why somebody may not add apps; "" is nothing.
func (s *Slack) barred(u workspace.User) string {
	switch {
	case u.Guest, u.OneChannel:
		return "Guests cannot add apps to this workspace."
	}
	return ""
}

// decide sends somebody back with what they pressed.
func (s *Slack) decide(rw http.ResponseWriter, r *http.Request) {
	se := s.session(rw, r)
	if err := r.ParseForm(); err != nil || r.PostForm.Get("crumb") != se.crumb {
		s.show(rw, http.StatusForbidden, "wrong", object{"Why": "invalid_crumb"})
		return
	}
	a := askedIn(r.PostForm)
	if why := s.refusal(a); why != "" {
		s.show(rw, http.StatusBadRequest, "wrong", object{"Why": why})
		return
	}
	q := url.Values{}
	if r.PostForm.Get("answer") == "allow" {
		at, user, why := s.chosen(se, r.PostForm.Get("place"))
		if why != "" {
			s.show(rw, http.StatusForbidden, "wrong", object{"Why": why})
			return
		}
		q.Set("code", s.permit(a, at, user))
	} else {
		q.Set("error", "access_denied")
	}
	if a.State != "" {
		q.Set("state", a.State)
	}
	back, _ := s.redirect(a.RedirectURI)
	http.Redirect(rw, r, joined(back, q), http.StatusFound)
}

// joined is the address with more in its query.
func joined(address string, q url.Values) string {
	if strings.Contains(address, "?") {
		return address + "&" + q.Encode()
	}
	return address + "?" + q.Encode()
}

// chosen is the place somebody chose and who they are there, or why they may not.
func (s *Slack) chosen(se *session, id string) (at, user, why string) {
	for _, p := range s.places(se) {
		if p.ID == id {
			return id, s.userAt(se, id), p.Barred
		}
	}
	return "", "", "you are not signed in there"
}

// userAt is who is signed in at the workspace, or at one of the organisation's.
func (s *Slack) userAt(se *session, id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range se.as {
		if one.team == id || s.rooms[one.team].Enterprise() == id {
			return one.user
		}
	}
	return ""
}

// permit is the code that tells the app of the permission.
func (s *Slack) permit(a asked, at, user string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := rand.Text() + "." + rand.Text()
	s.codes[text] = &code{install: at, user: user, redirect: a.RedirectURI, scopes: a.scopes(), at: s.now()}
	s.hide(text)
	return text
}

// session is that of the browser; it is given one if it has none.
func (s *Slack) session(rw http.ResponseWriter, r *http.Request) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cookie, err := r.Cookie(sessionCookie); err == nil && s.sessions[cookie.Value] != nil {
		return s.sessions[cookie.Value]
	}
	id := rand.Text()
	s.sessions[id] = &session{crumb: rand.Text()}
	http.SetCookie(rw, &http.Cookie{Name: sessionCookie, Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	return s.sessions[id]
}

// offerSignIn shows whom one can be: there are no passwords here.
func (s *Slack) offerSignIn(rw http.ResponseWriter, r *http.Request, a asked) {
	type home struct {
		ID, Name string
		People   []workspace.User
	}
	var homes []home
	for _, w := range s.Workspaces() {
		if len(homes) == mostShown {
			break
		}
		homes = append(homes, home{ID: w.ID(), Name: w.Team(), People: w.Members()})
	}
	s.show(rw, http.StatusOK, "signin", object{"Homes": homes, "Asked": a, "Crumb": s.session(rw, r).crumb, "To": signInPath})
}

// signIn makes the browser somebody of a workspace, beside whom it is elsewhere.
func (s *Slack) signIn(rw http.ResponseWriter, r *http.Request) {
	se := s.session(rw, r)
	if err := r.ParseForm(); err != nil || r.PostForm.Get("crumb") != se.crumb {
		s.show(rw, http.StatusForbidden, "wrong", object{"Why": "invalid_crumb"})
		return
	}
	team, user, _ := strings.Cut(r.PostForm.Get("as"), "/")
	w := s.Workspace(team)
	if w == nil || !slices.ContainsFunc(w.Members(), func(u workspace.User) bool { return u.ID == user }) {
		s.show(rw, http.StatusForbidden, "wrong", object{"Why": "there is no such person"})
		return
	}
	s.mu.Lock()
	se.as = slices.DeleteFunc(se.as, func(one account) bool { return one.team == w.ID() })
	se.as = slices.Insert(se.as, 0, account{team: w.ID(), user: user})
	s.mu.Unlock()
	http.Redirect(rw, r, authorizePath+"?"+askedIn(r.PostForm).query(), http.StatusSeeOther)
}

func (s *Slack) show(rw http.ResponseWriter, status int, name string, data object) {
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.WriteHeader(status)
	_ = page.ExecuteTemplate(rw, name, data) // the browser may be gone
}
