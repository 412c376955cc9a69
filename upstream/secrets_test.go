package upstream_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"darkroom/order"
	"darkroom/upstream"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func requireNoSecret(t *testing.T, text string) {
	t.Helper()
	for _, bad := range []string{key, secret, url.QueryEscape(secret), "signature=", "timestamp=", "api_key="} {
		require.NotContains(t, text, bad)
	}
}

func TestNoErrorHoldsASecret(t *testing.T) {
	gone := reply(t, 200, "")
	gone.Close()
	for name, e := range endings {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // reads are tried again, and wait
			s := reply(t, e.status, e.body)
			for _, op := range writes {
				requireNoSecret(t, fmt.Sprintf("%v %+v", op.call(t.Context(), client(t, s)), op.call(t.Context(), client(t, gone))))
			}
			for _, op := range reads {
				requireNoSecret(t, fmt.Sprintf("%v %+v", op.call(t.Context(), client(t, s)), op.call(t.Context(), client(t, gone))))
			}
		})
	}
}

func TestServiceThatQuotesTheRequestIsNotRepeated(t *testing.T) {
	var signature string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		signature = r.URL.Query().Get("signature")
		user, pass, _ := r.BasicAuth()
		said, _ := json.Marshal(fmt.Sprintf("bad signature %s of %s by %s:%s, %s", signature, r.URL.Query().Get("api_key"), user, pass, r.Header.Get("Authorization")))
		_, _ = fmt.Fprintf(w, `{"errors":[%s]}`, said)
	})
	err := writes["approve"].call(t.Context(), client(t, s, func(c *upstream.Config) { c.BasicAuth = true }))
	var e *order.Error
	require.ErrorAs(t, err, &e)
	assert.Equal(t, []string{"bad signature *** of *** by ***:***, Basic ***"}, e.Messages)
	assert.NotContains(t, err.Error(), signature)
}

func TestCauseOfAFailureIsCleanedToo(t *testing.T) {
	s := reply(t, 200, "")
	leak := func(c *upstream.Config) {
		leaks := errors.New("GET https://x?api_key=" + key + ": " + secret)
		c.Wrap = func(next http.RoundTripper) http.RoundTripper { return losing{next, leaks} }
	}
	err := reads["fetch"].call(t.Context(), client(t, s, leak))
	assert.NotContains(t, err.Error(), key)
	assert.NotContains(t, err.Error(), secret)
	var wrapped *url.Error
	assert.False(t, errors.As(err, &wrapped), "a url.Error holds the address")
}

func TestClientAndConfigPrintWithoutSecrets(t *testing.T) {
	config := upstream.Config{URL: "https://a.test/v2", Key: key, Secret: secret}
	c, err := upstream.New(config)
	require.NoError(t, err)
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Info("made", "config", config, "client", c)
	slog.New(slog.NewTextHandler(&log, nil)).Info("made", "config", config, "client", c)
	kept, err := json.Marshal(config.URL)
	require.NoError(t, err)
	requireNoSecret(t, log.String()+string(kept)+fmt.Sprintf("%v %+v %#v %s %v %+v %#v", config, config, config, config, c, c, c))
	assert.Contains(t, log.String(), "https://a.test/v2")
	assert.NotContains(t, upstream.Config{URL: "https://u:pa55@a.test"}.String(), "pa55")
}

func TestWrongClockIsReported(t *testing.T) {
	for _, test := range []struct {
		theirs time.Duration // ahead of ours
		words  string
	}{{-time.Hour, "ahead of the service's"}, {time.Hour, "behind the service's"}, {0, ""}} {
		s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", time.Now().Add(test.theirs).UTC().Format(http.TimeFormat))
			_, _ = io.WriteString(w, `{"errors":["invalid signature"]}`)
		})
		err := writes["approve"].call(t.Context(), client(t, s))
		var e *order.Error
		require.ErrorAs(t, err, &e)
		if test.theirs == 0 {
			assert.Zero(t, e.ClockSkew)
			assert.NotContains(t, err.Error(), "clock")
			continue
		}
		assert.InDelta(t, -test.theirs.Seconds(), e.ClockSkew.Seconds(), 5)
		assert.Contains(t, err.Error(), test.words)
	}
}
