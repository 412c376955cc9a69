package slack

import (
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"time"

	"darkroom/sandbox/workspace"
)

// Slack: docs.slack.dev/authentication/using-token-rotation.
const (
	tokenLife  = 12 * time.Hour
	mostLive   = 2           // access tokens of one installation
	renewGrace = time.Minute // a refresh token may be used again for that long
)

// grant is the app in one workspace or organisation, from when it is added until it is taken away.
type grant struct {
	id      string // of the workspace or the organisation
	orgWide bool
	teams   []string // org-wide: the workspaces it may act in
	bot     string   // its user
	botID   string
	scopes  []string
	live    []*token // oldest first
	gone    bool
}

// token is one access token.
type token struct {
	text    string
	grant   *grant
	expires time.Time // zero: never
	revoked bool
}

// renewal is one refresh token.
type renewal struct {
	grant *grant
	used  time.Time // zero: not yet
}

// judge is Slack's word against a token that came to the workspace, or to none; "": none.
// Slack: docs.slack.dev/reference/methods/auth.test, "errors".
func (s *Slack) judge(team string) func(string) string {
	return func(text string) string {
		s.mu.Lock()
		defer s.mu.Unlock()
		word := s.word(text, team)
		if word != "" {
			s.refused[word]++
		}
		return word
	}
}

// word is what is wrong with a token at the workspace, or anywhere; the caller holds the lock.
func (s *Slack) word(text, team string) string {
	t := s.tokens[text]
	switch {
	case t == nil:
		return "invalid_auth"
	case t.grant.gone:
		return "account_inactive"
	case t.revoked:
		return "token_revoked"
	case !t.expires.IsZero() && !s.now().Before(t.expires):
		return "token_expired"
	case team == "" || t.grant.id == team:
		return ""
	case t.grant.orgWide && !slices.Contains(t.grant.teams, team):
		return "team_access_not_granted"
	case t.grant.orgWide:
		return ""
	}
	return "invalid_auth"
}

// Refused is how often a token was worth nothing, by Slack's word: an app that renews in time and
// forgets what is gone hears none.
func (s *Slack) Refused() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.refused)
}

// RevokeTokens makes the access tokens of a workspace or organisation worth nothing, and tells nobody,
// as when they were found in public. Its refresh tokens still serve.
func (s *Slack) RevokeTokens(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.grants[id]; g != nil {
		for _, t := range g.live {
			t.revoked = true
		}
		g.live = nil
	}
}

// granted is the app in the workspace or organisation as it is added with those scopes: scopes only
// add up, and who adds it anew starts with none. The caller holds the lock.
func (s *Slack) granted(id string, orgWide bool, scopes []string) *grant {
	g := s.grants[id]
	switch {
	case g == nil:
		g = &grant{bot: "U0DARKROOM", botID: "B0DARKROOM"}
	case g.gone && s.o.App.OtherBotUser:
		s.serial++
		g = &grant{bot: fmt.Sprintf("U0DARKROOM%d", s.serial), botID: fmt.Sprintf("B0DARKROOM%d", s.serial)}
	case g.gone:
		g = &grant{bot: g.bot, botID: g.botID}
	}
	g.id, g.orgWide = id, orgWide
	for _, scope := range scopes {
		if !slices.Contains(g.scopes, scope) {
			g.scopes = append(g.scopes, scope)
		}
	}
	s.grants[id] = g
	return g
}

// issue is a token for the app there, and a refresh token if they rotate; the caller holds the lock.
func (s *Slack) issue(g *grant) (t *token, refresh string) {
	if !s.rotates {
		if len(g.live) == 0 {
			g.live = append(g.live, s.mint(g, "xoxb-", time.Time{}))
		}
		return g.live[len(g.live)-1], ""
	}
	t = s.mint(g, "xoxe.xoxb-1-", s.now().Add(s.o.App.TokenLife))
	g.live = append(g.live, t)
	for len(g.live) > mostLive {
		g.live[0].revoked = true
		g.live = g.live[1:]
	}
	refresh = "xoxe-1-" + rand.Text()
	s.renewals[refresh] = &renewal{grant: g}
	s.hide(refresh)
	return t, refresh
}

func (s *Slack) mint(g *grant, prefix string, expires time.Time) *token {
	t := &token{text: prefix + rand.Text(), grant: g, expires: expires}
	s.tokens[t.text] = t
	s.hide(t.text)
	return t
}

// renew uses a refresh token up, or says why it cannot; the caller holds the lock.
func (s *Slack) renew(text string) (*grant, string) {
	r := s.renewals[text]
	switch {
	case r == nil, r.grant.gone, !r.used.IsZero() && s.now().Sub(r.used) > renewGrace:
		return nil, "invalid_refresh_token"
	case r.used.IsZero():
		r.used = s.now()
	}
	return r.grant, ""
}

// settle makes the workspaces know the app as it is granted.
func (s *Slack) settle(g *grant) {
	s.mu.Lock()
	i := workspace.Installation{BotUser: g.bot, BotID: g.botID, Scopes: slices.Clone(g.scopes), OrgWide: g.orgWide}
	rooms := s.where(g)
	s.mu.Unlock()
	for _, w := range rooms {
		w.Install(i)
	}
}

// Token is the newest access token of the app in a workspace or organisation; "": none.
func (s *Slack) Token(id string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.grants[id]
	if g == nil || g.gone || len(g.live) == 0 {
		return ""
	}
	return g.live[len(g.live)-1].text
}
