package bot_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"darkroom/bot"

	"github.com/stretchr/testify/assert"
)

func unsigned(ctx context.Context, path, contentType, body string) *http.Request {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, path, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

func TestTheCheckOfOurCertificateIsAnsweredUnsignedAndDoesNothing(t *testing.T) {
	tests := map[string]struct {
		contentType, body string
		want              int
	}{
		"as Slack sends it":        {form, "ssl_check=1&token=xyzz0WbapA4vBCDEFasx0q6G", 200},
		"with a charset":           {form + "; charset=utf-8", "token=x&ssl_check=1", 200},
		"without a content type":   {"", "ssl_check=1&token=x", 200},
		"with a command inside":    {form, "ssl_check=1&" + commandBody, 200},
		"with a click inside":      {form, "ssl_check=1&" + interactive(clickBody), 200},
		"a check that is none":     {form, "ssl_check=0&" + commandBody, 401},
		"in a command's text":      {form, "text=ssl_check=1&" + commandBody, 401},
		"in another field's name":  {form, "no_ssl_check=1&" + commandBody, 401},
		"in a broken form":         {form, "ssl_check=1&a=%zz", 401},
		"in json":                  {"application/json", `{"ssl_check=1":"ssl_check=1"}`, 401},
		"an address to be proved":  {"application/json", `{"type":"url_verification","challenge":"c"}`, 401},
		"an ordinary command":      {form, commandBody, 401},
		"a foreign content type":   {"text/plain", "ssl_check=1&token=x", 401},
		"a broken content type":    {";;", "ssl_check=1&token=x", 401},
		"a check with a signature": {form, "ssl_check=1&token=x", 200},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			router, got := recorder(t)
			r := unsigned(t.Context(), bot.PathCommands, tt.contentType, tt.body)
			if strings.HasSuffix(name, "signature") {
				r = signed(t, bot.PathCommands, tt.contentType, tt.body)
			}
			w := serve(bot.NewServer(secret, router, nil), r)
			assert.Equal(t, tt.want, w.Code)
			assert.Empty(t, got())
			if tt.want == http.StatusOK {
				assert.Empty(t, w.Body.String())
			}
		})
	}
}

func TestAFloodOfUnsignedRequestsIsAFewLinesInTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log logged
		server := bot.NewServer(secret, bot.NewRouter(nil), slog.New(slog.NewTextHandler(&log, nil)))
		lines := func() int { return strings.Count(log.String(), "\n") }
		flood := func(n int) {
			for range n {
				serve(server, unsigned(t.Context(), bot.PathEvents, "application/json", eventBody))
			}
		}
		flood(3)
		assert.Equal(t, 3, lines(), "each of a few is named")
		flood(997)
		assert.Equal(t, 5, lines())
		assert.Equal(t, http.StatusNotFound, serve(server, unsigned(t.Context(), "/"+strings.Repeat("x", 5000), form, "")).Code)
		assert.Equal(t, 6, lines(), "another status is another matter")
		assert.Less(t, len(log.String()), 2000)

		<-time.After(time.Minute)
		synctest.Wait()
		assert.Equal(t, 7, lines())
		assert.Contains(t, log.String(), `msg="more requests refused" status=401 count=995`)

		flood(1)
		assert.Equal(t, 8, lines(), "a minute later it begins anew")
	})
}
