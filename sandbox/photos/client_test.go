package photos_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// client speaks to the service as the interface says, with a signature of its own.
type client struct {
	t         *testing.T
	ctx       context.Context // of the requests
	service   *photos.Service
	base      string
	key       string
	secret    string
	in        photos.Placement
	serialize func(map[string]any) string
	now       func() time.Time
	http      *http.Client
}

type reply struct {
	err    error // of the transport or of an unreadable body
	status int
	header http.Header
	body   string
	Errors []string
	Data   json.RawMessage
}

// start runs a service with a manual editor, which may read from the test's
// own picture server, and returns a client of it.
func start(t *testing.T, o photos.Options) *client {
	t.Helper()
	if o.EditAfter == 0 {
		o.Manual = true
	}
	o.AllowPrivateURLs = true
	if o.Credits.IsZero() {
		o.Credits = decimal.NewFromInt(100)
	}
	s := photos.New(o)
	require.NoError(t, s.Start())
	t.Cleanup(s.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	c := &client{
		t: t, ctx: t.Context(), service: s, base: s.URL(), key: "sandbox-key", secret: "sandbox-secret",
		in: photos.Query, serialize: phpJSON, now: time.Now,
		http: &http.Client{Transport: transport, Timeout: 5 * time.Second},
	}
	if o.Now != nil {
		c.now = o.Now
	}
	return c
}

type fields map[string]any

func (c *client) get(path string, f fields) reply    { return c.send(http.MethodGet, path, f) }
func (c *client) post(path string, f fields) reply   { return c.send(http.MethodPost, path, f) }
func (c *client) delete(path string, f fields) reply { return c.send(http.MethodDelete, path, f) }

func (c *client) send(method, path string, own fields) reply {
	f := fields{"api_key": c.key, "timestamp": fmt.Sprint(c.now().Unix())}
	maps.Copy(f, own)
	mac := hmac.New(sha256.New, []byte(c.secret))
	mac.Write([]byte(c.serialize(f)))
	f["signature"] = hex.EncodeToString(mac.Sum(nil))
	return c.raw(method, path, f)
}

func (c *client) raw(method, path string, f fields) reply {
	target, body, kind := c.base+path, "", ""
	switch {
	case method == http.MethodGet || c.in == photos.Query:
		target += "?" + form(f)
	case c.in == photos.FormBody:
		body, kind = form(f), "application/x-www-form-urlencoded"
	default:
		body, kind = compact(integers(f)), "application/json; charset=utf-8"
	}
	request, err := http.NewRequestWithContext(c.ctx, method, target, strings.NewReader(body))
	if err != nil {
		return reply{err: err}
	}
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	return c.do(request)
}

func (c *client) do(request *http.Request) reply {
	response, err := c.http.Do(request)
	if err != nil {
		return reply{err: err}
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	out := reply{err: err, status: response.StatusCode, header: response.Header, body: string(body)}
	if err == nil && strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		out.err = json.Unmarshal(body, &out)
	}
	return out
}

// integers are the parameters as JSON should have them.
func integers(f fields) fields {
	sent := maps.Clone(f)
	sent["timestamp"] = json.Number(fmt.Sprint(f["timestamp"]))
	return sent
}

// form writes arrays and maps as JSON.
func form(f fields) string {
	values := url.Values{}
	for name, value := range f {
		text, ok := value.(string)
		if !ok {
			text = compact(value)
		}
		values.Set(name, text)
	}
	return values.Encode()
}

// compact is JSON with nothing escaped for HTML and sorted keys.
func compact(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

func phpJSON(f map[string]any) string {
	return ascii(strings.ReplaceAll(compact(f), "/", `\/`))
}

func ascii(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 128 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// wireOrder is an order as this client reads it.
type wireOrder struct {
	ID          string `json:"order_id"`
	ProjectName string `json:"project_name"`
	Status      string
	Revision    int
	OrderedAt   string      `json:"ordered_at"`
	Images      []wireImage `json:"edited_images"`
}

type wireImage struct {
	ID, Name, Size, Thumb, Origin string
	Width, Height, Revision       int
}

func (r reply) order(t *testing.T) wireOrder {
	t.Helper()
	require.NoError(t, r.err)
	require.Empty(t, r.Errors, r.body)
	one := wireOrder{}
	if strings.HasPrefix(string(r.Data), "[") {
		many := []wireOrder{}
		require.NoError(t, json.Unmarshal(r.Data, &many))
		require.Len(t, many, 1)
		return many[0]
	}
	require.NoError(t, json.Unmarshal(r.Data, &one))
	return one
}

// refused asserts the messages of a refusal, in order.
func (r reply) refused(t *testing.T, messages ...string) {
	t.Helper()
	require.NoError(t, r.err)
	require.Equal(t, messages, r.Errors, r.body)
	require.Empty(t, r.Data)
}

// newOrder orders one basic image per address.
func newOrder(urls ...string) fields {
	images := [][]string{}
	for _, u := range urls {
		images = append(images, []string{u, "basic", ""})
	}
	return fields{"instructions": []string{"Brighten the sky"}, "images": images}
}

// reviewed makes an order that waits for review.
func (c *client) reviewed(urls ...string) wireOrder {
	c.t.Helper()
	id := c.post("/orders/create", newOrder(urls...)).order(c.t).ID
	require.NoError(c.t, c.service.Deliver(id))
	return c.get("/orders/"+id, nil).order(c.t)
}
