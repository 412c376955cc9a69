package install

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
)

// ErrCode is the error of a code that Slack rejects. The person may start again.
var ErrCode = errors.New("the code of the installation is not good")

// Grant is Slack's result of an installation. It prints, logs and marshals without its tokens.
type Grant struct {
	AppID          string
	Team, TeamName string // "" for a whole organisation
	Enterprise     string // the Grid organisation, or ""
	EnterpriseName string
	OrgWide        bool // one token for all workspaces of the organisation
	BotUser        string
	Scopes         []string
	By             string // user id of the installer

	Token   string
	Refresh string    // "": the token does not expire
	Expires time.Time // zero: never
}

// ID returns the id of the workspace, or of the organisation for an org-wide grant.
func (g Grant) ID() string {
	if g.OrgWide {
		return g.Enterprise
	}
	return g.Team
}

// Name returns the name of the workspace, or of the organisation for an org-wide grant.
func (g Grant) Name() string {
	if g.OrgWide {
		return g.EnterpriseName
	}
	return g.TeamName
}

// String names the workspace or organisation, without secrets.
func (g Grant) String() string { return "grant " + g.ID() }

// Format implements [fmt.Formatter]: no verb prints a token.
func (g Grant) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, g.String()) }

// LogValue implements [slog.LogValuer].
func (g Grant) LogValue() slog.Value { return slog.StringValue(g.String()) }

// MarshalText implements [encoding.TextMarshaler], which JSON uses too.
func (g Grant) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// OAuthConfig configures an [OAuth].
type OAuthConfig struct {
	ClientID, ClientSecret string
	APIURL                 string            // "": https://slack.com/api/
	HTTP                   *http.Client      // nil: its own client
	Timeout                time.Duration     // per call; 0: 10 s
	Observe                func(client.Call) // receives each finished call; may be nil
}

// OAuth gets tokens from Slack. See https://docs.slack.dev/authentication/installing-with-oauth
type OAuth struct{ cfg OAuthConfig }

// NewOAuth returns an OAuth. It calls nobody yet.
func NewOAuth(cfg OAuthConfig) *OAuth {
	cfg.APIURL = strings.TrimSuffix(cmp.Or(cfg.APIURL, slack.APIURL), "/") + "/"
	cfg.Timeout = cmp.Or(cfg.Timeout, 10*time.Second)
	if cfg.HTTP == nil {
		cfg.HTTP = client.HTTPClient(nil)
	}
	return &OAuth{cfg: cfg}
}

// Close ends idle connections.
func (o *OAuth) Close() { o.cfg.HTTP.CloseIdleConnections() }

const (
	accessMethod = "oauth.v2.access"
	maxAccess    = 1 << 20 // bytes of an answer
)

// Exchange exchanges a code for a grant. redirectURI must be the one of the authorization request. Errors
// are of class [ErrCode], [client.ErrApp] or [client.ErrTryLater]. After ErrTryLater the app may have been
// added, and the code may be used up.
func (o *OAuth) Exchange(ctx context.Context, code, redirectURI string) (Grant, error) {
	ctx, cancel := context.WithTimeout(ctx, o.cfg.Timeout)
	defer cancel()
	began := time.Now()
	got, err := slack.GetOAuthV2ResponseContext(ctx, bounded{o.cfg.HTTP}, o.cfg.ClientID, o.cfg.ClientSecret, code, redirectURI, slack.OAuthOptionAPIURL(o.cfg.APIURL))
	if err = o.finished(began, err); err != nil {
		return Grant{}, err
	}
	g := Grant{
		AppID: got.AppID, Team: got.Team.ID, TeamName: got.Team.Name, Enterprise: got.Enterprise.ID, EnterpriseName: got.Enterprise.Name,
		OrgWide: got.IsEnterpriseInstall, BotUser: got.BotUserID, By: got.AuthedUser.ID,
		Scopes: strings.FieldsFunc(got.Scope, func(r rune) bool { return r == ',' || r == ' ' }),
		Token:  got.AccessToken, Refresh: got.RefreshToken, Expires: expiry(began, got.ExpiresIn),
	}
	if g.ID() == "" || g.Token == "" {
		return Grant{}, &client.Error{Method: accessMethod, Class: []error{client.ErrTryLater}, Cause: errors.New("no token or no workspace in the answer")}
	}
	return g, nil
}

// Refresh exchanges a refresh token for a token and the next refresh token. [client.ErrToken] means that
// the refresh token is invalid and the app must be added again. After [client.ErrApp] and
// [client.ErrTryLater] it may still be valid. See
// https://docs.slack.dev/authentication/using-token-rotation
func (o *OAuth) Refresh(ctx context.Context, refresh string) (token, next string, expires time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, o.cfg.Timeout)
	defer cancel()
	began := time.Now()
	got, err := slack.RefreshOAuthV2TokenContext(ctx, bounded{o.cfg.HTTP}, o.cfg.ClientID, o.cfg.ClientSecret, refresh, slack.OAuthOptionAPIURL(o.cfg.APIURL))
	if err = o.finished(began, err); err != nil {
		return "", "", time.Time{}, err
	}
	if got.AccessToken == "" {
		return "", "", time.Time{}, &client.Error{Method: accessMethod, Class: []error{client.ErrTryLater}, Cause: errors.New("no token in the answer")}
	}
	return got.AccessToken, cmp.Or(got.RefreshToken, refresh), expiry(began, got.ExpiresIn), nil
}

// finished observes a call that began at a time, and returns its error with a class.
func (o *OAuth) finished(began time.Time, err error) error {
	if err != nil {
		err = accessError(err)
	}
	if o.cfg.Observe != nil {
		o.cfg.Observe(client.Call{Method: accessMethod, Outcome: client.OutcomeOf(err), Took: time.Since(began)})
	}
	return err
}

// expiry returns when a token ends that was requested at began; zero: never.
func expiry(began time.Time, seconds int) time.Time {
	if seconds <= 0 {
		return time.Time{}
	}
	return began.Add(time.Duration(seconds) * time.Second)
}

// bounded limits the bytes that are read from an answer.
type bounded struct{ *http.Client }

// Do sends a request.
func (b bounded) Do(req *http.Request) (*http.Response, error) {
	resp, err := b.Client.Do(req)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, maxAccess), resp.Body}
	}
	return resp, err
}

// accessClasses lists the codes of oauth.v2.access that do not mean to try later. Source:
// docs.slack.dev/reference/methods/oauth.v2.access
var accessClasses = []struct {
	class error
	codes []string
}{
	{ErrCode, []string{"invalid_code", "code_already_used", "oauth_authorization_url_mismatch"}},
	{client.ErrApp, []string{
		"invalid_client_id", "bad_client_secret", "bad_redirect_uri", "preview_feature_not_available", "cannot_install_an_org_installed_app",
		"invalid_grant_type", "no_scopes", "invalid_arguments", "missing_client_id", "missing_client_secret",
	}},
	{client.ErrToken, []string{"invalid_refresh_token", "invalid_grant", "token_revoked", "token_expired", "account_inactive"}},
}

// accessError returns an error without slack-go's text, which may quote the request.
func accessError(err error) error {
	if e, ok := errors.AsType[slack.SlackErrorResponse](err); ok {
		class := client.ErrTryLater
		for _, c := range accessClasses {
			if slices.Contains(c.codes, e.Err) {
				class = c.class
			}
		}
		return &client.Error{Method: accessMethod, Code: client.KnownCode(e.Err), Status: http.StatusOK, Class: []error{class}}
	}
	if e, ok := errors.AsType[*slack.RateLimitedError](err); ok {
		return &client.Error{Method: accessMethod, Code: client.CodeLimited, Status: http.StatusTooManyRequests, RetryAfter: e.RetryAfter, Class: []error{client.ErrTryLater}}
	}
	if e, ok := errors.AsType[slack.StatusCodeError](err); ok {
		return &client.Error{Method: accessMethod, Status: e.Code, Class: []error{client.ErrTryLater}}
	}
	if _, ok := errors.AsType[*url.Error](err); ok || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return client.Lost(accessMethod, err)
	}
	return &client.Error{Method: accessMethod, Class: []error{client.ErrTryLater}, Cause: errors.New("not an answer of Slack's")}
}
