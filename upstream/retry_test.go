package upstream_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/order"
	"darkroom/upstream"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pipes is a network inside a synctest bubble: a real server and real connections, and no time passes except
// for waits.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "unix"} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	p.conns <- theirs
	return ours, nil
}

// inBubble runs a test with a client whose service answers with the handler. times are the times of the
// requests since the first.
func inBubble(t *testing.T, answer func(n int, w http.ResponseWriter), test func(t *testing.T, c *upstream.Client, times *[]time.Duration, asks *[]string)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var (
			begun = time.Now()
			times []time.Duration
			asks  []string
		)
		p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			times = append(times, time.Since(begun))
			asks = append(asks, r.URL.Query().Get("timestamp")+" "+r.URL.Query().Get("signature"))
			answer(len(times), w)
		})}
		go func() { _ = server.Serve(p) }()
		defer func() { _ = server.Close() }()
		c, err := upstream.New(upstream.Config{URL: "http://service.test", Key: key, Secret: secret, Connections: upstream.NewConnections(&http.Transport{DialContext: p.dial}, 16, nil)})
		require.NoError(t, err)
		test(t, c, &times, &asks)
	})
}

func fetches(ctx context.Context, c *upstream.Client) error { return reads["fetch"].call(ctx, c) }

func TestReadIsRetriedWithGrowingPausesAndSignedAnew(t *testing.T) {
	inBubble(t, func(n int, w http.ResponseWriter) {
		if n < 4 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_, _ = io.WriteString(w, reads["fetch"].ok)
	}, func(t *testing.T, c *upstream.Client, times *[]time.Duration, asks *[]string) {
		t.Helper()
		require.NoError(t, fetches(t.Context(), c))
		at := *times
		require.Len(t, at, 4)
		for i, base := range []time.Duration{300 * time.Millisecond, 600 * time.Millisecond, 1200 * time.Millisecond} {
			pause := at[i+1] - at[i]
			assert.GreaterOrEqual(t, pause, base/2)
			assert.LessOrEqual(t, pause, base*3/2)
		}
		assert.NotEqual(t, (*asks)[0], (*asks)[3])
	})
}

func TestReadGivesUpAfterItsRetries(t *testing.T) {
	inBubble(t, func(_ int, w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		func(t *testing.T, c *upstream.Client, times *[]time.Duration, _ *[]string) {
			t.Helper()
			requireOutcome(t, fetches(t.Context(), c), order.ErrUnavailable)
			assert.Len(t, *times, 4)
		})
}

func TestRetryAfterIsObeyed(t *testing.T) {
	tests := map[string]func() string{
		"seconds": func() string { return "7" },
		"date":    func() string { return time.Now().Add(7 * time.Second).UTC().Format(http.TimeFormat) },
	}
	for name, value := range tests {
		for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			t.Run(name, func(t *testing.T) {
				inBubble(t, func(n int, w http.ResponseWriter) {
					if n == 1 {
						w.Header().Set("Retry-After", value())
						w.WriteHeader(status)
						return
					}
					_, _ = io.WriteString(w, reads["fetch"].ok)
				}, func(t *testing.T, c *upstream.Client, times *[]time.Duration, _ *[]string) {
					t.Helper()
					require.NoError(t, fetches(t.Context(), c))
					require.Len(t, *times, 2)
					assert.Equal(t, 7*time.Second, (*times)[1])
				})
			})
		}
	}
}

func TestLongRetryAfterIsLeftToTheCaller(t *testing.T) {
	for value, want := range map[string]time.Duration{"16": 16 * time.Second, "999999": time.Hour, "99999999999999999999": 0, "-5": 0, "soon": 0} {
		inBubble(t, func(_ int, w http.ResponseWriter) {
			w.Header().Set("Retry-After", value)
			w.WriteHeader(http.StatusTooManyRequests)
		}, func(t *testing.T, c *upstream.Client, times *[]time.Duration, _ *[]string) {
			t.Helper()
			err := fetches(t.Context(), c)
			var e *order.Error
			require.ErrorAs(t, err, &e)
			require.ErrorIs(t, err, order.ErrRateLimited)
			assert.Equal(t, want, e.RetryAfter, value)
			if want > 0 {
				assert.Len(t, *times, 1)
			}
		})
	}
}

func TestRetriesStayWithinTheCallersTime(t *testing.T) {
	busy := func(_ int, w http.ResponseWriter) {
		w.Header().Set("Retry-After", "5")
		w.WriteHeader(http.StatusServiceUnavailable)
	}
	inBubble(t, busy, func(t *testing.T, c *upstream.Client, _ *[]time.Duration, _ *[]string) {
		t.Helper()
		begun := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		requireOutcome(t, fetches(ctx, c), order.ErrUnavailable)
		assert.Zero(t, time.Since(begun), "waiting could not help")
	})
	inBubble(t, busy, func(t *testing.T, c *upstream.Client, _ *[]time.Duration, _ *[]string) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(2*time.Second, cancel)
		begun := time.Now()
		err := fetches(ctx, c)
		requireOutcome(t, err, order.ErrUnavailable)
		require.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, 2*time.Second, time.Since(begun))
	})
}

func TestReadIsNotRetriedWhenThatWouldNotHelp(t *testing.T) {
	for _, e := range []ending{endings["refusal"], endings["forbidden by a proxy"], endings["a redirect"]} {
		s := reply(t, e.status, e.body)
		require.Error(t, fetches(t.Context(), client(t, s, func(c *upstream.Config) { c.Retries = 3 })))
		assert.Len(t, s.seen(), 1, "%d", e.status)
	}
}

func TestWriteIsNeverRetried(t *testing.T) {
	for _, e := range endings {
		for name, op := range writes {
			s := reply(t, e.status, e.body)
			require.Error(t, op.call(t.Context(), client(t, s, func(c *upstream.Config) { c.Retries = 3 })))
			assert.Len(t, s.seen(), 1, "%s %d", name, e.status)
		}
	}
}

// counting is a limiter that counts its calls, and closes after a number of them.
type counting struct{ calls, limit int }

var errLimit = errors.New("limit reached")

func (c *counting) Wait(context.Context) error {
	c.calls++
	if c.calls > c.limit {
		return errLimit
	}
	return nil
}

func TestEveryAttemptAsksTheLimiter(t *testing.T) {
	limiter := &counting{limit: 2}
	s := reply(t, 503, "")
	c := client(t, s, func(c *upstream.Config) { c.Limiter, c.Retries = limiter, 3 })
	err := fetches(t.Context(), c)
	requireOutcome(t, err, order.ErrUnavailable)
	require.ErrorIs(t, err, errLimit)
	assert.Len(t, s.seen(), 2)
	assert.Equal(t, 3, limiter.calls)

	for name, op := range writes {
		err := op.call(t.Context(), c)
		requireOutcome(t, err, order.ErrUnavailable)
		require.ErrorIs(t, err, errLimit, name)
	}
	assert.Len(t, s.seen(), 2, "a write held back by the limiter never left")
}
