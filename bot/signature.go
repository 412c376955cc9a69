package bot

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"net/http"
	"strconv"
	"strings"
	"sync"
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

// signatures make signatures with one secret. What a hash needs is made once, and used by one
// request after the other.
type signatures struct {
	secret string
	idle   sync.Pool // of *signing
}

// signatureLength is that of a signature in its header.
const signatureLength = len("v0=") + 2*sha256.Size

type signing struct {
	mac  hash.Hash
	text []byte // what is signed before the body, then the signature
}

// signaturesWith are those of each secret: one, or several separated by commas.
func signaturesWith(secrets string) (all []*signatures) {
	for secret := range strings.SplitSeq(secrets, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			all = append(all, &signatures{secret: secret})
		}
	}
	return all
}

// of is the signature of a body, in one pass and without a copy of it.
func (s *signatures) of(timestamp string, body []byte) (signature [signatureLength]byte) {
	with, _ := s.idle.Get().(*signing)
	if with == nil {
		with = &signing{mac: hmac.New(sha256.New, []byte(s.secret))}
	}
	defer s.idle.Put(with)
	with.mac.Reset()
	with.text = append(append(append(with.text[:0], "v0:"...), timestamp...), ':')
	_, _ = with.mac.Write(with.text) // a hash takes everything
	_, _ = with.mac.Write(body)
	with.text = with.mac.Sum(with.text[:0])
	hex.AppendEncode(append(signature[:0], "v0="...), with.text)
	return signature
}

// signed tells whether one of the secrets made the signature.
func (s *Server) signed(timestamp, signature string, body []byte) bool {
	for _, with := range s.signatures {
		if ours := with.of(timestamp, body); hmac.Equal(ours[:], []byte(signature)) {
			return true
		}
	}
	return false
}

// verify returns when Slack signed the body. The log hears of requests that are refused for
// their time alone: the app is deaf then, and nothing else says why. A single one may be an
// old request that somebody sends again.
func (s *Server) verify(ctx context.Context, h http.Header, body []byte) (time.Time, error) {
	timestamp := h.Get("X-Slack-Request-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil {
		return time.Time{}, errSignature
	}
	at := time.Unix(seconds, 0)
	switch {
	case !s.signed(timestamp, h.Get("X-Slack-Signature"), body):
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
