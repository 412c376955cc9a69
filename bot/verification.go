package bot

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Slack verifies a request URL with a challenge when the URL is saved, or on *Retry*. An app made from a
// manifest fails it at first, because its secret does not exist before.

const (
	maxVerification   = 4 << 10     // bytes of a verification: a token, a challenge and a type
	verificationEvery = time.Minute // between two log lines about refused verifications

	// Probe begins the challenges that doctor sends through the request URL. They do not count as Slack's.
	Probe = "darkroom-doctor-"
)

// ObserveVerification sets a function that is called when the request URL was verified. It is also called,
// at most once a minute, when a verification had another secret's signature, which anyone can send. It
// must return at once. Set it before the first request.
func (s *Server) ObserveVerification(observe func(verified bool)) { s.verification = observe }

// verified observes an answered challenge.
func (s *Server) verified(challenge string) {
	if s.verification != nil && !strings.HasPrefix(challenge, Probe) {
		s.verification(true)
	}
}

// unverified logs and observes a verification with a wrong signature. It ignores unsigned requests, which
// are not Slack's, and doctor's probes.
func (s *Server) unverified(ctx context.Context, h http.Header, body []byte) {
	if h.Get("X-Slack-Signature") == "" || len(body) > maxVerification || !bytes.Contains(body, []byte(`"`+typeURLVerification+`"`)) || bytes.Contains(body, []byte(Probe)) {
		return
	}
	s.verificationFailed.Do(func() {
		s.log.ErrorContext(ctx, "Slack cannot verify the request URL: what it sent is signed with another secret",
			"fix", "set SLACK_SIGNING_SECRET to this app's (api.slack.com/apps, Basic Information, App Credentials), restart, and press Retry at Event Subscriptions")
		if s.verification != nil {
			s.verification(false)
		}
	})
}

// URLVerification returns a request that verifies a request URL, as Slack sends it. It is signed with the
// first of the comma-separated secrets. The expected answer is the challenge, which should begin with
// [Probe].
func URLVerification(secrets, challenge string, at time.Time) (body []byte, header map[string]string) {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	body = []byte(`{"type":"` + typeURLVerification + `","challenge":"` + challenge + `"}`)
	secret, _, _ := strings.Cut(secrets, ",")
	signature := (&signatures{secret: strings.TrimSpace(secret)}).of(timestamp, body)
	return body, map[string]string{
		"Content-Type": jsonType, "X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": string(signature[:]),
	}
}
