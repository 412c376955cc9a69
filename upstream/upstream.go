// Package upstream is the photo editing service as a typed Go client.
//
// A [Client] has one method per operation of the service. Two promises hold
// for all of them. A request that changes something is sent at most once: it
// is never retried, never redirected, and travels on a connection of its own,
// so that net/http has no reason to replay it. And whoever calls can tell what
// became of it: [order.ErrRefused] means the service said that it did not do it,
// [order.ErrUnavailable] that the request certainly never arrived or was turned
// away, and [order.ErrUnknown] everything in between, which must be looked up before
// anything is sent again.
//
// Reads are retried a few times with growing, jittered pauses, signed anew
// each time. Answers are read as forgivingly as possible, since the service's
// interface leaves much open; what an answer did not say stays absent and is
// never mistaken for zero.
//
// The package knows no Slack, no Redis and no policy: what to do about an
// unknown outcome is for its callers to decide.
package upstream

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"time"
)

// DefaultTimeout is how long one attempt may take unless [Config] says otherwise.
const DefaultTimeout = 30 * time.Second

const defaultRetries = 3

// Client calls the service. It is safe for concurrent use.
type Client struct {
	cfg    Config // with its defaults
	base   *url.URL
	reader *http.Client // GET: keep-alive, redirects within the service
	writer *http.Client // everything else: one connection a request, no redirects
	room   room
	ahead  time.Duration // what is taken off this machine's clock when a request is signed
}

// New checks the configuration and returns a client for it. All problems are
// reported together; none of them quotes a secret.
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
		room:   newRoom(shared),
	}, nil
}

// Timeout is how long one attempt may take: after a write was given up, its
// answer cannot arrive later than this after it was sent.
func (c *Client) Timeout() time.Duration { return c.cfg.Timeout }

// String names the service and hides the credentials.
func (c *Client) String() string {
	return fmt.Sprintf("upstream.Client(%s)", c.base.Redacted())
}

// GoString is String: %#v shows no secret either.
func (c *Client) GoString() string { return c.String() }

// LogValue is String: a logged client shows no secret.
func (c *Client) LogValue() slog.Value { return slog.StringValue(c.String()) }
