package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"
)

// ClientConfig says how to reach Slack.
type ClientConfig struct {
	Token     string            // bot token, xoxb-…
	APIURL    string            // "" = https://slack.com/api/
	Timeout   time.Duration     // per call, six times that for a picture's bytes; 0 = 10 s
	Transport http.RoundTripper // nil = a clone of http.DefaultTransport
	Log       *slog.Logger      // nil = none
	Pace      float64           // posts a second per channel; 0 = a little less than 1
	Pacer     Pacer             // keeps that pace with other replicas; nil = there are none
	// Wrap, when given, is put around the transport: what it returns sees every request.
	Wrap func(http.RoundTripper) http.RoundTripper
}

// Client is the one way out to Slack. It never retries: a queue does, which knows what
// must be looked up before. After a 429 calls of that method fail at once with
// [ErrTryLater] until Slack's wait is over; after one of chat.postMessage, whose limit is
// a channel's, posts to that channel. It follows no redirects.
type Client struct {
	api  *slack.Client
	door *transport
	pace *pace

	members  cache[map[string]bool] // by channel, whole
	crowds   cache[bool]            // channels of too many members to keep
	seats    cache[bool]            // by channel and user, of such channels
	users    cache[slack.User]
	directs  cache[string]   // DM channels by user
	channels cache[[]string] // by user
	files    cache[slack.File]

	mu       sync.Mutex
	identity *Identity
}

// NewClient makes a Client; it does not call Slack.
func NewClient(cfg ClientConfig) *Client {
	d := &transport{http: httpClient(cfg.Transport), token: cfg.Token, log: logger(cfg.Log), waits: newTurns()}
	if cfg.Wrap != nil {
		d.http.Transport = cfg.Wrap(d.http.Transport)
	}
	d.base = strings.TrimSuffix(cmp.Or(cfg.APIURL, slack.APIURL), "/") + "/"
	d.timeout = cmp.Or(cfg.Timeout, 10*time.Second)
	return &Client{
		api:     slack.New(cfg.Token, slack.OptionAPIURL(d.base), slack.OptionHTTPClient(d)),
		door:    d,
		pace:    newPace(cfg.Pace, cfg.Pacer, d.log),
		members: newCache[map[string]bool](time.Minute, 256),
		crowds:  newCache[bool](time.Hour, 256),
		seats:   newCache[bool](time.Minute, 4096),
		users:   newCache[slack.User](5*time.Minute, 4096),
		directs: newCache[string](time.Hour, 4096),

		channels: newCache[[]string](time.Minute, 256),
		files:    newCache[slack.File](5*time.Minute, 1024),
	}
}

func httpClient(transport http.RoundTripper) *http.Client {
	if transport == nil {
		if t, ok := http.DefaultTransport.(*http.Transport); ok {
			t = t.Clone()
			t.MaxIdleConnsPerHost = 16
			transport = t
		}
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &http.Client{Transport: transport, CheckRedirect: stay}
}

// Close ends idle connections.
func (c *Client) Close() { c.door.http.CloseIdleConnections() }

// call makes a call whose answer slack-go is too strict, or too late, to read.
func (c *Client) call(ctx context.Context, method string, args url.Values, out any) (http.Header, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.door.base+method, strings.NewReader(args.Encode()))
	if err != nil {
		return nil, c.wrap(method, err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Authorization", "Bearer "+c.door.token)
	resp, err := c.door.send(req, method)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // in memory
	body, err := io.ReadAll(resp.Body)
	if err == nil {
		err = Decode(body, out)
	}
	return resp.Header, c.wrap(method, err)
}

// wrap gives slack-go's own errors a class; those of the door have one.
func (c *Client) wrap(method string, err error) error {
	var e *Error
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return e
	case errors.As(err, &syntax), errors.As(err, &kind):
		return &Error{Method: method, cause: err} // an answer the library does not understand
	}
	return &Error{Method: method, class: []error{ErrPayload}, cause: errors.New(withoutURLs(err.Error()))}
}

// Identity is who the token is.
type Identity struct {
	Team       string // id
	Enterprise string // id of the Grid organisation that the workspace belongs to; "" = none
	BotUser    string // user id
	BotID      string
	URL        string // of the workspace
	Scopes     []string
}

// Identity asks Slack once who the token is.
func (c *Client) Identity(ctx context.Context) (Identity, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.identity != nil {
		return *c.identity, nil
	}
	var who struct {
		TeamID       string `json:"team_id"`
		EnterpriseID string `json:"enterprise_id"`
		UserID       string `json:"user_id"`
		BotID        string `json:"bot_id"`
		URL          string `json:"url"`
	}
	header, err := c.call(ctx, "auth.test", url.Values{}, &who)
	if err != nil {
		return Identity{}, err
	}
	id := Identity{Team: who.TeamID, Enterprise: who.EnterpriseID, BotUser: who.UserID, BotID: who.BotID, URL: who.URL}
	id.Scopes = strings.FieldsFunc(header.Get("X-OAuth-Scopes"), func(r rune) bool { return r == ',' || r == ' ' })
	c.identity = &id
	return id, nil
}
