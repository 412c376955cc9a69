package bot_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// together is how many tests run in parallel, unless a flag says otherwise. These tests wait for real time
// and compute little.
const together = "8"

func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", together); err != nil {
		panic(err)
	}
	goleak.VerifyTestMain(m)
}

const (
	secret = "8f742231b10e8888abcd99yyyzzz85a5"
	form   = "application/x-www-form-urlencoded"
)

// sign is an independent implementation of Slack's signature.
func sign(secret string, at time.Time, body string) (timestamp, signature string) {
	timestamp = fmt.Sprint(at.Unix())
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("v0:" + timestamp + ":" + body))
	return timestamp, "v0=" + hex.EncodeToString(mac.Sum(nil))
}

func signed(t *testing.T, path, contentType, body string) *http.Request {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	timestamp, signature := sign(secret, time.Now(), body)
	r.Header.Set("X-Slack-Request-Timestamp", timestamp)
	r.Header.Set("X-Slack-Signature", signature)
	return r
}

func interactive(payload string) string { return url.Values{"payload": {payload}}.Encode() }

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	require.NoError(t, err)
	return string(b)
}
