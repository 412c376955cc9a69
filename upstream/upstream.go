// Package upstream is a typed Go client of the photo editing service.
//
// A [Client] has one method per operation. All of them keep two promises. First, a write is sent at most once:
// it is never retried or redirected, and has its own connection, so that net/http cannot replay it. Second,
// the error tells the outcome: [order.ErrRefused] means that the service said it did nothing,
// [order.ErrUnavailable] that the request never arrived or was turned away, and [order.ErrUnknown] anything in
// between. The caller must reconcile an unknown outcome before it sends anything again.
//
// Reads are retried a few times with growing, jittered pauses, and signed anew each time. Decoding is
// forgiving, since the service's interface leaves much open. A field missing from the answer stays absent and
// never becomes zero.
//
// The package knows no Slack, no Redis and no policy: its callers decide about an unknown outcome.
package upstream

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/semaphore"
)

// DefaultTimeout is the time limit of one attempt unless [Config] has another.
const DefaultTimeout = 30 * time.Second

const defaultRetries = 3

// Client calls the service. It is safe for concurrent use.
type Client struct {
	cfg    Config // with its defaults
	base   *url.URL
	reader *http.Client // GET: keep-alive, redirects within the service
	writer *http.Client // other methods: one connection a request, no redirects
	slots  bodySlots
	ahead  time.Duration // subtracted from this machine's clock in signatures
}

// New checks the configuration and returns a client. The error reports all problems and quotes no secret.
func New(c Config) (*Client, error) {
	base, err := c.validate()
	if err != nil {
		return nil, err
	}
	c.Timeout = cmp.Or(c.Timeout, DefaultTimeout)
	c.Retries = max(0, cmp.Or(c.Retries, defaultRetries))
	shared := c.connections()
	return &Client{
		cfg:    c,
		base:   base,
		reader: &http.Client{Transport: shared.reads, CheckRedirect: stayHome},
		writer: &http.Client{Transport: shared.writes, CheckRedirect: refuseRedirect},
		slots:  bodySlots{own: semaphore.NewWeighted(1), middle: shared.middle, large: shared.large},
	}, nil
}

// Timeout returns the time limit of one attempt. No answer to an abandoned write arrives later than that after
// it was sent.
func (c *Client) Timeout() time.Duration { return c.cfg.Timeout }

// String names the service and hides the credentials.
func (c *Client) String() string {
	return fmt.Sprintf("upstream.Client(%s)", c.base.Redacted())
}

// GoString is String, so that %#v shows no secret.
func (c *Client) GoString() string { return c.String() }

// LogValue is String, so that a log shows no secret.
func (c *Client) LogValue() slog.Value { return slog.StringValue(c.String()) }
