package files

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// What is wrong with a token. Only whoever holds a real token ever sees ErrExpired.
var (
	ErrForged  = errors.New("file token not made here")
	ErrExpired = errors.New("file token expired")
)

const (
	// MinKey is the shortest key that signs, in characters.
	MinKey = 32

	version   = 1           // of a token of an app with one workspace
	versionOf = 2           // of one that begins with its workspace and a slash
	maxToken  = 256         // characters; Slack's file ids have about eleven
	headerLen = 1 + 8       // version, expiry in Unix seconds
	macLen    = sha256.Size // nothing is cut off
	// A purpose keeps a signature made with the same key for something else from being
	// a token.
	photoPurpose = "darkroom file token\x00"
	zipPurpose   = "darkroom zip token\x00"
)

// Strict: of the spellings that decode to the same bytes only one is a token.
var spelling = base64.RawURLEncoding.Strict()

// Signer makes addresses of photos in Slack that anyone can open until they expire.
type Signer struct {
	base      string // without a slash at its end
	keys      [][]byte
	workspace string // whose files it names; "" where there is one workspace only
}

// In is the signer of one of many workspaces: its addresses say whose file it is. What it signs every other one of the
// same keys verifies.
func (s *Signer) In(workspace string) *Signer {
	its := *s
	its.workspace = workspace
	return &its
}

// NewSigner makes one for a public base URL; the first key signs, the others are still
// believed. A path in the URL is kept in front of [Path]. No error quotes a key.
func NewSigner(publicURL string, keys []string) (*Signer, error) {
	u, err := url.Parse(publicURL)
	switch {
	case err != nil:
		return nil, errors.New("public URL: not a URL")
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, errors.New("public URL: not an http or https URL")
	case u.User != nil, u.RawQuery != "", u.ForceQuery, u.Fragment != "":
		return nil, errors.New("public URL: nothing but scheme, host and path belongs there")
	case len(keys) == 0:
		return nil, errors.New("no key to sign file addresses with")
	}
	s := &Signer{base: strings.TrimRight(u.String(), "/")}
	for i, k := range keys {
		if len(k) < MinKey {
			return nil, fmt.Errorf("file key %d: %d characters, needs at least %d", i+1, len(k), MinKey)
		}
		s.keys = append(s.keys, []byte(k))
	}
	return s, nil
}

// URL is the address of a file of Slack's; name is what the service sees: it is for the
// eye, and nothing that is served depends on it. Two calls at different times give
// different addresses, so callers keep the one they sent.
func (s *Signer) URL(file, name string, now time.Time) string {
	return s.base + Path + s.token(file, now.Add(Life)) + "/" + url.PathEscape(safeName(name))
}

// Verify says which file a token is for, by Slack's id; that of one of many workspaces stands behind the workspace and a
// slash, see [Whose]. The error is [ErrForged] or [ErrExpired].
func (s *Signer) Verify(token string, now time.Time) (file string, err error) {
	if len(token) > maxToken {
		return "", ErrForged
	}
	workspace, said, err := s.open(photoPurpose, token, now)
	if workspace != "" {
		workspace += "/"
	}
	return workspace + string(said), err
}

// Whose tells the workspace and Slack's id of a file that [Signer.Verify] named; "" where there is one workspace only.
func Whose(file string) (workspace, id string) {
	if whose, id, of := strings.Cut(file, "/"); of {
		return whose, id
	}
	return "", file
}

// token is version, expiry, file id and the signature over the three.
func (s *Signer) token(file string, expiry time.Time) string {
	return s.seal(photoPurpose, []byte(file), expiry)
}

// seal makes a token of what it says, for one purpose.
func (s *Signer) seal(purpose string, says []byte, expiry time.Time) string {
	kind := byte(version)
	if s.workspace != "" {
		kind, says = versionOf, append([]byte(s.workspace+"/"), says...)
	}
	payload := binary.BigEndian.AppendUint64([]byte{kind}, uint64(expiry.Unix()))
	payload = append(payload, says...)
	return spelling.EncodeToString(append(payload, sign(s.keys[0], purpose, payload)...))
}

// open returns what a token says, and of which workspace; its caller has looked at its length.
func (s *Signer) open(purpose, token string, now time.Time) (workspace string, says []byte, err error) {
	if strings.ContainsAny(token, "\r\n") { // the decoder skips line ends
		return "", nil, ErrForged
	}
	raw, err := spelling.DecodeString(token)
	if err != nil || len(raw) <= headerLen+macLen {
		return "", nil, ErrForged
	}
	payload, mac := raw[:len(raw)-macLen], raw[len(raw)-macLen:]
	if !s.believes(purpose, payload, mac) || payload[0] != version && payload[0] != versionOf {
		return "", nil, ErrForged
	}
	if expiry := int64(binary.BigEndian.Uint64(payload[1:headerLen])); now.Unix() >= expiry {
		return "", nil, ErrExpired
	}
	says = payload[headerLen:]
	if payload[0] == version {
		return "", says, nil
	}
	whose, says, cut := bytes.Cut(says, []byte("/"))
	if !cut || len(whose) == 0 {
		return "", nil, ErrForged
	}
	return string(whose), says, nil
}

// believes takes as long whichever key it was, and whether or not it was one.
func (s *Signer) believes(purpose string, payload, mac []byte) bool {
	known := false
	for _, key := range s.keys {
		known = hmac.Equal(sign(key, purpose, payload), mac) || known
	}
	return known
}

func sign(key []byte, purpose string, payload []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(purpose))
	h.Write(payload)
	return h.Sum(nil)
}
