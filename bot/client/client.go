// Package client calls Slack's Web API.
//
// Every failed call is of a known class, and a post that may be out is
// never called failed: see [ErrUnknownOutcome]. No secret, neither a token nor a
// response URL nor a connection's address, is ever part of an error's text.
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

// Config says how to reach Slack.
type Config struct {
	Token   string        // bot token, xoxb-…
	Tokens  Tokens        // in place of Token, when it changes; nil = it does not
	Team    string        // the workspace, when the token is an organisation's; "" = the token's own
	APIURL  string        // "" = https://slack.com/api/
	Timeout time.Duration // per call, six times that for a picture's bytes; 0 = 10 s
	Log     *slog.Logger  // nil = none
	Pace    float64       // posts a second per channel; 0 = a little less than 1
	Pacer   Pacer         // keeps that pace with other replicas; nil = no other replicas
	// Reads shares out the calls that read messages, where Slack limits them; nil = it does nowhere
	Reads Reads
	// OnOutage, when given, is told of each outage of Slack that lasted for ten seconds or more, once it is
	// over. With it Slack is asked during an outage whether it is over.
	OnOutage func(ctx context.Context, from, to time.Time)
	// OutageGrave is how long such an outage lasts; 0: those ten seconds.
	OutageGrave time.Duration
	// Outage, when given, is the watch that the clients of a process keep together, and OnOutage is not used.
	Outage *OutageWatch
	// HTTP, when given, makes all requests: the clients of a process share their connections, see [HTTPClient]. Wrap is not used then.
	HTTP *http.Client
	// Wrap, when given, is put around a clone of http.DefaultTransport: what it returns sees every request.
	Wrap func(http.RoundTripper) http.RoundTripper
	// Tracer records a span of each call that is made in a trace; nil: no spans.
	Tracer trace.Tracer
	// Observe hears of each call when it has ended; nil: nobody does. It must return at once.
	Observe func(Call)
}

// Client is the one way out to Slack. It never retries: a queue does, which knows what
// must be looked up before. After a 429 calls of that method fail at once with
// [ErrTryLater] until Slack's wait is over; after one of chat.postMessage, whose limit is
// a channel's, posts to that channel. It follows no redirects.
type Client struct {
	Messages      *Messages
	Views         *Views
	People        *People
	Conversations *Conversations
	Files         *Files

	api *api
	own owned // what is closed with it
}

// api calls the methods of the Web API.
type api struct {
	transport *transport
	team      string // see [Config.Team]
}

// owned is what a client shares with nobody.
type owned struct{ outage, http bool }

// New makes a Client; it does not call Slack.
func New(cfg Config) *Client {
	t := newTransport(cfg)
	a := &api{transport: t, team: cfg.Team}
	people := newPeople(a)
	messages := &Messages{api: a, pace: newPace(cfg.Pace, cfg.Pacer, t.log), directs: newCache[string](time.Hour, 4096)}
	c := &Client{
		Messages: messages, Views: &Views{a}, People: people, Conversations: &Conversations{a, cfg.Reads, people},
		Files: &Files{a, messages, newCache[slack.File](5*time.Minute, 1024)},
		api:   a, own: owned{outage: cfg.Outage == nil, http: cfg.HTTP == nil},
	}
	if cfg.OnOutage != nil && c.own.outage {
		t.outage.tell, t.outage.grave = cfg.OnOutage, cmp.Or(cfg.OutageGrave, outageGrave)
		t.outage.probe = people.Answers
	}
	return c
}

// newTransport makes what the calls of a client go by.
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

// HTTPClient makes the connections of several clients, for [Config.HTTP]. wrap, when given, is put around a
// clone of http.DefaultTransport: what it returns sees every request.
func HTTPClient(wrap func(http.RoundTripper) http.RoundTripper) *http.Client {
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if t, ok := http.DefaultTransport.(*http.Transport); ok {
		t = t.Clone()
		t.MaxIdleConnsPerHost = 16
		// What of a photo may come before its reader takes it: 4 MB each, by HTTP/2, unless somebody says so.
		t.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerStream: 256 << 10}
		c.Transport = t
	}
	if wrap != nil {
		c.Transport = wrap(c.Transport)
	}
	return c
}

// Close ends idle connections, and the questions of an outage, unless others share them.
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

// args are the arguments of a method: texts travel as they are, all else as JSON, and what
// is empty does not travel at all.
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

// call calls a method of the Web API and reads into out, a pointer to a struct, the fields
// that are used of its answer. slack-go's own calls would read all of it, and fail at one
// odd field of a message that is out.
func (a *api) call(ctx context.Context, method string, with args, out any) (http.Header, error) {
	form, err := with.encode()
	if err != nil {
		return nil, &Error{Method: method, Class: []error{ErrPayload}, Cause: err}
	}
	header, body, err := a.transport.post(ctx, method, a.transport.base+method, argsType, []byte(form))
	if err == nil && out != nil {
		_ = lenient.Decode(body, out) // the transport lets nothing through that is no object
	}
	return header, err
}

// do is call without a use for the answer.
func (a *api) do(ctx context.Context, method string, with args) error {
	_, err := a.call(ctx, method, with, nil)
	return err
}

func logger(log *slog.Logger) *slog.Logger { return cmp.Or(log, slog.New(slog.DiscardHandler)) }
