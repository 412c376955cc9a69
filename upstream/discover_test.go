package upstream_test

import (
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/sandbox/photos"
	"darkroom/upstream"
)

// serviceOf returns a photo service with one order in review, which must be unchanged at the end of the test.
func serviceOf(t *testing.T, o photos.Options) (*photos.Service, upstream.Config) {
	t.Helper()
	o.Manual, o.AllowPrivateURLs, o.Credits = true, true, decimal.RequireFromString("42.50")
	s := photos.New(o)
	require.NoError(t, s.Start())
	t.Cleanup(s.Close)
	orderForReview(t, s, o)
	before := s.Orders()
	t.Cleanup(func() { assert.Equal(t, before, s.Orders(), "the order is as it was") })
	return s, upstream.Config{URL: s.URL(), Key: "sandbox-key", Secret: "sandbox-secret"}
}

// orderForReview places an order at such a service and delivers it.
func orderForReview(t *testing.T, s *photos.Service, o photos.Options) {
	t.Helper()
	picture := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/png")
		_ = png.Encode(w, image.NewGray(image.Rect(0, 0, 4, 4)))
	}))
	defer picture.Close()
	cfg := speaking(upstream.Config{URL: s.URL(), Key: "sandbox-key", Secret: "sandbox-secret"}, wayOf(o))
	c, err := upstream.New(cfg)
	require.NoError(t, err)
	placed, err := c.Create(t.Context(), upstream.NewOrder{Instructions: []string{"Brighter."}, Images: []upstream.Image{{URL: picture.URL + "/a.png", Service: order.ServiceBasic}}})
	require.NoError(t, err)
	require.NoError(t, s.Deliver(placed.ID))
	require.Equal(t, string(order.StatusReviewing), s.Orders()[0].Status)
}

// wayOf returns the way of a service with these options.
func wayOf(o photos.Options) upstream.Way {
	w := upstream.Way{Signature: string(o.Signature), Numbers: "string", Params: string(o.Params), BasicAuth: o.BasicAuth}
	if w.Signature == "" {
		w.Signature = string(photos.PHP)
	}
	if o.ArraysAsSent {
		w.Signature += "-flat"
	}
	if w.Params == "" {
		w.Params = string(photos.Query)
	}
	switch {
	case o.NumbersAsNumbers:
		w.Numbers = "number"
	case o.NumbersAsSent:
		w.Numbers = "sent"
	}
	return w
}

// speaking returns the configuration for a way.
func speaking(cfg upstream.Config, w upstream.Way) upstream.Config {
	cfg.Signature, cfg.Numbers, cfg.Params, cfg.BasicAuth = w.Signature, w.Numbers, w.Params, w.BasicAuth
	return cfg
}

// kinds returns the options of every kind of service.
func kinds() (all []photos.Options) {
	for _, signature := range []photos.Dialect{photos.PHP, photos.Plain, photos.Python} {
		for _, params := range []photos.Placement{photos.Query, photos.QueryOnly, photos.FormBody, photos.JSONBody} {
			for _, numbers := range []photos.Options{{}, {NumbersAsNumbers: true}, {NumbersAsSent: true}} {
				for _, flat := range []bool{false, true} {
					numbers.Signature, numbers.Params, numbers.ArraysAsSent = signature, params, flat
					all = append(all, numbers)
				}
			}
		}
	}
	return all
}

// asked returns the requests of a discovery, without the first one, which placed the order.
func asked(s *photos.Service) []photos.Request { return s.Requests()[1:] }

// requireHarmless requires that every write was for an order that does not exist.
func requireHarmless(t *testing.T, s *photos.Service) {
	t.Helper()
	for _, r := range asked(s) {
		switch r.Op {
		case photos.Balance, photos.List, photos.Fetch:
		case photos.Approve:
			assert.Contains(t, r.Path, "/orders/darkroom-doctor-")
		case photos.Cancel:
			if id := r.Params["order_id"]; id != "" { // "": sent where this service does not look
				assert.True(t, strings.HasPrefix(id, "darkroom-doctor-"), id)
			}
		default:
			assert.Failf(t, "not harmless", "%s %s", r.Method, r.Path)
		}
	}
	assert.Empty(t, s.Unknown())
}

func TestDiscoveryFindsEveryWay(t *testing.T) {
	t.Parallel()
	for _, o := range kinds() {
		for _, basic := range []bool{false, true} {
			o := o
			o.BasicAuth = basic
			want := wayOf(o)
			t.Run(fmt.Sprint(want), func(t *testing.T) {
				t.Parallel()
				s, cfg := serviceOf(t, o)
				found, err := upstream.Discover(t.Context(), cfg)
				require.NoError(t, err)
				assert.True(t, want.Same(found.Found), "wants %+v, found %+v", want, found.Found)
				assert.Equal(t, upstream.ReadsWork, found.Reads)
				assert.Equal(t, upstream.WritesWork, found.Writes)
				assert.Equal(t, o.Params != photos.QueryOnly, found.Long)
				assert.Equal(t, "41.5", found.Credits.Decimal.String())
				assert.LessOrEqual(t, found.Requests, 40)
				requireHarmless(t, s)

				again, err := upstream.Discover(t.Context(), speaking(cfg, want))
				require.NoError(t, err)
				assert.Equal(t, want, again.Found, "what is configured and works stays as it is")
				assert.LessOrEqual(t, again.Requests, 7, "and is found at once")
			})
		}
	}
}

func TestDiscoveryTellsTheClockFromTheSignature(t *testing.T) {
	t.Parallel()
	var late atomic.Int64
	_, cfg := serviceOf(t, photos.Options{Signature: photos.Python, Now: func() time.Time { return time.Now().Add(-time.Duration(late.Load())) }})
	late.Store(int64(time.Hour))
	found, err := upstream.Discover(t.Context(), cfg)
	require.NoError(t, err)
	assert.InDelta(t, time.Hour, found.Clock, float64(5*time.Second))
	assert.Equal(t, "python", found.Found.Signature, "found by the service's own clock")
	assert.Equal(t, upstream.WritesWork, found.Writes)
}

func TestDiscoveryOfWrongCredentials(t *testing.T) {
	t.Parallel()
	s, cfg := serviceOf(t, photos.Options{})
	cfg.Secret = "s3cret-of-somebody"
	found, err := upstream.Discover(t.Context(), cfg)
	require.NoError(t, err)
	assert.Equal(t, upstream.ReadsRefused, found.Reads)
	assert.Equal(t, []string{"invalid signature"}, found.Words)
	for _, r := range asked(s) {
		assert.Equal(t, photos.Balance, r.Op, "nothing but the balance was asked for")
	}
}

func TestDiscoveryWithoutKeywords(t *testing.T) {
	t.Parallel()
	s, cfg := serviceOf(t, photos.Options{Signature: photos.Plain, Params: photos.JSONBody, NoKeywords: true})
	found, err := upstream.Discover(t.Context(), cfg)
	require.NoError(t, err)
	assert.Equal(t, "plain", found.Found.Signature, "the words of an approval tell the dialects apart as well")
	assert.Equal(t, "json", found.Found.Params)
	assert.Equal(t, upstream.ReadsAlike, found.Reads, "a body does not tell how a list with keywords is signed")
	requireHarmless(t, s)
}

func TestDiscoveryLeavesAnAddressAlone(t *testing.T) {
	t.Parallel()
	_, cfg := serviceOf(t, photos.Options{Params: photos.Query})
	cfg.Params = "query-only"
	found, err := upstream.Discover(t.Context(), cfg)
	require.NoError(t, err)
	assert.Equal(t, "query-only", found.Found.Params)
	assert.False(t, found.Long)
	assert.Equal(t, 6, found.Requests)
}

// A service that takes any signature and reads no DELETE is asked in every way there is.
func TestDiscoveryEndsAfterFortyRequests(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		says := `{"errors":["Invalid order id."]}`
		switch {
		case strings.HasSuffix(r.URL.Path, "/balance"):
			says = `{"errors":[],"data":{"credits":3}}`
		case strings.HasSuffix(r.URL.Path, "/orders"):
			says = `{"errors":["no keywords"]}`
		case r.Method == http.MethodDelete, strings.Contains(r.URL.RawQuery, "signature=0000"):
			says = `{"errors":["no"]}`
		}
		_, _ = io.WriteString(w, says)
	})
	found, err := upstream.Discover(t.Context(), upstream.Config{URL: s.URL + prefix, Key: key, Secret: secret})
	require.NoError(t, err)
	assert.Equal(t, upstream.WritesNoDelete, found.Writes)
	assert.True(t, found.Long)
	assert.LessOrEqual(t, len(s.seen()), 40)
}

func TestDiscoveryIsPutOffByTooMany(t *testing.T) {
	t.Parallel()
	s, cfg := serviceOf(t, photos.Options{})
	s.Misbehave(photos.List, photos.TooMany(time.Second), 1)
	found, err := upstream.Discover(t.Context(), cfg)
	require.NoError(t, err)
	assert.Equal(t, 1, found.TooMany)
	assert.Equal(t, upstream.WritesWork, found.Writes)

	s.Misbehave(photos.List, photos.TooMany(time.Minute), 1)
	found, err = upstream.Discover(t.Context(), cfg)
	require.ErrorIs(t, err, order.ErrRateLimited, "it does not wait for a minute")
	assert.True(t, found.Credits.Valid, "what was found before is told")
}

func TestDiscoveryStopsAtWhatIsNoOrderService(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		status int
		body   string
		want   error
	}{
		"a page":                {200, "<html>Welcome</html>", upstream.ErrNotOurService},
		"a page that is not":    {404, "<html>Not found</html>", upstream.ErrNotOurService},
		"another JSON":          {200, `{"hello":"world"}`, upstream.ErrNotOurService},
		"a balance without any": {200, `{"errors":[],"data":{}}`, upstream.ErrNotOurService},
		"a proxy's page":        {502, "<html>Bad gateway</html>", order.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := reply(t, row.status, row.body)
			_, err := upstream.Discover(t.Context(), upstream.Config{URL: s.URL + prefix, Key: key, Secret: secret})
			require.ErrorIs(t, err, row.want)
			assert.Len(t, s.seen(), 1, "and asks nothing more")
			assert.NotContains(t, err.Error(), secret)
		})
	}
	s, cfg := serviceOf(t, photos.Options{})
	s.Down()
	_, err := upstream.Discover(t.Context(), cfg)
	require.ErrorIs(t, err, order.ErrUnavailable)
}

// A proxy in front of a service may refuse everything, which says nothing about key and secret.
func TestDiscoveryTellsAFirewallFromTheService(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		body string
		want error
	}{
		"a firewall's page":     {"<html>Forbidden</html>", upstream.ErrInFront},
		"a gateway's own JSON":  {`{"message":"Forbidden"}`, upstream.ErrInFront},
		"the service's refusal": {`{"errors":["invalid key"]}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := reply(t, http.StatusForbidden, row.body)
			found, err := upstream.Discover(t.Context(), upstream.Config{URL: s.URL + prefix, Key: key, Secret: secret})
			if row.want == nil {
				require.NoError(t, err)
				assert.Equal(t, upstream.ReadsRefused, found.Reads)
				return
			}
			require.ErrorIs(t, err, row.want)
			assert.Equal(t, upstream.ReadsUnknown, found.Reads)
		})
	}
}

// A made-up order that is there after all, or can be approved, ends everything at once.
func TestDiscoveryNeverGoesOnWithAnOrderThatIsThere(t *testing.T) {
	t.Parallel()
	const anOrder = `{"errors":[],"data":{"order_id":"1","status":"reviewing"}}`
	for name, row := range map[string]struct {
		fetch string
		posts int
	}{
		"it can be fetched":  {anOrder, 0},
		"it can be approved": {`{"errors":["invalid order id"]}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				says := anOrder
				switch {
				case strings.HasSuffix(r.URL.Path, "/balance"):
					says = `{"errors":[],"data":{"credits":3}}`
				case strings.HasSuffix(r.URL.Path, "/orders"):
					says = `{"errors":[],"data":[]}`
				case r.Method == http.MethodGet:
					says = row.fetch
				}
				_, _ = io.WriteString(w, says)
			})
			found, err := upstream.Discover(t.Context(), upstream.Config{URL: s.URL + prefix, Key: key, Secret: secret})
			require.ErrorIs(t, err, upstream.ErrMadeUpOrder)
			assert.Equal(t, upstream.ReadsWork, found.Reads)
			posts := 0
			for _, ask := range s.seen() {
				if ask.method != http.MethodGet {
					posts++
				}
			}
			assert.Equal(t, row.posts, posts)
		})
	}
}

// A service that looks up the order before it checks the signature reveals nothing about either.
func TestDiscoveryDoesNotTrustAnAnswerWithoutASignature(t *testing.T) {
	t.Parallel()
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		says := `{"errors":["Invalid order id."]}`
		switch {
		case strings.HasSuffix(r.URL.Path, "/balance"):
			says = `{"errors":[],"data":{"credits":3}}`
		case strings.HasSuffix(r.URL.Path, "/orders"):
			says = `{"errors":[],"data":[]}`
		}
		_, _ = io.WriteString(w, says)
	})
	found, err := upstream.Discover(t.Context(), upstream.Config{URL: s.URL + prefix, Key: key, Secret: secret})
	require.NoError(t, err)
	assert.Equal(t, upstream.WritesUntold, found.Writes)
}

// Ambiguous words do not say that the order does not exist, so no write is sent.
func TestDiscoverySendsNoWriteUnlessTheOrderIsSaidToBeMissing(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		status int
		says   string
		want   error
	}{
		"an inner failure, as a refusal": {200, `{"errors":["internal error, please try again"]}`, nil},
		"two reasons":                    {200, `{"errors":["Invalid order id.","internal error"]}`, nil},
		"an inner failure":               {500, `{"errors":["internal error, please try again"]}`, order.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				switch {
				case strings.HasSuffix(r.URL.Path, "/balance"):
					_, _ = io.WriteString(w, `{"errors":[],"data":{"credits":3}}`)
				case strings.HasSuffix(r.URL.Path, "/orders"):
					_, _ = io.WriteString(w, `{"errors":[],"data":[]}`)
				default:
					w.WriteHeader(row.status)
					_, _ = io.WriteString(w, row.says)
				}
			})
			found, err := upstream.Discover(t.Context(), upstream.Config{URL: s.URL + prefix, Key: key, Secret: secret})
			if row.want != nil {
				require.ErrorIs(t, err, row.want)
			} else {
				require.NoError(t, err)
				assert.Equal(t, upstream.WritesUnasked, found.Writes)
				assert.Contains(t, strings.Join(found.Words, " "), "internal error")
			}
			for _, ask := range s.seen() {
				assert.Equal(t, http.MethodGet, ask.method, ask.path)
			}
		})
	}
}

// Discovery learns the service's words for a missing order from an answer whose status says so.
func TestDiscoveryUnderstandsWordsThatNobodyKnows(t *testing.T) {
	t.Parallel()
	var s *service
	s = serve(t, func(w http.ResponseWriter, r *http.Request) {
		signed := r.URL.Query().Get("signature")
		if r.Method == http.MethodPost || r.Method == http.MethodDelete {
			var body map[string]any
			all := s.seen()
			_ = json.Unmarshal([]byte(all[len(all)-1].body), &body)
			signed, _ = body["signature"].(string)
		}
		says := `{"errors":["Auftrag unbekannt"]}`
		switch {
		case strings.Trim(signed, "0") == "":
			says = `{"errors":["Unterschrift falsch"]}`
		case strings.HasSuffix(r.URL.Path, "/balance"):
			says = `{"errors":[],"data":{"credits":3}}`
		case strings.HasSuffix(r.URL.Path, "/orders"):
			says = `{"errors":[],"data":[]}`
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, says)
	})
	found, err := upstream.Discover(t.Context(), upstream.Config{URL: s.URL + prefix, Key: key, Secret: secret})
	require.NoError(t, err)
	assert.Equal(t, upstream.WritesWork, found.Writes)
	assert.Equal(t, "json", found.Found.Params)
}
