package slack

import (
	"net/http"
	"strings"
	"time"

	"darkroom/sandbox/workspace"
)

type object = map[string]any

// codeLife is how long a code can be exchanged.
// Slack: docs.slack.dev/authentication/installing-with-oauth.
const codeLife = 10 * time.Minute

// code is what somebody's permission is told to the app with.
type code struct {
	install  string // id of the workspace or organisation
	user     string
	redirect string // as it was given, "" too
	scopes   []string
	at       time.Time
	used     bool
}

// methods are those that are no workspace's.
func (s *Slack) methods() map[string]workspace.Method {
	return map[string]workspace.Method{
		"oauth.v2.access": s.access,
		"auth.revoke":     s.revoke,
		"apps.uninstall":  s.uninstall,
	}
}

// deskMethods are those of no workspace, and what a token says of itself when it is an organisation's.
func (s *Slack) deskMethods() map[string]workspace.Method {
	all := s.methods()
	all["auth.test"] = s.authTest
	return all
}

// authTest is the method auth.test for an organisation's token that names no workspace.
func (s *Slack) authTest(c workspace.Call) (map[string]any, error) {
	g, err := s.bearer(c)
	if err != nil {
		return nil, err
	}
	return object{
		"url": s.base + "/", "team": s.orgs[g.id].Name, "user": s.o.App.Name, "team_id": g.id, "enterprise_id": g.id,
		"user_id": g.bot, "bot_id": g.botID, "is_enterprise_install": true,
	}, nil
}

// access is the method oauth.v2.access. Its errors are those that its page lists, and
// code_already_used, which it does not.
// Slack: docs.slack.dev/reference/methods/oauth.v2.access.
func (s *Slack) access(c workspace.Call) (map[string]any, error) {
	if err := s.ours(c); err != nil {
		return nil, err
	}
	switch grantType, _ := c.Args["grant_type"].(string); grantType {
	case "", "authorization_code":
		return s.exchange(c)
	case "refresh_token":
		return s.refresh(c)
	}
	return nil, workspace.Refusal("invalid_grant_type")
}

// ours tells whether the call is the app's: by HTTP Basic, or in the form.
func (s *Slack) ours(c workspace.Call) error {
	id, secret, basic := (&http.Request{Header: c.Header}).BasicAuth()
	if !basic {
		id, _ = c.Args["client_id"].(string)
		secret, _ = c.Args["client_secret"].(string)
	}
	switch {
	case id != s.o.App.ClientID:
		return workspace.Refusal("invalid_client_id")
	case secret != s.o.App.ClientSecret:
		return workspace.Refusal("bad_client_secret")
	}
	return nil
}

// exchange gives a token for a code.
func (s *Slack) exchange(c workspace.Call) (map[string]any, error) {
	g, user, out, refused := s.exchanged(c)
	if refused != "" {
		return nil, workspace.Refusal(refused)
	}
	s.settle(g)
	out["authed_user"] = object{"id": user}
	return out, nil
}

// AddApp adds the app to a workspace or an organisation without asking anybody, and is what
// oauth.v2.access would answer: for worlds of which nobody wants to see how they began.
func (s *Slack) AddApp(id, by string) map[string]any {
	s.mu.Lock()
	_, orgWide := s.orgs[id]
	g := s.granted(id, orgWide, s.o.App.Scopes)
	out := s.told(g)
	s.mu.Unlock()
	s.settle(g)
	out["ok"], out["authed_user"] = true, object{"id": by}
	return out
}

func (s *Slack) exchanged(c workspace.Call) (g *grant, user string, out object, refused string) {
	text, _ := c.Args["code"].(string)
	redirect, _ := c.Args["redirect_uri"].(string)
	s.mu.Lock()
	defer s.mu.Unlock()
	given := s.codes[text]
	switch {
	case given == nil:
		return nil, "", nil, "invalid_code"
	case given.used:
		return nil, "", nil, "code_already_used"
	case s.now().Sub(given.at) > codeLife:
		return nil, "", nil, "invalid_code"
	case redirect != given.redirect:
		return nil, "", nil, "bad_redirect_uri"
	}
	given.used = true
	_, orgWide := s.orgs[given.install]
	g = s.granted(given.install, orgWide, given.scopes)
	return g, given.user, s.told(g), ""
}

// refresh gives a new token for a refresh token.
func (s *Slack) refresh(c workspace.Call) (map[string]any, error) {
	text, _ := c.Args["refresh_token"].(string)
	s.mu.Lock()
	defer s.mu.Unlock()
	g, refused := s.renew(text)
	if refused != "" {
		return nil, workspace.Refusal(refused)
	}
	return s.told(g), nil
}

// told is a new token as the app is told of it; the caller holds the lock.
func (s *Slack) told(g *grant) object {
	t, refresh := s.issue(g)
	out := object{
		"app_id": s.o.App.ID, "scope": strings.Join(g.scopes, ","), "token_type": "bot", "access_token": t.text, "bot_user_id": g.bot,
		"team": nil, "enterprise": nil, "is_enterprise_install": g.orgWide,
	}
	if refresh != "" {
		out["refresh_token"], out["expires_in"] = refresh, int(s.o.App.TokenLife/time.Second)
	}
	enterprise := g.id
	if !g.orgWide {
		w := s.rooms[g.id]
		out["team"] = object{"id": g.id, "name": w.Team()}
		enterprise = w.Enterprise()
	}
	if enterprise != "" {
		out["enterprise"] = object{"id": enterprise, "name": s.orgs[enterprise].Name}
	}
	return out
}

// revoke is the method auth.revoke. Without rotation that token is all the app has, and the app goes with it.
// Slack: docs.slack.dev/reference/methods/auth.revoke.
func (s *Slack) revoke(c workspace.Call) (map[string]any, error) {
	g, err := s.bearer(c)
	if err != nil {
		return nil, err
	}
	if test, _ := c.Args["test"].(string); test == "true" || test == "1" || c.Args["test"] == true {
		return object{"revoked": false}, nil
	}
	s.mu.Lock()
	t := s.tokens[c.Token]
	t.revoked = true
	last := t.expires.IsZero()
	s.mu.Unlock()
	if last {
		s.leave(g, "tokens_revoked", "app_uninstalled")
	}
	return object{"revoked": true}, nil
}

// uninstall is the method apps.uninstall.
// Slack: docs.slack.dev/reference/methods/apps.uninstall.
func (s *Slack) uninstall(c workspace.Call) (map[string]any, error) {
	g, err := s.bearer(c)
	if err != nil {
		return nil, err
	}
	if err := s.ours(c); err != nil {
		return nil, err
	}
	s.leave(g, "tokens_revoked", "app_uninstalled")
	return nil, nil
}

// bearer is the app where the token of the call is for.
func (s *Slack) bearer(c workspace.Call) (*grant, error) {
	if c.Token == "" {
		return nil, workspace.Refusal("not_authed")
	}
	if word := s.judge("")(c.Token); word != "" {
		return nil, workspace.Refusal(word)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tokens[c.Token].grant, nil
}
