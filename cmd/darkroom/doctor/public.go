package doctor

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"darkroom/bot"
	"darkroom/cmd/darkroom/config"
	"darkroom/files"
	"darkroom/review"
)

const (
	publicBody = 4 << 10             // bytes of an answer that are read
	soon       = 14 * 24 * time.Hour // before its end a certificate is reported
	noFile     = "F0DARKROOMDOCTOR"  // an id that no file in Slack has
)

// public fetches PUBLIC_URL as the photo service and Slack would.
func (d *doctor) public(ctx context.Context) []Check {
	if lacking := d.lacking("PUBLIC_URL", "FILE_SIGNING_KEY"); len(lacking) > 0 {
		return notChecked("address", "PUBLIC_URL", lacking)
	}
	if d.cfg.PublicURL == "" {
		return []Check{d.noAddress()}
	}
	v := newVisitor(d.cfg.PublicURL, d.wait.public)
	defer v.client.CloseIdleConnections()
	address, ours := v.address(ctx)
	checks := []Check{address}
	if v.until != nil {
		checks = append(checks, certificate(*v.until, time.Now()))
	}
	if !ours {
		return append(checks, Check{Name: "everything else", State: Yellow, Message: "Its photos and its request URL could not be looked at: it does not lead to this app."})
	}
	checks = append(checks, v.photos(ctx, d.cfg.FileKeys()), v.compare(ctx))
	if d.cfg.SlackSigningSecret != "" {
		checks = append(checks, v.requestURL(ctx, string(d.cfg.SlackSigningSecret)))
	}
	if d.cfg.Many() {
		checks = append(checks, v.installPage(ctx))
	}
	return checks
}

// noAddress returns the check for a missing PUBLIC_URL. It is yellow unless nothing at all is configured.
func (d *doctor) noAddress() Check {
	c := Check{
		Name: "address", State: Yellow, Message: "PUBLIC_URL is not set: photos uploaded in Slack cannot be ordered, only those at web addresses, and reviews have no Compare, no Mark on the Pictures and no Download All. Where Slack posts to could not be looked at.",
		Fix: "Set PUBLIC_URL to the https:// address that leads to this app, and FILE_SIGNING_KEY to the output of: openssl rand -hex 32.",
	}
	if len(d.lacking(config.Required...)) == len(config.Required) {
		c.State = Red
	}
	return c
}

// visitor fetches an address from outside.
type visitor struct {
	base   string
	client *http.Client
	until  *time.Time // when the certificate ends; nil: no certificate
}

func newVisitor(base string, wait time.Duration) *visitor {
	t := http.DefaultTransport.(*http.Transport).Clone()
	return &visitor{base: strings.TrimSuffix(base, "/"), client: &http.Client{
		Transport: t, Timeout: wait, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// visit is an answer; its body is cut at publicBody.
type visit struct {
	status   int
	body     string
	location string
}

func (v *visitor) ask(ctx context.Context, method, address string, body []byte, header map[string]string) (visit, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return visit{}, err
	}
	req.Header.Set("User-Agent", "darkroom doctor")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := v.client.Do(req)
	if err != nil {
		if wrapped, ok := errors.AsType[*url.Error](err); ok {
			err = wrapped.Err // the address may have a token of ours
		}
		return visit{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.TLS != nil && len(resp.TLS.PeerCertificates) > 0 {
		v.until = &resp.TLS.PeerCertificates[0].NotAfter
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, publicBody))
	return visit{resp.StatusCode, string(text), resp.Header.Get("Location")}, err
}

// address checks whether PUBLIC_URL leads to this app.
func (v *visitor) address(ctx context.Context) (Check, bool) {
	c := Check{Name: "address", State: Red, Fix: "Let the proxy in front of the app pass " + v.base + "/… on to LISTEN_ADDR."}
	got, err := v.ask(ctx, http.MethodGet, v.base+config.PathHealth, nil, nil)
	var says struct{ App string }
	switch {
	case err != nil:
		c.Message, c.Fix = unreached(v.base, err)
		return c, false
	case got.status/100 == 3:
		c.Message = fmt.Sprintf("%s%s redirects to %s: Slack and the photo service may not follow.", v.base, config.PathHealth, plainAddress(got.location))
		c.Fix = "Set PUBLIC_URL to where it leads in the end, and let that answer itself."
		return c, false
	case got.status != http.StatusOK, json.Unmarshal([]byte(got.body), &says) != nil, says.App != config.AppName:
		c.Message = fmt.Sprintf("%s%s is answered by something else (HTTP status %d), not by this app.", v.base, config.PathHealth, got.status)
		return c, false
	}
	return Check{Name: "address", State: Green, Message: v.base + " leads to this app, as seen from this machine."}, true
}

// plainAddress returns an address without its user, query and fragment, which may be secret.
func plainAddress(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return "somewhere"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// unreached returns why an address was not reached, and the remedy.
func unreached(base string, err error) (says, fix string) {
	var unknown x509.UnknownAuthorityError
	var wrong x509.HostnameError
	var invalid x509.CertificateInvalidError
	var verification *tls.CertificateVerificationError
	var name *net.DNSError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return base + " has a certificate that has expired: Slack and the photo service do not take it.", "Renew it."
	case errors.As(err, &wrong):
		return base + " has a certificate for another name.", "Get one for this name."
	case errors.As(err, &unknown):
		return base + " has a certificate that no known authority signed, or lacks the one in between.", "Get one from a public authority, and serve its whole chain."
	case errors.As(err, &verification):
		return base + " has a certificate that is not valid (" + verification.Err.Error() + ").", "Get a valid one from a public authority."
	case errors.As(err, &name):
		return "The name in PUBLIC_URL leads nowhere (" + name.Err + ").", "Correct PUBLIC_URL, or the name's DNS records."
	}
	return base + " does not answer (" + err.Error() + ").", "Start the app and the proxy in front of it, and let requests in from outside."
}

// certificate checks when the certificate ends.
func certificate(until, now time.Time) Check {
	c := Check{Name: "certificate", State: Green, Message: "It is valid until " + until.UTC().Format(time.DateOnly) + "."}
	if until.Sub(now) < soon {
		c.State, c.Fix = Yellow, "Renew it, or look why it does not renew itself."
		c.Message = "It ends soon, on " + until.UTC().Format(time.DateOnly) + "."
	}
	return c
}

// photos asks for a photo with a forged token, and for a missing photo with a valid token of this
// configuration: the answers show whether the app has the same key.
func (v *visitor) photos(ctx context.Context, keys []string) Check {
	c := Check{Name: "photos", State: Red}
	signer, err := files.NewSigner(v.base, keys)
	if err != nil {
		c.Message = "Addresses of photos cannot be signed: " + err.Error() + "."
		return c
	}
	forged, err := v.ask(ctx, http.MethodGet, v.base+files.Path+"forged/photo.jpg", nil, nil)
	signed, err2 := v.ask(ctx, http.MethodGet, signer.URL(noFile, "photo.jpg", time.Now()), nil, nil)
	switch {
	case errors.Join(err, err2) != nil:
		c.Message, c.Fix = "The addresses of photos do not answer.", "Let the proxy pass "+v.base+files.Path+" on to the app."
	case forged.status != http.StatusForbidden || !strings.Contains(forged.body, "Darkroom"):
		c.Message = fmt.Sprintf("Something else answers the addresses of photos (HTTP status %d): the photo service could not fetch any.", forged.status)
		c.Fix = "Let the proxy pass " + v.base + files.Path + " on to the app, with GET and HEAD, unchanged."
	case signed.status == http.StatusForbidden:
		c.Message, c.Fix = "The app that answers there signs with another FILE_SIGNING_KEY than this one.", "Give all replicas the same key, and restart them."
	case signed.status == http.StatusBadGateway:
		c.State, c.Message = Yellow, "Addresses of photos are ours, but the app there cannot reach Slack now."
	default:
		c.State, c.Message = Green, "Addresses of photos lead to the app, which knows this FILE_SIGNING_KEY and turns others away."
	}
	return c
}

// compare asks for the page that compares photos with a link that opens nothing.
func (v *visitor) compare(ctx context.Context) Check {
	c := Check{Name: "compare", State: Yellow, Fix: "Let the proxy pass " + v.base + review.Path + " on to the app, with GET and HEAD, unchanged."}
	got, err := v.ask(ctx, http.MethodGet, v.base+review.Path+"forged", nil, nil)
	switch {
	case err != nil:
		c.Message = "The page behind Compare does not answer."
	case got.status != http.StatusNotFound || !strings.Contains(got.body, review.Over):
		c.Message = fmt.Sprintf("Something else answers the page behind Compare (HTTP status %d).", got.status)
	default:
		return Check{Name: c.Name, State: Green, Message: "The page behind Compare leads to the app, which turns foreign links away."}
	}
	return c
}

// requestURL verifies the request URL as Slack does.
func (v *visitor) requestURL(ctx context.Context, secret string) Check {
	c := Check{Name: "request URL", State: Red}
	challenge := bot.Probe + rand.Text()
	body, header := bot.URLVerification(secret, challenge, time.Now())
	got, err := v.ask(ctx, http.MethodPost, v.base+bot.PathEvents, body, header)
	switch {
	case err != nil:
		c.Message, c.Fix = "The request URL does not answer.", "Let the proxy pass "+v.base+bot.PathEvents+" on to the app."
	case got.status == http.StatusUnauthorized:
		c.Message = "The app that answers there has another SLACK_SIGNING_SECRET than this one, or its clock is off."
		c.Fix = "Set SLACK_SIGNING_SECRET to this app's (api.slack.com/apps → Basic Information → App Credentials), and restart."
	case got.status != http.StatusOK || strings.TrimSpace(got.body) != challenge:
		c.Message = fmt.Sprintf("%s%s is not answered as Slack wants it (HTTP status %d).", v.base, bot.PathEvents, got.status)
		c.Fix = "Let the proxy pass POST requests to /slack/… on to the app, with their bodies and headers unchanged."
	default:
		c.State, c.Message = Green, v.base+bot.PathEvents+" answers a verification that is signed with this SLACK_SIGNING_SECRET."
	}
	return c
}
