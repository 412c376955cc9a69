package upstream

import (
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// mask stands where a secret was.
const mask = "***"

// shortestSecret is the least length that is searched for in foreign texts:
// masking a shorter one would only garble the service's words.
const shortestSecret = 4

// redactor takes credentials out of texts that others wrote: the service may
// quote a signature, a proxy the whole address.
type redactor struct{ secrets *strings.Replacer }

// newRedactor knows each secret in every form in which it is sent.
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

// Kinds of causes, for errors.Is: why there is no answer, without an address of the network that this runs in.
var (
	ErrNoSuchHost = errors.New("no such host name") // or no name server that answers as it should
	errLate       = errors.New("no answer in time")
	errNoTLS      = errors.New("no encrypted connection")
)

// kindOf is the kind of a cause, nil when it is none of them.
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

// scrubbed is a cause whose text is safe. It can be compared with errors.Is, with its kind too,
// but errors.As does not reach inside: a *url.Error there holds the address.
type scrubbed struct {
	text string
	err  error
	kind error
}

func (s *scrubbed) Error() string        { return s.text }
func (s *scrubbed) Is(target error) bool { return target == s.kind || errors.Is(s.err, target) }

// scrub drops the address that net/http wraps around every error.
func (r *redactor) scrub(err error) error {
	if err == nil {
		return nil
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return &scrubbed{text: r.text(err.Error()), err: err, kind: kindOf(err)}
}
