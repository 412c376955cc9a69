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

// Config says where the service is and how it wants to be spoken to.
type Config struct {
	URL    string // the service's {base_url}, http or https, with or without a final slash
	Key    string `json:"-"`
	Secret string `json:"-"`

	// Params is where the parameters of POST and DELETE travel: "query" (also ""; a POST whose URL would pass
	// 8,000 bytes has them in a form body), "query-only" (such a POST is not sent), "form" or "json". A GET always
	// uses the query. What is too long for its place is not sent and ends with an [order.InputError].
	Params string
	// Signature is how the signed JSON is written: "php" (also ""), "plain" or "python". With "-flat" behind it,
	// arrays and maps are signed as the text that is sent in a query or a form.
	Signature string
	// Numbers is how numbers are signed: as a "string" (also ""), as a "number", or as they are
	// "sent": as a string in a query or a form, as a number in a JSON body, where they always
	// travel as numbers.
	Numbers string
	// BasicAuth also sends key and secret as HTTP Basic credentials.
	BasicAuth bool

	Limiter Limiter       // asked before every attempt; nil: no limit
	Timeout time.Duration // of one attempt; 0 = 30 s
	// Transport is what the requests travel like; nil: the default one. The client uses
	// clones, the one for writes without keep-alive.
	Transport *http.Transport
	// Wrap, when given, is put around the transports for reads and for writes. It must
	// hand each request on once, with its context.
	Wrap func(http.RoundTripper) http.RoundTripper
	// Connections are shared with other clients; nil: the client has its own, as Transport and Wrap say, which count for
	// nothing otherwise.
	Connections *Connections
	Retries     int // of a GET; 0 = 3, negative = none
	// Tracer records a span of each attempt that is made in a trace; nil: there are none.
	Tracer trace.Tracer
	// Observe hears of each attempt when it has ended; nil: nobody does. It must return at once.
	Observe func(Call)
}

// Limiter holds a caller back until one more request may go out.
type Limiter interface {
	Wait(ctx context.Context) error
}

// String shows nothing of a configuration: it holds credentials.
func (c Config) String() string { return "upstream.Config(***)" }

// GoString is String: %#v shows no secret either.
func (c Config) GoString() string { return c.String() }

// LogValue is String: a logged configuration shows no secret.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// validate reports every problem at once and returns the parsed base address.
func (c Config) validate() (*url.URL, error) {
	base, err := parseBase(c.URL)
	problems := []error{err}
	must := func(sound bool, format string, values ...any) {
		if !sound {
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

// parseBase does not quote the address in its errors: it may hold a password.
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
