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
	maxAge     = 5 * time.Minute // of a signature, as Slack recommends
	clockEvery = time.Hour       // between two log lines about the clock
)

var (
	errSignature = errors.New("not signed by Slack")
	errAge       = errors.New("signed more than five minutes from our time")
)

// signatures makes signatures with one secret. It reuses the state of a hash from one request to the next.
type signatures struct {
	secret string
	idle   sync.Pool // of *signing
}

// signatureLength is the length of a signature in its header.
const signatureLength = len("v0=") + 2*sha256.Size

type signing struct {
	mac  hash.Hash
	text []byte // the signed prefix, then the signature
}

// signaturesOf returns one for each comma-separated secret.
func signaturesOf(secrets string) (all []*signatures) {
	for secret := range strings.SplitSeq(secrets, ",") {
		if secret = strings.TrimSpace(secret); secret != "" {
			all = append(all, &signatures{secret: secret})
		}
	}
	return all
}

// of returns the signature of a body, without copying the body.
func (s *signatures) of(timestamp string, body []byte) (signature [signatureLength]byte) {
	with, _ := s.idle.Get().(*signing)
	if with == nil {
		with = &signing{mac: hmac.New(sha256.New, []byte(s.secret))}
	}
	defer s.idle.Put(with)
	with.mac.Reset()
	with.text = append(append(append(with.text[:0], "v0:"...), timestamp...), ':')
	_, _ = with.mac.Write(with.text) // a hash never fails
	_, _ = with.mac.Write(body)
	with.text = with.mac.Sum(with.text[:0])
	hex.AppendEncode(append(signature[:0], "v0="...), with.text)
	return signature
}

// signed reports whether one of the secrets made the signature.
func (s *Server) signed(timestamp, signature string, body []byte) bool {
	for _, with := range s.signatures {
		if expected := with.of(timestamp, body); hmac.Equal(expected[:], []byte(signature)) {
			return true
		}
	}
	return false
}

// verify checks the signature of a body and returns its timestamp. It logs valid signatures with an old
// timestamp, since a wrong clock makes the app refuse everything. A single one may be a replayed request.
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
