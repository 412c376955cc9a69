package upstream_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/upstream"
)

// closed is a limiter that lets no request through.
type closed struct{}

func (closed) Wait(context.Context) error {
	<-time.After(time.Millisecond)
	return context.DeadlineExceeded
}

func create(ctx context.Context, c *upstream.Client) error {
	_, err := c.Create(ctx, upstream.NewOrder{Instructions: []string{"x"}, Images: images})
	return err
}

func balance(ctx context.Context, c *upstream.Client) error {
	_, err := c.Balance(ctx)
	return err
}

func TestWhoeverWatchesHearsHowEachRequestEnded(t *testing.T) {
	tests := map[string]struct {
		call   func(context.Context, *upstream.Client) error
		status int
		body   string
		want   string
	}{
		"an answer":                {balance, 200, `{"data":{"credits":7}}`, "balance ok"},
		"an answer without sense":  {balance, 200, `{"data":{}}`, "balance unavailable"},
		"a refusal":                {create, 200, `{"errors":["insufficient balance: 2 credits"]}`, "create refused"},
		"html after a write":       {create, 502, `<html>`, "create unknown"},
		"a write without an order": {create, 200, `{"data":{}}`, "create unknown"},
		"html after a read":        {balance, 502, `<html>`, "balance unavailable"},
		"too often":                {balance, 429, ``, "balance rate_limited"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var told []string
			watch := func(c *upstream.Config) {
				c.Observe = func(call upstream.Call) {
					told = append(told, call.Op+" "+call.Outcome)
					require.Positive(t, call.Took)
					require.False(t, call.Again)
				}
			}
			err := test.call(t.Context(), client(t, reply(t, test.status, test.body), watch))
			require.Equal(t, test.want == "balance ok", err == nil, "%v", err)
			require.Equal(t, []string{test.want}, told)
		})
	}
}

func TestARequestThatWasNotSentIsSeenAsSuch(t *testing.T) {
	var told []upstream.Call
	c := client(t, reply(t, 200, ""), func(c *upstream.Config) {
		c.Limiter, c.Observe = closed{}, func(call upstream.Call) { told = append(told, call) }
	})
	require.Error(t, create(t.Context(), c))
	require.Len(t, told, 1)
	require.Equal(t, upstream.OutcomeNotSent, told[0].Outcome)
	require.Zero(t, told[0].Took)
	require.Positive(t, told[0].Waited)
}

func TestAReadThatIsSentOnceMoreIsSeenAsSuch(t *testing.T) {
	n := 0
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if n++; n == 1 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_, _ = io.WriteString(w, `{"data":{"credits":7}}`)
	})
	var told []upstream.Call
	c := client(t, s, func(c *upstream.Config) {
		c.Retries, c.Observe = 1, func(call upstream.Call) { told = append(told, call) }
	})
	require.NoError(t, balance(t.Context(), c))
	require.Len(t, told, 2)
	require.Equal(t, []bool{false, true}, []bool{told[0].Again, told[1].Again})
	require.Equal(t, []string{upstream.OutcomeUnavailable, upstream.OutcomeOK}, []string{told[0].Outcome, told[1].Outcome})
}
