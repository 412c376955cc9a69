package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	"go.opentelemetry.io/otel/trace"
)

// Config locates the service and selects what its interface leaves open.
type Config struct {
	URL    string // the service's {base_url}, http or https, with or without a final slash
	Key    string `json:"-"`
	Secret string `json:"-"`

	// Params is where the parameters of POST and DELETE travel: "query" (also ""), "query-only", "form" or
	// "json". A GET always uses the query. With "query", a POST whose URL would exceed 8,000 bytes uses a form
	// body. Parameters too long for their place end with an [order.InputError] and are not sent.
	Params string
	// Signature is how the signed JSON is written: "php" (also ""), "plain" or "python". The suffix "-flat"
	// signs arrays and maps as the text sent in a query or a form.
	Signature string
	// Numbers is how numbers are signed: as a "string" (also ""), as a "number", or as "sent": as a number in
	// a JSON body, else as a string. A JSON body always has real numbers.
	Numbers string
	// BasicAuth adds key and secret as HTTP Basic credentials.
	BasicAuth bool

	Limiter Limiter       // called before each attempt; nil: no limit
	Timeout time.Duration // of one attempt; 0: 30 s
	// Wrap, if set, wraps the transports for reads and for writes. It must pass on each request once, with its
	// context.
	Wrap func(http.RoundTripper) http.RoundTripper
	// Connections are shared with other clients, and replace Wrap; nil: the client has its own, like those of
	// the default transport.
	Connections *Connections
	Retries     int // of a GET; 0: 3, negative: none
	// Tracer records a span for each attempt within a trace; nil: no spans.
	Tracer trace.Tracer
	// Observe, if set, receives each finished attempt. It must return at once.
	Observe func(Call)
}

// Limiter blocks until one more request may be sent.
type Limiter interface {
	Wait(ctx context.Context) error
}

// String hides the configuration, which holds credentials.
func (c Config) String() string { return "upstream.Config(***)" }

// GoString is String, so that %#v shows no secret.
func (c Config) GoString() string { return c.String() }

// LogValue is String, so that a log shows no secret.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// validate returns the parsed base address, or an error with every problem.
func (c Config) validate() (*url.URL, error) {
	base, err := parseBase(c.URL)
	problems := []error{err}
	must := func(valid bool, format string, values ...any) {
		if !valid {
			problems = append(problems, fmt.Errorf(format, values...))
		}
	}
	must(c.Key != "", "upstream key: must not be empty")
	must(c.Secret != "", "upstream secret: must not be empty")
	must(slices.Contains([]string{"", inQuery, inQueryOnly, inForm, inJSON}, c.Params), "upstream params %q: must be query, query-only, form or json", c.Params)
	_, known := dialects[c.Signature]
	must(known, "upstream signature %q: must be php, plain or python, with -flat behind it or not", c.Signature)
	must(slices.Contains([]string{"", asString, asNumber, asSent}, c.Numbers), "upstream numbers %q: must be string, number or sent", c.Numbers)
	must(c.Timeout >= 0, "upstream timeout %s: must not be negative", c.Timeout)
	return base, errors.Join(problems...)
}

// parseBase parses the base address. Its errors do not quote the address, which may hold a password.
func parseBase(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil, u.Host == "", u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("upstream url: must be a complete http or https address")
	case u.User != nil:
		return nil, errors.New("upstream url: must not hold a user name or password")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("upstream url: must not hold a query or a fragment")
	}
	return u, nil
}
