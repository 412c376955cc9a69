// Package install adds the app to workspaces: the page with the button, and OAuth.
package install

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/time/rate"

	"darkroom/bot/client"
)

// The paths an [Handler] answers.
const (
	Path      = "/slack/install" // the page with the *Add to Slack* button
	pathStart = Path + "/start"  // the button's address
	PathOAuth = "/slack/oauth"   // Slack's redirect
)

const (
	timeout      = 25 * time.Second // for Slack's answer, and for storing a grant
	attemptLife  = 10 * time.Minute // from the start to Slack's redirect
	addressRate  = 1                // requests a second of each kind, per address
	addressBurst = 50
	startRate    = 20 // a second, all addresses together: each leaves a key in Redis for ten minutes
	startBurst   = 500
)

// Exchanger exchanges the code of an installation; [OAuth] implements it.
type Exchanger interface {
	Exchange(ctx context.Context, code, redirectURI string) (Grant, error)
}

// States remembers started installations for ten minutes.
type States interface {
	NewState(ctx context.Context) (secret string, err error)
	IsState(secret string) bool                                          // whether NewState made it and it has not expired; checked locally
	UseState(ctx context.Context, secret string) (known bool, err error) // true once per secret
}

// Config configures a [Handler].
type Config struct {
	PublicURL string   // of this server; with PathOAuth appended, a redirect URL of the app
	ClientID  string   // the app's client id
	Scopes    []string // bot scopes to request
	APIURL    string   // "": https://slack.com/api/; browsers go to the same host
	Privacy   string   // address of the operator's privacy policy; "": no link
	Support   string   // address of the operator's support; "": no link
	OAuth     Exchanger
	States    States
	// Save stores a grant durably.
	Save func(ctx context.Context, g Grant) error
	Log  *slog.Logger // nil: no log
}

// Handler serves the pages that add the app to a workspace: [Path] and below, and [PathOAuth]. An
// installation must finish in the browser that started it, once, within ten minutes.
type Handler struct {
	cfg      Config
	slackURL string // without trailing slash
	starts   addressLimit
	allStart *rate.Limiter
	returns  addressLimit
}

// New returns a Handler.
func New(cfg Config) *Handler {
	cfg.Log = cmp.Or(cfg.Log, slog.New(slog.DiscardHandler))
	cfg.PublicURL = strings.TrimSuffix(cfg.PublicURL, "/")
	api := strings.TrimSuffix(cmp.Or(cfg.APIURL, slack.APIURL), "/")
	return &Handler{
		cfg: cfg, slackURL: strings.TrimSuffix(api, "/api"),
		starts: newAddressLimit(addressRate, addressBurst), allStart: rate.NewLimiter(startRate, startBurst), returns: newAddressLimit(addressRate, addressBurst),
	}
}

// ServeHTTP answers one request of a browser.
func (i *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
	case r.URL.Path == Path:
		i.show(w, http.StatusOK, page{
			Title:     "Add Darkroom to Slack",
			Sentences: []string{"Order, review and approve human photo editing without leaving Slack.", "Slack then asks you for the workspace and for the app's permissions."},
			Start:     pathStart,
		})
	case r.Method == http.MethodHead: // a link preview neither starts nor finishes anything
		w.WriteHeader(http.StatusOK)
	case r.URL.Path == pathStart:
		i.start(ctx, w, r)
	case r.URL.Path == PathOAuth:
		i.callback(ctx, w, r)
	default:
		http.NotFound(w, r)
	}
}

// show writes a page with the operator's links.
func (i *Handler) show(w http.ResponseWriter, status int, p page) {
	p.Privacy, p.Support = i.cfg.Privacy, i.cfg.Support
	p.show(w, status)
}

// start stores a secret in the browser and redirects it to Slack.
func (i *Handler) start(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	if !i.starts.allow(r) || !i.allStart.Allow() {
		i.busy(w)
		return
	}
	secret, err := i.cfg.States.NewState(ctx)
	if err != nil {
		i.cfg.Log.WarnContext(ctx, "an installation was not begun", "err", err)
		i.failed(w, http.StatusServiceUnavailable, notAdded, "This server cannot start this right now. Nothing was added. Please try again in a minute.")
		return
	}
	http.SetCookie(w, i.cookie(secret, int(attemptLife.Seconds())))
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Location", i.slackURL+"/oauth/v2/authorize?"+url.Values{
		"client_id": {i.cfg.ClientID}, "scope": {strings.Join(i.cfg.Scopes, ",")}, "redirect_uri": {i.redirectURI()}, "state": {stateOf(secret)},
	}.Encode())
	w.WriteHeader(http.StatusFound)
}

// redirectURI is Slack's redirect, the same in both steps.
func (i *Handler) redirectURI() string { return i.cfg.PublicURL + PathOAuth }

// stateOf returns the OAuth state, a hash of the browser's secret. Reading the state does not reveal the
// secret.
func stateOf(secret string) string {
	sum := sha256.Sum256([]byte("darkroom install\x00" + secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// cookie returns the cookie with the secret; negative seconds delete it. Over plain HTTP, on a laptop,
// browsers reject a Secure cookie.
func (i *Handler) cookie(secret string, seconds int) *http.Cookie {
	return &http.Cookie{
		Name: i.cookieName(), Value: secret, Path: "/", MaxAge: seconds,
		HttpOnly: true, Secure: i.secure(), SameSite: http.SameSiteLaxMode,
	}
}

func (i *Handler) secure() bool { return !strings.HasPrefix(i.cfg.PublicURL, "http://") }

func (i *Handler) cookieName() string {
	if i.secure() {
		return "__Host-darkroom-install"
	}
	return "darkroom-install"
}

// callback handles Slack's redirect.
func (i *Handler) callback(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	secret := i.secretOf(r, asked.Get("state"))
	if secret != "" { // otherwise neither Redis nor Slack is called
		if !i.returns.allow(r) {
			i.busy(w)
			return
		}
		http.SetCookie(w, i.cookie("", -1))
	}
	known, err := i.useState(ctx, secret)
	switch {
	case asked.Get("error") == "access_denied":
		i.failed(w, http.StatusOK, notAdded, "You chose not to allow it, so Darkroom was not added and nothing was changed. If you change your mind:")
	case err != nil:
		i.cfg.Log.WarnContext(ctx, "an installation could not be checked", "err", err)
		i.failed(w, http.StatusServiceUnavailable, notAdded, "This server cannot check this attempt right now. Nothing was added. Please start again in a minute.")
	case !known:
		i.failed(w, http.StatusBadRequest, expired, "This page works once, for ten minutes, in the browser that started it. Nothing was changed. If Darkroom is not in your workspace yet, start again.")
	case asked.Get("error") != "":
		i.cfg.Log.WarnContext(ctx, "slack did not let somebody add the app", "code", client.KnownCode(asked.Get("error")))
		i.failed(w, http.StatusBadRequest, notAdded, "Slack did not let you add the app. Nothing was changed. An admin of your workspace may have to allow it first.")
	default:
		i.finish(ctx, w, asked.Get("code"))
	}
}

// secretOf returns the secret in the browser's cookie, or "" if it is not ours or does not match the
// state.
func (i *Handler) secretOf(r *http.Request, state string) string {
	cookie, err := r.Cookie(i.cookieName())
	if err != nil || subtle.ConstantTimeCompare([]byte(stateOf(cookie.Value)), []byte(state)) != 1 || !i.cfg.States.IsState(cookie.Value) {
		return ""
	}
	return cookie.Value
}

func (i *Handler) useState(ctx context.Context, secret string) (bool, error) {
	if secret == "" {
		return false, nil
	}
	return i.cfg.States.UseState(ctx, secret)
}

// finish exchanges the code and stores the grant.
func (i *Handler) finish(ctx context.Context, w http.ResponseWriter, code string) {
	g, err := i.cfg.OAuth.Exchange(ctx, code, i.redirectURI())
	if err != nil {
		i.notExchanged(ctx, w, err)
		return
	}
	// The grant is stored even if the browser disconnects.
	storing, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	if err := i.cfg.Save(storing, g); err != nil {
		i.cfg.Log.ErrorContext(ctx, "an installation was not kept", "id", g.ID(), "err", err)
		i.failed(w, http.StatusServiceUnavailable, notReady, "Slack added the app, but this server could not keep what it needs to work there. Please add it once more: that does no harm.")
		return
	}
	i.cfg.Log.InfoContext(ctx, "the app was added", "id", g.ID(), "org_wide", g.OrgWide, "enterprise", g.Enterprise, "by", g.By)
	i.show(w, http.StatusOK, i.added(g))
}

// notExchanged shows why Slack gave no grant.
func (i *Handler) notExchanged(ctx context.Context, w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, ErrCode):
		i.failed(w, http.StatusBadRequest, notAdded, "Slack's permission for this attempt has expired or was used already. Darkroom was not added this time. Please start again.")
	case errors.Is(err, client.ErrApp):
		i.cfg.Log.ErrorContext(ctx, "slack refuses this app: look at SLACK_CLIENT_ID, SLACK_CLIENT_SECRET and the redirect URL", "redirect_url", i.redirectURI(), "err", err)
		i.failed(w, http.StatusInternalServerError, notAdded, "This server is not set up for the app as Slack knows it, so it cannot be added. Whoever runs the server finds the reason in its log.")
	default:
		i.cfg.Log.WarnContext(ctx, "slack did not confirm an installation", "err", err)
		i.failed(w, http.StatusBadGateway, notReady, "Slack did not confirm this in time. The app may show in your workspace already, but it does not work there yet. Please add it once more: that does no harm.")
	}
}

// added returns the page with the next steps.
func (i *Handler) added(g Grant) page {
	if g.OrgWide {
		return page{
			Title:     "Darkroom was added to " + cmp.Or(g.Name(), "your organisation"),
			Sentences: []string{"It is not in any workspace yet."},
			Steps: []string{
				"In Slack's admin dashboard, open Integrations, then Installed apps, choose Darkroom, and add it to workspaces.",
				"In each of them, an admin opens Darkroom's Home in Slack.",
				"If it is not connected yet, they press Connect there and enter the base URL, API key and API secret of your account at the photo service.",
			},
		}
	}
	p := page{
		Title: "Darkroom was added to " + cmp.Or(g.Name(), "your workspace"),
		Steps: []string{
			"Open Darkroom's Home in Slack.",
			"If it is not connected yet, a workspace admin presses Connect there and enters the base URL, API key and API secret of your account at the photo service.",
			"Type /order new in a channel to place the first order.",
		},
	}
	p.App, p.Web = homeOf(i.slackURL, g)
	return p
}

// The titles of pages about failures.
const (
	notAdded = "Darkroom was not added"
	notReady = "Darkroom is not ready yet" // Slack may have added the app
	expired  = "This page has expired"     // also after a reload of a successful attempt
)

// failed shows an error page with a button to start again.
func (i *Handler) failed(w http.ResponseWriter, status int, title, sentence string) {
	i.show(w, status, page{Title: title, Sentences: []string{sentence}, Start: pathStart})
}

func (i *Handler) busy(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "10")
	i.failed(w, http.StatusTooManyRequests, notAdded, "Too many attempts came from your network just now. Nothing was added. Please try again in a minute.")
}
