package upstream_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"darkroom/order"
	"darkroom/upstream"

	"github.com/stretchr/testify/require"
)

const (
	key    = "key-4711"
	secret = "s3cret&/?"
	prefix = "/api/v2" // an endpoint written as absolute fails every test
)

// seen is one request as the service received it.
type seen struct {
	method, path, kind string
	query, form        url.Values
	body               string
	header             http.Header
	remote             string
}

// service is a real server that records its requests.
type service struct {
	*httptest.Server
	mu   sync.Mutex
	asks []seen
}

// serve answers every request below the path prefix with the handler.
func serve(t *testing.T, answer http.HandlerFunc) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewServer(http.StripPrefix(prefix, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.note(r)
		answer(w, r)
	})))
	t.Cleanup(s.Close)
	return s
}

// reply answers every request with the same status and body.
func reply(t *testing.T, status int, body string) *service {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

func (s *service) note(r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	form, _ := url.ParseQuery(string(body))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asks = append(s.asks, seen{
		method: r.Method, path: r.URL.EscapedPath(), kind: r.Header.Get("Content-Type"),
		query: r.URL.Query(), form: form, body: string(body), header: r.Header.Clone(), remote: r.RemoteAddr,
	})
}

func (s *service) seen() []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]seen(nil), s.asks...)
}

func (s *service) only(t *testing.T) seen {
	t.Helper()
	asks := s.seen()
	require.Len(t, asks, 1)
	return asks[0]
}

// client returns a client of the service, without retries unless adjusted.
func client(t *testing.T, s *service, adjust ...func(*upstream.Config)) *upstream.Client {
	t.Helper()
	c := upstream.Config{URL: s.URL + prefix + "/", Key: key, Secret: secret, Retries: -1}
	for _, a := range adjust {
		a(&c)
	}
	built, err := upstream.New(c)
	require.NoError(t, err)
	return built
}

// operation is one call with valid inputs, and a successful answer.
type operation struct {
	call func(context.Context, *upstream.Client) error
	ok   string
}

func anOrder(_ order.Order, err error) error { return err }

var images = []upstream.Image{{URL: "https://a.test/x.jpg", Service: order.ServiceBasic, Instruction: "brighter"}, {URL: "https://a.test/y.jpg", Service: order.ServiceReference}}

// writes are all operations that change something.
var writes = map[string]operation{
	"create": {func(ctx context.Context, c *upstream.Client) error {
		return anOrder(c.Create(ctx, upstream.NewOrder{Instructions: []string{"brighter"}, Images: images}))
	}, `{"errors":[],"data":{"order_id":"A1","status":"editing"}}`},
	"cancel": {
		func(ctx context.Context, c *upstream.Client) error {
			return anOrder(c.Cancel(ctx, "A1", []string{"wrong"}))
		},
		`{"errors":[],"data":{"order_id":"A1","status":"canceled"}}`,
	},
	"revise": {func(ctx context.Context, c *upstream.Client) error {
		return anOrder(c.Revise(ctx, "A1", map[string][]string{"i1": {"darker"}}))
	}, `{"errors":[],"data":{"order_id":"A1","status":"revising"}}`},
	"approve": {
		func(ctx context.Context, c *upstream.Client) error { return anOrder(c.Approve(ctx, "A1", nil)) },
		`{"errors":[],"data":{"order_id":"A1","status":"closed"}}`,
	},
	"message": {
		func(ctx context.Context, c *upstream.Client) error { return anOrder(c.Message(ctx, "A1", "hello")) },
		`{"errors":[],"data":[{"order_id":"A1","conversations":[]}]}`,
	},
	"reference": {func(ctx context.Context, c *upstream.Client) error {
		return anOrder(c.AddReferences(ctx, "A1", []upstream.RefImage{{URL: "https://a.test/r.jpg"}}))
	}, `{"errors":[],"data":{"order_id":"A1","status":"revising"}}`},
}

// reads are all operations that change nothing.
var reads = map[string]operation{
	"balance": {func(ctx context.Context, c *upstream.Client) error {
		_, err := c.Balance(ctx)
		return err
	}, `{"errors":[],"data":{"credits":12.5}}`},
	"list": {func(ctx context.Context, c *upstream.Client) error {
		_, err := c.List(ctx, order.Filter{})
		return err
	}, `{"errors":[],"data":[]}`},
	"fetch": {
		func(ctx context.Context, c *upstream.Client) error { return anOrder(c.Fetch(ctx, "A1")) },
		`{"errors":[],"data":[{"order_id":"A1"}]}`,
	},
}

// requireSigned recomputes the signature of the parameters: plain dialect, numbers as strings, arrays as the
// sent text.
func requireSigned(t *testing.T, sent url.Values) {
	t.Helper()
	var text strings.Builder
	sep := "{"
	for _, name := range []string{"api_key", "content_text", "feedback", "filter_keywords", "page", "timestamp"} {
		if value := sent.Get(name); value != "" {
			if !strings.HasPrefix(value, "[") {
				quoted, err := json.Marshal(value)
				require.NoError(t, err)
				value = string(quoted)
			}
			text.WriteString(sep + `"` + name + `":` + value)
			sep = ","
		}
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text.String() + "}"))
	require.Equal(t, hex.EncodeToString(mac.Sum(nil)), sent.Get("signature"), text.String())
}

func plain(c *upstream.Config) { c.Signature = "plain" }

// watched records the method of every request that it passes on.
type watched struct {
	next http.RoundTripper
	seen *[]string
}

func (w watched) RoundTrip(r *http.Request) (*http.Response, error) {
	*w.seen = append(*w.seen, r.Method)
	return w.next.RoundTrip(r)
}

func TestAWrapSeesReadsAndWrites(t *testing.T) {
	s := reply(t, 200, `{"errors":[],"data":{"order_id":"A1"}}`)
	var seen []string
	c := client(t, s, func(c *upstream.Config) {
		c.Wrap = func(next http.RoundTripper) http.RoundTripper { return watched{next, &seen} }
	})
	_, err := c.Fetch(t.Context(), "A1")
	require.NoError(t, err)
	_, err = c.Message(t.Context(), "A1", "brighter")
	require.NoError(t, err)
	require.Equal(t, []string{http.MethodGet, http.MethodPost}, seen)
}
