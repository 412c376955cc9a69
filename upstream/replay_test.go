package upstream_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"darkroom/order"
	"darkroom/upstream"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keepAliveThenHangUp answers reads, and hangs up on every write after reading
// it: to the client a connection that the server closed while it was idle.
func keepAliveThenHangUp(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		_, _ = io.WriteString(w, reads["fetch"].ok)
		return
	}
	hangUp(w, r)
}

// Whatever the connection does, the service sees a write once.
func TestWriteIsSeenOnceWhenTheConnectionDies(t *testing.T) {
	for name, wrap := range map[string]func(http.RoundTripper) http.RoundTripper{
		"our transport": nil, "wrapped transport": foreign,
	} {
		for _, params := range []string{"query", "form", "json"} {
			for opName, op := range writes {
				t.Run(name+" "+params+" "+opName, func(t *testing.T) {
					s := serve(t, keepAliveThenHangUp)
					c := client(t, s, func(c *upstream.Config) { c.Params, c.Wrap, c.Retries = params, wrap, 3 })
					require.NoError(t, reads["fetch"].call(t.Context(), c)) // leaves an idle connection
					requireOutcome(t, op.call(t.Context(), c), order.ErrUnknown)
					assert.Len(t, s.seen(), 2)
				})
			}
		}
	}
}

func TestWriteTravelsOnAConnectionOfItsOwn(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, reads["fetch"].ok)
			return
		}
		_, _ = io.WriteString(w, writes["approve"].ok)
	})
	c := client(t, s)
	for _, op := range []operation{reads["fetch"], writes["approve"], writes["approve"], reads["fetch"]} {
		require.NoError(t, op.call(t.Context(), c))
	}
	asks := s.seen()
	assert.NotEqual(t, asks[0].remote, asks[1].remote)
	assert.NotEqual(t, asks[1].remote, asks[2].remote)
	assert.Equal(t, asks[0].remote, asks[3].remote, "reads keep their connection")
}

// HTTP/2 has replays of its own, so that a write does not use it.
func TestWriteSpeaksHTTP1OverTLS(t *testing.T) {
	spoken := map[string]int{}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		spoken[r.Method] = r.ProtoMajor
		_, _ = io.WriteString(w, writes["approve"].ok)
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	shared := upstream.NewConnections(s.Client().Transport.(*http.Transport), 1, nil)
	c, err := upstream.New(upstream.Config{URL: s.URL, Key: key, Secret: secret, Connections: shared, Retries: -1})
	require.NoError(t, err)
	require.NoError(t, reads["fetch"].call(t.Context(), c))
	require.NoError(t, writes["approve"].call(t.Context(), c))
	assert.Equal(t, map[string]int{http.MethodGet: 2, http.MethodPost: 1}, spoken)
}

func TestWriteFollowsNoRedirect(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		for name, op := range writes {
			s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", prefix+"/elsewhere")
				w.WriteHeader(status)
			})
			requireOutcome(t, op.call(t.Context(), client(t, s)), order.ErrUnknown)
			assert.Len(t, s.seen(), 1, "%s %d", name, status)
		}
	}
}

func TestReadFollowsARedirectOnlyWithinTheService(t *testing.T) {
	other := reply(t, 200, reads["fetch"].ok)
	var target string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/moved" {
			_, _ = io.WriteString(w, reads["fetch"].ok)
			return
		}
		w.Header().Set("Location", target)
		w.WriteHeader(http.StatusFound)
	})

	target = prefix + "/moved"
	require.NoError(t, reads["fetch"].call(t.Context(), client(t, s)))
	require.Len(t, s.seen(), 2)
	assert.Empty(t, s.seen()[1].header.Get("Referer"), "it would repeat the signature")

	target = other.URL + prefix + "/moved"
	requireOutcome(t, reads["fetch"].call(t.Context(), client(t, s)), order.ErrUnavailable)
	assert.Empty(t, other.seen())

	target = prefix + "/again"
	requireOutcome(t, reads["fetch"].call(t.Context(), client(t, s)), order.ErrUnavailable)
	assert.Len(t, s.seen(), 3+4)
}
