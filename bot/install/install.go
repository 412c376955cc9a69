// Package install lets people add the app to their workspace: the page with the button, and OAuth.
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
	Path      = "/slack/install" // the page with the button
	pathStart = Path + "/start"  // what the button leads to
	PathOAuth = "/slack/oauth"   // where Slack sends people back to
)

const (
	patience     = 25 * time.Second // for Slack and for who keeps what it gave
	attemptLife  = 10 * time.Minute // from its beginning to the return from Slack
	addressRate  = 1                // a second, of each kind, for one address
	addressBurst = 50
	startRate    = 20 // a second, for all addresses together: each leaves a key in Redis for ten minutes
	startBurst   = 500
)

// Exchanger exchanges the code of an installation: [OAuth] does.
type Exchanger interface {
	Exchange(ctx context.Context, code, redirectURI string) (Grant, error)
}

// States remembers who began an installation, for ten minutes.
type States interface {
	NewState(ctx context.Context) (secret string, err error)
	IsState(secret string) bool                                          // that NewState made, and that may still be used: nobody is asked
	UseState(ctx context.Context, secret string) (known bool, err error) // once
}

// Config says which app is added, and who keeps what Slack gives.
type Config struct {
	PublicURL string   // of this server; with PathOAuth it must be a redirect URL of the app
	ClientID  string   // of the app
	Scopes    []string // that it asks for
	APIURL    string   // "" = https://slack.com/api/; people are sent to the same host
	OAuth     Exchanger
	States    States
	// Keep keeps what Slack gave, for good when it returns.
	Keep func(ctx context.Context, g Grant) error
	Log  *slog.Logger // nil = none
}

// Handler lets people add the app to their workspace: [Path] and all below it, and [PathOAuth]. What somebody
// began counts in the browser they began it in, once, for ten minutes.
type Handler struct {
	cfg      Config
	slackURL string // without its last slash
	starts   addressLimit
	allStart *rate.Limiter
	returns  addressLimit
}

// New makes one.
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
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
	case r.URL.Path == Path:
		page{
			Title:     "Add Darkroom to Slack",
			Sentences: []string{"Order, review and approve human photo editing without leaving Slack.", "Slack asks you next which workspace it is for, and whether the app may do there what it needs to."},
			Start:     pathStart,
		}.show(w, http.StatusOK)
	case r.Method == http.MethodHead: // whoever looks at a link begins nothing, and ends nothing
		w.WriteHeader(http.StatusOK)
	case r.URL.Path == pathStart:
		i.start(ctx, w, r)
	case r.URL.Path == PathOAuth:
		i.back(ctx, w, r)
	default:
		http.NotFound(w, r)
	}
}

// start sends a browser to Slack, and remembers in it that it was.
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

// redirectURI is where Slack sends people back to, the same in both steps.
func (i *Handler) redirectURI() string { return i.cfg.PublicURL + PathOAuth }

// stateOf is what travels by way of Slack of the secret that the browser keeps: who reads it there has not the secret.
func stateOf(secret string) string {
	sum := sha256.Sum256([]byte("darkroom install\x00" + secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// cookie keeps the secret in the browser that began; seconds below zero take it away. Over plain HTTP, on a laptop, browsers take
// no cookie that is only for HTTPS.
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

// back answers a browser that Slack sent back.
func (i *Handler) back(ctx context.Context, w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()
	secret := i.secretOf(r, asked.Get("state"))
	if secret != "" { // else neither Redis nor Slack is asked
		if !i.returns.allow(r) {
			i.busy(w)
			return
		}
		http.SetCookie(w, i.cookie("", -1))
	}
	known, err := i.begun(ctx, secret)
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

// secretOf is the secret in the browser's cookie; "" unless we signed it and the state comes from it.
func (i *Handler) secretOf(r *http.Request, state string) string {
	cookie, err := r.Cookie(i.cookieName())
	if err != nil || subtle.ConstantTimeCompare([]byte(stateOf(cookie.Value)), []byte(state)) != 1 || !i.cfg.States.IsState(cookie.Value) {
		return ""
	}
	return cookie.Value
}

func (i *Handler) begun(ctx context.Context, secret string) (bool, error) {
	if secret == "" {
		return false, nil
	}
	return i.cfg.States.UseState(ctx, secret)
}

// finish exchanges the code and keeps what Slack gives for it.
func (i *Handler) finish(ctx context.Context, w http.ResponseWriter, code string) {
	g, err := i.cfg.OAuth.Exchange(ctx, code, i.redirectURI())
	if err != nil {
		i.notExchanged(ctx, w, err)
		return
	}
	// What Slack gave is kept though the browser may have gone.
	keeping, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	if err := i.cfg.Keep(keeping, g); err != nil {
		i.cfg.Log.ErrorContext(ctx, "an installation was not kept", "id", g.ID(), "err", err)
		i.failed(w, http.StatusServiceUnavailable, notReady, "Slack added the app, but this server could not keep what it needs to work there. Please add it once more: that does no harm.")
		return
	}
	i.cfg.Log.InfoContext(ctx, "the app was added", "id", g.ID(), "org_wide", g.OrgWide, "enterprise", g.Enterprise, "by", g.By)
	i.added(g).show(w, http.StatusOK)
}

// notExchanged tells why there is nothing to keep.
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

// added is the page that says what to do next.
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

// The titles of what failed.
const (
	notAdded = "Darkroom was not added"
	notReady = "Darkroom is not ready yet" // Slack has added it, or may have
	expired  = "This page has expired"     // also for whoever reloads the page of an attempt that ended well
)

// failed is a page that says what was not done, and lets people begin again.
func (i *Handler) failed(w http.ResponseWriter, status int, title, sentence string) {
	page{Title: title, Sentences: []string{sentence}, Start: pathStart}.show(w, status)
}

func (i *Handler) busy(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "10")
	i.failed(w, http.StatusTooManyRequests, notAdded, "Too many attempts came from your network just now. Nothing was added. Please try again in a minute.")
}
