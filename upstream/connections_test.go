package upstream_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/upstream"
)

// Many workspaces may use accounts at one service: the request of one leaves an open connection for the next.
func TestClientsShareConnectionsForReads(t *testing.T) {
	t.Parallel()
	var opened, wrapped atomic.Int64
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"errors":[],"data":{"credits":3,"order_id":"o1","status":"canceled"}}`))
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	t.Cleanup(s.Close)
	shared := upstream.NewConnections(http.DefaultTransport.(*http.Transport), 4, func(next http.RoundTripper) http.RoundTripper {
		return carrying{next, &wrapped}
	})
	t.Cleanup(shared.CloseIdle)
	var clients []*upstream.Client
	for _, key := range []string{"key-one", "key-two", "key-three"} {
		c, err := upstream.New(upstream.Config{URL: s.URL, Key: key, Secret: secret, Connections: shared})
		require.NoError(t, err)
		_, err = c.Balance(t.Context())
		require.NoError(t, err)
		clients = append(clients, c)
	}
	require.EqualValues(t, 1, opened.Load())
	for range 2 {
		_, err := clients[0].Cancel(t.Context(), "o1", []string{"no more"})
		require.NoError(t, err)
	}
	require.EqualValues(t, 3, opened.Load(), "a write has a connection of its own")
	require.EqualValues(t, 5, wrapped.Load())
}

// carrying counts its requests.
type carrying struct {
	next http.RoundTripper
	n    *atomic.Int64
}

func (c carrying) RoundTrip(r *http.Request) (*http.Response, error) {
	c.n.Add(1)
	return c.next.RoundTrip(r)
}
