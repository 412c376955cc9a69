package upstream

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// mask replaces a secret.
const mask = "***"

// shortestSecret is the shortest text to mask. Masking shorter ones would garble the service's words.
const shortestSecret = 4

// redactor removes credentials from texts of others: the service may quote a signature, a proxy the whole
// address.
type redactor struct{ secrets *strings.Replacer }

// newRedactor masks each secret in every form in which it is sent.
func newRedactor(secrets ...string) *redactor {
	var pairs []string
	for _, secret := range secrets {
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			if len(form) >= shortestSecret {
				pairs = append(pairs, form, mask)
			}
		}
	}
	return &redactor{secrets: strings.NewReplacer(pairs...)}
}

func (r *redactor) text(s string) string { return r.secrets.Replace(s) }

func (r *redactor) all(texts []string) []string {
	clean := make([]string, len(texts))
	for i, s := range texts {
		clean[i] = r.text(s)
	}
	return clean
}

// Reasons for a missing answer, for errors.Is. They show no address of the app's own network.
var (
	ErrNoSuchHost = errors.New("no such host name") // or no working name server
	errLate       = errors.New("no answer in time")
	errNoTLS      = errors.New("no encrypted connection")
)

// kindOf returns the kind of a cause, nil if it is another one.
func kindOf(err error) error {
	if dns, ok := errors.AsType[*net.DNSError](err); ok && !dns.IsTimeout {
		return ErrNoSuchHost
	}
	if timed, ok := errors.AsType[net.Error](err); ok && timed.Timeout() {
		return errLate
	}
	_, certificate := errors.AsType[*tls.CertificateVerificationError](err)
	_, record := errors.AsType[tls.RecordHeaderError](err)
	_, alert := errors.AsType[tls.AlertError](err)
	if certificate || record || alert || errors.Is(err, http.ErrSchemeMismatch) {
		return errNoTLS
	}
	return nil
}

// scrubbed is a cause with a safe text. errors.Is matches it and its kind. errors.As does not look inside: a
// *url.Error there holds the address.
type scrubbed struct {
	text string
	err  error
	kind error
}

func (s *scrubbed) Error() string        { return s.text }
func (s *scrubbed) Is(target error) bool { return target == s.kind || errors.Is(s.err, target) }

// scrub removes the address that net/http adds to every error.
func (r *redactor) scrub(err error) error {
	if err == nil {
		return nil
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return &scrubbed{text: r.text(err.Error()), err: err, kind: kindOf(err)}
}
