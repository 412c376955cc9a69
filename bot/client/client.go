// Package client calls Slack's Web API.
//
// Every failed call has a known class. A post that may have been delivered is never reported as failed:
// see [ErrUnknownOutcome]. The text of an error contains no token, no response URL and no connection's
// address.
package client

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/slack-go/slack"
	"go.opentelemetry.io/otel/trace"

	"darkroom/bot/lenient"
)

// Config configures a [Client].
type Config struct {
	Token   string        // bot token xoxb-…
	Tokens  Tokens        // replaces Token if the token changes; may be nil
	Team    string        // the workspace, for an organisation's token; "": the token's workspace
	APIURL  string        // "": https://slack.com/api/
	Timeout time.Duration // per call, six times as long for an upload; 0: 10 s
	Log     *slog.Logger  // nil: no log
	Rate    float64       // posts per second and channel; 0: a little less than 1
	Limiter Limiter       // shares that rate with other replicas; nil: no other replicas
	// Reads schedules the calls that read messages if Slack limits them; nil: no limit.
	Reads Reads
	// OnOutage is called after each outage of ten seconds or more. If it is set, Slack is probed during an
	// outage. It may be nil.
	OnOutage func(ctx context.Context, from, to time.Time)
	// OutageGrave replaces those ten seconds; 0: ten seconds.
	OutageGrave time.Duration
	// Outage is shared by the clients of a process; OnOutage is then unused. It may be nil.
	Outage *OutageWatch
	// HTTP makes all requests, so that clients share connections: see [HTTPClient]. Wrap is then unused.
	// It may be nil.
	HTTP *http.Client
	// Wrap wraps a clone of http.DefaultTransport and so sees every request. It may be nil.
	Wrap func(http.RoundTripper) http.RoundTripper
	// Tracer records a span for each call within a trace; nil: no spans.
	Tracer trace.Tracer
	// Observe receives each finished call. It must return at once, and may be nil.
	Observe func(Call)
}

// Client calls Slack. It never retries a call: the job queue does, after it verified the outcome. After a
// 429, calls of that method fail at once with [ErrTryLater] until Slack's wait is over. The limit of
// chat.postMessage holds for one channel only. A Client follows no redirects.
type Client struct {
	Messages      *Messages
	Views         *Views
	People        *People
	Conversations *Conversations
	Files         *Files

	api *api
	own owned // what Close closes
}

// api calls the methods of the Web API.
type api struct {
	transport *transport
	team      string // see [Config.Team]
}

// owned says which parts a client shares with nobody.
type owned struct{ outage, http bool }

// New returns a Client. It does not call Slack.
func New(cfg Config) *Client {
	t := newTransport(cfg)
	a := &api{transport: t, team: cfg.Team}
	people := newPeople(a)
	messages := &Messages{api: a, limit: newPostLimit(cfg.Rate, cfg.Limiter, t.log), directs: newCache[string](time.Hour, 4096)}
	c := &Client{
		Messages: messages, Views: &Views{a}, People: people, Conversations: &Conversations{a, cfg.Reads, people},
		Files: &Files{a, messages, newCache[slack.File](5*time.Minute, 1024)},
		api:   a, own: owned{outage: cfg.Outage == nil, http: cfg.HTTP == nil},
	}
	if cfg.OnOutage != nil && c.own.outage {
		t.outage.notify, t.outage.grave = cfg.OnOutage, cmp.Or(cfg.OutageGrave, outageGrave)
		t.outage.probe = people.Answers
	}
	return c
}

// newTransport returns the transport of a client's calls.
func newTransport(cfg Config) *transport {
	t := &transport{
		http: cfg.HTTP, tokens: cfg.Tokens, log: logger(cfg.Log), tracer: cfg.Tracer, cooldowns: newCooldowns(), observe: cfg.Observe,
		base:    strings.TrimSuffix(cmp.Or(cfg.APIURL, slack.APIURL), "/") + "/",
		timeout: cmp.Or(cfg.Timeout, 10*time.Second), outage: cfg.Outage,
	}
	if t.tokens == nil {
		t.tokens = oneToken(cfg.Token)
	}
	if t.outage == nil {
		t.outage = newOutage(t.log)
	}
	if t.http == nil {
		t.http = HTTPClient(cfg.Wrap)
	}
	return t
}

// HTTPClient returns an HTTP client that several clients can share, for [Config.HTTP]. wrap wraps a clone
// of http.DefaultTransport and so sees every request; it may be nil.
func HTTPClient(wrap func(http.RoundTripper) http.RoundTripper) *http.Client {
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t = t.Clone()
		t.MaxIdleConnsPerHost = 16
		// Bounds the bytes of a photo that are buffered before they are read; HTTP/2's default is 4 MB.
		t.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 256 << 10}
		c.Transport = t
	}
	if wrap != nil {
		c.Transport = wrap(c.Transport)
	}
	return c
}

// Close ends idle connections and an outage's probes, unless they are shared.
func (c *Client) Close() {
	if c.own.outage {
		c.api.transport.outage.Close()
	}
	if c.own.http {
		c.api.transport.http.CloseIdleConnections()
	}
}

// argsType is the content type of the arguments.
const argsType = "application/x-www-form-urlencoded"

// args are the arguments of a method. Strings are sent as they are, other values as JSON, and empty ones
// are left out.
type args map[string]any

func (a args) encode() (string, error) {
	form := url.Values{}
	for name, value := range a {
		text, ok := value.(string)
		if !ok {
			raw, err := json.Marshal(value)
			if err != nil {
				return "", err
			}
			text = strings.TrimPrefix(string(raw), "null")
		}
		if text != "" {
			form.Set(name, text)
		}
	}
	return form.Encode(), nil
}

// call calls a method of the Web API and decodes the answer into out, a pointer to a struct of the used
// fields, or nil. slack-go's own calls decode everything, so one malformed field would make a delivered
// post fail.
func (a *api) call(ctx context.Context, method string, with args, out any) (http.Header, error) {
	form, err := with.encode()
	if err != nil {
		return nil, &Error{Method: method, Class: []error{ErrPayload}, Cause: err}
	}
	header, body, err := a.transport.post(ctx, method, a.transport.base+method, argsType, []byte(form))
	if err == nil && out != nil {
		_ = lenient.Decode(body, out) // the transport guarantees an object
	}
	return header, err
}

// do calls a method and ignores the answer's content.
func (a *api) do(ctx context.Context, method string, with args) error {
	_, err := a.call(ctx, method, with, nil)
	return err
}

func logger(log *slog.Logger) *slog.Logger { return cmp.Or(log, slog.New(slog.DiscardHandler)) }
