package upstream

import (
	"errors"
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

// scrubbed is a cause whose text is safe. It can be compared with errors.Is,
// but errors.As does not reach inside: a *url.Error there holds the address.
type scrubbed struct {
	text string
	err  error
}

func (s *scrubbed) Error() string        { return s.text }
func (s *scrubbed) Is(target error) bool { return errors.Is(s.err, target) }

// scrub drops the address that net/http wraps around every error.
func (r *redactor) scrub(err error) error {
	if err == nil {
		return nil
	}
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	return &scrubbed{text: r.text(err.Error()), err: err}
}
