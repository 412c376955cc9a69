package bot

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"
)

// Slack verifies a request URL by a request with a challenge, when the URL is saved or on *Retry*.
// An app made from a manifest fails it the first time: its secret is made with it.

const (
	maxVerification   = 4 << 10     // bytes of such a request: a token, a challenge and its type
	verificationEvery = time.Minute // the log hears at most so often that one was refused

	// Probe begins the challenges of our own that go through the request URL: Slack has verified nothing then.
	Probe = "darkroom-doctor-"
)

// ObserveVerification sets what is told that the request URL was verified or, at most once a
// minute, that a verification was signed with another secret than ours: anybody can send one of
// those. It must return at once. Set it before the first request.
func (s *Server) ObserveVerification(observe func(verified bool)) { s.verification = observe }

// verified notes a challenge that is answered.
func (s *Server) verified(challenge string) {
	if s.verification != nil && !strings.HasPrefix(challenge, Probe) {
		s.verification(true)
	}
}

// unverified notes a verification that is refused for its signature. Whoever signs nothing is not Slack, nor is a
// question of our own.
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
