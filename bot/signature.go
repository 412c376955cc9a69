package bot

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"time"
)

const (
	maxAge     = 5 * time.Minute // of a signature, as Slack asks
	clockEvery = time.Hour       // the log hears at most so often that a clock is off
)

var (
	errSignature = errors.New("not signed by Slack")
	errAge       = errors.New("signed more than five minutes from our time")
)

// verify returns when Slack signed the body. The log hears of requests that are refused for
// their time alone: the app is deaf then, and nothing else says why. A single one may be an
// old request that somebody sends again.
func (s *Server) verify(ctx context.Context, h http.Header, body []byte) (time.Time, error) {
	timestamp := h.Get("X-Slack-Request-Timestamp")
	mac := hmac.New(sha256.New, []byte(s.secret))
	_, _ = mac.Write(append([]byte("v0:"+timestamp+":"), body...)) // a hash takes everything
	signature := "v0=" + hex.EncodeToString(mac.Sum(nil))
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	at := time.Unix(seconds, 0)
	switch {
	case err != nil, s.secret == "", !hmac.Equal([]byte(signature), []byte(h.Get("X-Slack-Signature"))):
		return time.Time{}, errSignature
	case time.Since(at).Abs() > maxAge:
		s.clockOff.Do(func() {
			s.log.ErrorContext(ctx, "Slack's requests are refused: they are signed more than five minutes from our time. If this goes on, set this machine's clock (NTP)",
				"slack_time", at.UTC().Format(time.RFC3339), "our_time", time.Now().UTC().Format(time.RFC3339))
		})
		return time.Time{}, errAge
	}
	return at, nil
}
