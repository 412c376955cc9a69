package bot

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"golang.org/x/time/rate"
)

// clockEvery is how often the log hears that a clock is off.
const clockEvery = time.Hour

// clock tells the log when requests of Slack's are refused for their time alone: the app is
// deaf then, and nothing else says why.
type clock struct {
	log    *slog.Logger
	seldom rate.Sometimes
}

func newClock(log *slog.Logger) *clock {
	return &clock{log: log, seldom: rate.Sometimes{Interval: clockEvery}}
}

// off looks at a request that was signed too long before now, or after it. Only Slack's own
// signature tells Slack's time. One such request may be an old one that somebody sends again.
func (c *clock) off(ctx context.Context, h http.Header, secret string, body []byte) {
	timestamp := h.Get("X-Slack-Request-Timestamp")
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write(append([]byte("v0:"+timestamp+":"), body...)) // a hash takes everything
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || !hmac.Equal([]byte("v0="+hex.EncodeToString(mac.Sum(nil))), []byte(h.Get("X-Slack-Signature"))) {
		return
	}
	c.seldom.Do(func() {
		c.log.ErrorContext(ctx, "Slack's requests are refused: they are signed more than five minutes from our time. If this goes on, set this machine's clock (NTP)",
			"slack_time", time.Unix(seconds, 0).UTC().Format(time.RFC3339), "our_time", time.Now().UTC().Format(time.RFC3339))
	})
}
