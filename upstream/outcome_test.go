package upstream_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"darkroom/order"
	"darkroom/upstream"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// outcomes are all that a request can end in.
var outcomes = map[string]error{
	"refused": order.ErrRefused, "unknown": order.ErrUnknown, "unavailable": order.ErrUnavailable,
	"rate limited": order.ErrRateLimited, "no such path": order.ErrNoSuchPath,
}

// requireOutcome requires these outcomes of the error and no others.
func requireOutcome(t *testing.T, err error, want ...error) {
	t.Helper()
	require.Error(t, err)
	for name, outcome := range outcomes {
		expected := false
		for _, w := range want {
			expected = expected || errors.Is(w, outcome)
		}
		require.Equal(t, expected, errors.Is(err, outcome), "%s: %v", name, err)
	}
}

// ending is an answer and its outcome for a write and for a read.
type ending struct {
	status      int
	body        string
	write, read error // nil: like write
}

var endings = map[string]ending{
	"refusal":                        {200, `{"errors":["Invalid order status"],"data":[]}`, order.ErrRefused, nil},
	"refusal without data":           {200, `{"errors":["Invalid order id"]}`, order.ErrRefused, nil},
	"refusal as one text":            {422, `{"errors":"insufficient balance: 2 credits","data":null}`, order.ErrRefused, nil},
	"refusal that is not recognised": {400, `{"errors":["the moon is full"],"data":{}}`, order.ErrRefused, nil},
	"wrong signature":                {401, `{"errors":["invalid signature"]}`, order.ErrRefused, nil},
	"nobody's refusal with 500":      {500, `{"errors":["The order could not be placed due to an unknown error."]}`, order.ErrUnknown, order.ErrUnavailable},
	"the time was over":              {408, `{"errors":["request timeout"]}`, order.ErrUnknown, order.ErrUnavailable},
	"unknown error with 500":         {500, `{"errors":["boom"]}`, order.ErrUnknown, order.ErrUnavailable},
	"one known of two with 500":      {500, `{"errors":["Invalid order status","boom"]}`, order.ErrUnknown, order.ErrUnavailable},
	"database error with 500":        {500, `{"errors":["Duplicate entry 'A1' for key 'PRIMARY'"]}`, order.ErrUnknown, order.ErrUnavailable},
	"inner timeout with 500":         {500, `{"errors":["context deadline exceeded"]}`, order.ErrUnknown, order.ErrUnavailable},
	"errors and an order":            {200, `{"errors":["Invalid order status"],"data":{"order_id":"A1","status":"closed"}}`, order.ErrUnknown, order.ErrUnavailable},
	"errors and an order in a list":  {400, `{"errors":["x"],"data":[{"order_id":"A1"}]}`, order.ErrUnknown, order.ErrUnavailable},
	"errors and a nameless order":    {200, `{"errors":["x"],"data":{"status":"closed"}}`, order.ErrUnknown, order.ErrUnavailable},
	"an error without words":         {200, `{"errors":[""],"data":[]}`, order.ErrUnknown, order.ErrUnavailable},
	"html":                           {200, `<html>ok</html>`, order.ErrUnknown, order.ErrUnavailable},
	"bad gateway":                    {502, `<html>502</html>`, order.ErrUnknown, order.ErrUnavailable},
	"forbidden by a proxy":           {403, `<html>no</html>`, order.ErrUnknown, order.ErrUnavailable},
	"empty":                          {200, ``, order.ErrUnknown, order.ErrUnavailable},
	"truncated":                      {200, `{"errors":[],"data":{"order_id":"A1"`, order.ErrUnknown, order.ErrUnavailable},
	"another shape":                  {200, `{"status":"ok"}`, order.ErrUnknown, order.ErrUnavailable},
	"an array":                       {200, `[{"order_id":"A1"}]`, order.ErrUnknown, order.ErrUnavailable},
	"nothing in its form":            {200, `{"errors":[]}`, order.ErrUnknown, order.ErrUnavailable},
	"no order":                       {200, `{"errors":[],"data":"A1"}`, order.ErrUnknown, order.ErrUnavailable},
	"success with 500":               {500, `{"errors":[],"data":{"order_id":"A1","status":"closed"}}`, order.ErrUnknown, order.ErrUnavailable},
	"too many":                       {429, `slow down`, order.ErrRateLimited, nil},
	"too many, in its form":          {429, `{"errors":["rate limit"]}`, order.ErrRateLimited, nil},
	"a redirect":                     {302, ``, order.ErrUnknown, order.ErrUnavailable},
}

func (e ending) want(read bool) []error {
	want := e.write
	if read && e.read != nil {
		want = e.read
	}
	if errors.Is(want, order.ErrRateLimited) {
		return []error{order.ErrRateLimited, order.ErrUnavailable}
	}
	return []error{want}
}

func TestEveryOperationKnowsWhatBecameOfIt(t *testing.T) {
	for name, e := range endings {
		t.Run(name, func(t *testing.T) {
			s := reply(t, e.status, e.body)
			c := client(t, s)
			for opName, op := range writes {
				err := op.call(t.Context(), c)
				requireOutcome(t, err, e.want(false)...)
				requireNamed(t, err, opName, e.status)
			}
			for opName, op := range reads {
				err := op.call(t.Context(), c)
				requireOutcome(t, err, e.want(true)...)
				requireNamed(t, err, opName, e.status)
			}
			assert.Len(t, s.seen(), len(writes)+len(reads))
		})
	}
}

func requireNamed(t *testing.T, err error, op string, status int) {
	t.Helper()
	var e *order.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, op, e.Op)
	require.Equal(t, status, e.Status)
	require.True(t, strings.HasPrefix(err.Error(), op+": "), err)
}

func TestRefusalKeepsEveryMessageAndItsKind(t *testing.T) {
	said := []string{"insufficient balance: 2 credits", "one file is not accessible from our server: http://a/b.jpg", "the moon is full"}
	s := reply(t, 200, `{"errors":["`+strings.Join(said, `","`)+`"],"data":[]}`)
	err := writes["create"].call(t.Context(), client(t, s))

	var e *order.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, said, e.Messages)
	require.ErrorIs(t, err, order.ErrInsufficientBalance)
	require.ErrorIs(t, err, order.ErrInaccessibleFile)
	assert.NotErrorIs(t, err, order.ErrInvalidOrder)
	assert.Equal(t, "create: "+strings.Join(said, "; "), err.Error())
}

func TestUnknownOutcomeNamesNoReason(t *testing.T) {
	s := reply(t, 200, endings["errors and an order"].body)
	err := writes["approve"].call(t.Context(), client(t, s))
	assert.NotErrorIs(t, err, order.ErrInvalidStatus)
	var e *order.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, []string{"Invalid order status"}, e.Messages)
}

func TestSuccessMustSayWhatWasAskedFor(t *testing.T) {
	for _, name := range []string{"cancel", "revise", "approve"} {
		for _, status := range []string{"reviewing", "", "editing"} {
			s := reply(t, 200, `{"errors":[],"data":{"order_id":"A1","status":"`+status+`"}}`)
			requireOutcome(t, writes[name].call(t.Context(), client(t, s)), order.ErrUnknown)
		}
	}
	for _, name := range []string{"cancel", "revise", "approve", "message", "reference"} {
		s := reply(t, 200, strings.Replace(writes[name].ok, "A1", "A2", 1))
		requireOutcome(t, writes[name].call(t.Context(), client(t, s)), order.ErrUnknown)
	}
	s := reply(t, 200, `{"errors":[],"data":{"order_id":"A2"}}`)
	requireOutcome(t, reads["fetch"].call(t.Context(), client(t, s)), order.ErrUnavailable)
}

func TestSuccessDoesNotNeedTheErrorsSpelledOut(t *testing.T) {
	for name, op := range writes {
		for _, empty := range []string{`"errors":null,`, `"errors":"",`, ``} {
			s := reply(t, 200, strings.Replace(op.ok, `"errors":[],`, empty, 1))
			assert.NoError(t, op.call(t.Context(), client(t, s)), name+empty)
		}
	}
}

func TestOnlyReferencesMayBeMissingAtAService(t *testing.T) {
	for _, body := range []string{`<html>404</html>`, `{"message":"Not Found"}`} {
		for name, op := range writes {
			want := order.ErrUnknown
			if name == "reference" {
				want = order.ErrNoSuchPath
			}
			requireOutcome(t, op.call(t.Context(), client(t, reply(t, 404, body))), want)
		}
	}
	s := reply(t, 404, `{"errors":["Invalid order id"]}`)
	requireOutcome(t, writes["reference"].call(t.Context(), client(t, s)), order.ErrRefused)
}

// hangUp closes the connection after reading the request.
func hangUp(w http.ResponseWriter, _ *http.Request) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

func TestLostConnectionIsUnknownForAWrite(t *testing.T) {
	for name, lose := range map[string]http.HandlerFunc{
		"hang up": hangUp,
		"cut in the body": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"errors":[],"data":{"order_id":"A1"}}`)
		},
		"too long": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"errors":[],"data":{"order_id":"A1"}}`+strings.Repeat(" ", 8<<20))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, lose)
			requireOutcome(t, writes["create"].call(t.Context(), client(t, s)), order.ErrUnknown)
			requireOutcome(t, reads["fetch"].call(t.Context(), client(t, s)), order.ErrUnavailable)
			assert.Len(t, s.seen(), 2)
		})
	}
}

func TestTimeoutAfterSendingIsUnknownForAWrite(t *testing.T) {
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	c := client(t, s, func(c *upstream.Config) { c.Timeout = 50 * time.Millisecond })
	err := writes["create"].call(t.Context(), c)
	requireOutcome(t, err, order.ErrUnknown)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	requireOutcome(t, reads["balance"].call(t.Context(), c), order.ErrUnavailable)
	assert.Equal(t, 50*time.Millisecond, c.Timeout())
}

func TestWriteThatNeverLeftIsNotUnknown(t *testing.T) {
	gone := reply(t, 200, "")
	gone.Close()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	tls := func(c *upstream.Config) { c.URL = strings.Replace(c.URL, "http:", "https:", 1) }
	wrapped := func(c *upstream.Config) { c.Wrap = foreign }
	blackHole := func(c *upstream.Config) {
		c.Timeout = 20 * time.Millisecond
		c.Connections = upstream.NewConnections(&http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}, 1, nil)
	}
	alive := reply(t, 200, writes["create"].ok)
	for name, op := range writes {
		t.Run(name, func(t *testing.T) {
			requireOutcome(t, op.call(t.Context(), client(t, gone)), order.ErrUnavailable)
			requireOutcome(t, op.call(t.Context(), client(t, gone, wrapped)), order.ErrUnavailable)
			requireOutcome(t, op.call(t.Context(), client(t, alive, tls)), order.ErrUnavailable)
			requireOutcome(t, op.call(t.Context(), client(t, alive, blackHole)), order.ErrUnavailable)
			err := op.call(canceled, client(t, alive))
			requireOutcome(t, err, order.ErrUnavailable)
			require.ErrorIs(t, err, context.Canceled)
		})
	}
	assert.Empty(t, alive.seen())
}

// foreign hides what kind of transport carries the requests.
func foreign(next http.RoundTripper) http.RoundTripper { return struct{ http.RoundTripper }{next} }

// A transport that loses the answer does not say how far it came.
func TestATransportThatLosesTheAnswerIsUnknownForAWrite(t *testing.T) {
	broken := func(c *upstream.Config) {
		c.Wrap = func(next http.RoundTripper) http.RoundTripper { return losing{next, io.ErrUnexpectedEOF} }
	}
	s := reply(t, 200, "")
	requireOutcome(t, writes["create"].call(t.Context(), client(t, s, broken)), order.ErrUnknown)
	assert.Len(t, s.seen(), 1)
}

// losing passes on every request and then fails.
type losing struct {
	next http.RoundTripper
	err  error
}

func (l losing) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.next.RoundTrip(r)
	if err == nil {
		_ = resp.Body.Close()
	}
	return nil, l.err
}

// A faulty service, or an impostor, cannot fill the app's memory.
func TestAnAnswerWithoutEndIsNotReadToItsEnd(t *testing.T) {
	var sent atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		piece := []byte(strings.Repeat(" ", 64<<10))
		for r.Context().Err() == nil {
			n, err := w.Write(piece)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	})
	c := client(t, s)
	_, err := c.Fetch(t.Context(), "o1")
	require.ErrorIs(t, err, order.ErrUnavailable)
	require.ErrorIs(t, anOrder(c.Approve(t.Context(), "o1", nil)), order.ErrUnknown, "it may have done it")
	t.Logf("%d MB were on the way", sent.Load()>>20)
	assert.Less(t, sent.Load(), int64(100<<20), "of a reading that was tried again, and a write")
}
