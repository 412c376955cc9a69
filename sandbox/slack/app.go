package slack

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"darkroom/sandbox/workspace"
)

// App is the registration of the one app, as its pages at Slack show it. The zero value is a
// working registration with made-up secrets.
type App struct {
	ID            string
	Name          string // of its bot, in small letters
	ClientID      string
	ClientSecret  string
	SigningSecret string
	AppToken      string   // the app-level token that opens connections
	Redirects     []string // where people may be sent back to: there or below; none: anywhere at the app
	Scopes        []string // that it may ask for; nil: workspace.DefaultScopes

	Events []string // nil: workspace.DefaultEvents, and those about the app itself

	Rotation  bool          // tokens last their life and are renewed
	TokenLife time.Duration // 0: twelve hours
	Listed    bool          // in the Marketplace; else reading messages takes one call a minute
	OrgReady  bool          // an organisation may add it for all its workspaces

	OtherBotUser bool // who adds it again after it was taken away gets another bot user
}

// OwnEvents are those about the app itself.
func OwnEvents() []string {
	return []string{"app_uninstalled", "tokens_revoked", "team_access_granted", "team_access_revoked"}
}

func (a App) withDefaults() App {
	fill := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	fill(&a.ID, "A0DARKROOM")
	fill(&a.Name, "darkroom")
	fill(&a.ClientID, "1111111111.2222222222")
	fill(&a.ClientSecret, "sandbox-client-secret")
	fill(&a.SigningSecret, "8f742231b10e8888abcd99yyyzzz85a5")
	fill(&a.AppToken, "xapp-sandbox-token")
	if a.TokenLife == 0 {
		a.TokenLife = tokenLife
	}
	if a.Scopes == nil {
		a.Scopes = workspace.DefaultScopes()
	}
	if a.Events == nil {
		a.Events = slices.Concat(workspace.DefaultEvents(), OwnEvents())
	}
	return a
}

// redirects tells whether somebody may be sent back to the address: one of those registered or
// below it. Slack: docs.slack.dev/authentication/installing-with-oauth, "redirect URLs".
func (s *Slack) redirects(address string) bool {
	s.mu.Lock()
	registered := s.o.App.Redirects
	if len(registered) == 0 && s.appURL != "" {
		registered = []string{s.appURL}
	}
	s.mu.Unlock()
	return slices.ContainsFunc(registered, func(one string) bool { return below(one, address) })
}

// below tells whether an address is the registered one or lies in it.
func below(registered, address string) bool {
	r, err := url.Parse(registered)
	a, err2 := url.Parse(address)
	if err != nil || err2 != nil || a.Host == "" || a.User != nil || a.Fragment != "" || r.Scheme != a.Scheme || r.Host != a.Host {
		return false
	}
	base := strings.TrimRight(r.Path, "/")
	return (a.Path == base || strings.HasPrefix(a.Path, base+"/") || a.Path == r.Path) && !strings.Contains(a.Path, "..")
}

// redirect is the address to send somebody back to who was sent with this one; a lone registered
// one need not be said.
func (s *Slack) redirect(given string) (string, bool) {
	if given == "" && len(s.o.App.Redirects) == 1 {
		return s.o.App.Redirects[0], true
	}
	return given, s.redirects(given)
}
