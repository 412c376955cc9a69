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

// The errors of a token. ErrExpired is only for a token with a valid signature.
var (
	ErrForged  = errors.New("file token not made here")
	ErrExpired = errors.New("file token expired")
)

const (
	// MinKey is the shortest key that signs, in characters.
	MinKey = 32

	version       = 1           // of a token in an app with one workspace
	versionOfTeam = 2           // of a token whose content begins with the workspace and a slash
	maxToken      = 512         // characters
	maxPhotoToken = 256         // characters; Slack's file ids have about eleven
	headerLen     = 1 + 8       // version, expiry in Unix seconds
	macLen        = sha256.Size // not truncated
	// The purpose separates signatures of the same key for different uses.
	photoPurpose = "darkroom file token\x00"
	zipPurpose   = "darkroom zip token\x00"
)

// tokenEncoding is strict: only one text decodes to the bytes of a token.
var tokenEncoding = base64.RawURLEncoding.Strict()

// Signer makes public addresses of photos in Slack. They work until they expire.
type Signer struct {
	base      string // without a slash at its end
	keys      [][]byte
	workspace string // of the files; "" in an app for one workspace
}

// In returns the signer for one of many workspaces. Its addresses name the workspace. Any signer with the same keys
// verifies them.
func (s *Signer) In(workspace string) *Signer {
	view := *s
	view.workspace = workspace
	return &view
}

// NewSigner returns a signer for a public base URL. The first key signs; all keys verify. A path in the
// URL stays in front of [Path]. No error quotes a key.
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

// URL returns the address of a Slack file. The service sees name, but the served bytes do not depend on it.
// Calls at different times return different addresses, so callers save the one they sent.
func (s *Signer) URL(file, name string, now time.Time) string {
	return s.URLUntil(file, name, now.Add(Life))
}

// URLUntil is [Signer.URL] for an address that works until expiry.
func (s *Signer) URLUntil(file, name string, expiry time.Time) string {
	return s.Address(Path + s.token(file, expiry) + "/" + url.PathEscape(safeName(name)))
}

// Address returns the public URL of a path of this app.
func (s *Signer) Address(path string) string { return s.base + path }

// Verify returns the file of a token: Slack's id, in an app for many workspaces after the workspace and a slash, see
// [SplitFile]. The error is [ErrForged] or [ErrExpired].
func (s *Signer) Verify(token string, now time.Time) (file string, err error) {
	if len(token) > maxPhotoToken {
		return "", ErrForged
	}
	workspace, id, err := s.Open(photoPurpose, token, now)
	if workspace != "" {
		workspace += "/"
	}
	return workspace + string(id), err
}

// SplitFile splits a file of [Signer.Verify] into its workspace and Slack's id; the workspace is "" in an app for one.
func SplitFile(file string) (workspace, id string) {
	if workspace, id, found := strings.Cut(file, "/"); found {
		return workspace, id
	}
	return "", file
}

// token returns version, expiry and file id, and the signature of the three.
func (s *Signer) token(file string, expiry time.Time) string {
	return s.Seal(photoPurpose, []byte(file), expiry)
}

// Seal makes a token with this content, for one purpose. A purpose ends with a zero byte, so that none is the beginning
// of another. The token names the signer's workspace.
func (s *Signer) Seal(purpose string, content []byte, expiry time.Time) string {
	kind := byte(version)
	if s.workspace != "" {
		kind, content = versionOfTeam, append([]byte(s.workspace+"/"), content...)
	}
	payload := binary.BigEndian.AppendUint64([]byte{kind}, uint64(expiry.Unix()))
	payload = append(payload, content...)
	return tokenEncoding.EncodeToString(append(payload, sign(s.keys[0], purpose, payload)...))
}

// Open returns the workspace and the content of a token that [Signer.Seal] made for the same purpose. The error is
// [ErrForged] or [ErrExpired].
func (s *Signer) Open(purpose, token string, now time.Time) (workspace string, content []byte, err error) {
	if len(token) > maxToken || strings.ContainsAny(token, "\r\n") { // the decoder skips line breaks
		return "", nil, ErrForged
	}
	raw, err := tokenEncoding.DecodeString(token)
	if err != nil || len(raw) <= headerLen+macLen {
		return "", nil, ErrForged
	}
	payload, mac := raw[:len(raw)-macLen], raw[len(raw)-macLen:]
	if !s.validMAC(purpose, payload, mac) || payload[0] != version && payload[0] != versionOfTeam {
		return "", nil, ErrForged
	}
	if expiry := int64(binary.BigEndian.Uint64(payload[1:headerLen])); now.Unix() >= expiry {
		return "", nil, ErrExpired
	}
	content = payload[headerLen:]
	if payload[0] == version {
		return "", content, nil
	}
	workspaceID, content, cut := bytes.Cut(content, []byte("/"))
	if !cut || len(workspaceID) == 0 {
		return "", nil, ErrForged
	}
	return string(workspaceID), content, nil
}

// validMAC takes the same time for every key, and for an invalid signature.
func (s *Signer) validMAC(purpose string, payload, mac []byte) bool {
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
