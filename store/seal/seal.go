// Package seal encrypts secrets, so that Redis, its files and their backups hold none in plain text.
//
// A sealed text is AES-256-GCM with a random nonce. HKDF derives its key from a passphrase of the
// environment. It is bound to a place that the caller names, such as a workspace and a kind of secret. It
// does not open in another place. It begins with its version and the id of its key. The newest key
// seals; all keys open.
//
//	v1.0f3a9c52.BASE64URL(nonce, ciphertext, tag)
//
// No error and no printed value of this package shows a secret or a key.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// Least is the minimum length of a key, in characters.
const Least = 32

// The errors of [Keys.Open].
var (
	ErrMalformed  = errors.New("not a sealed text")
	ErrUnknownKey = errors.New("sealed with a key that is not among those of ENCRYPTION_KEY")
	ErrNotOurs    = errors.New("the sealed text does not open here: it was changed, or sealed for another place")
)

// Keys seals with its newest key and opens with all. It is safe for concurrent use and does not print its keys.
type Keys struct {
	newest *key
	all    map[string]*key // by id
}

type key struct {
	id   string
	aead cipher.AEAD
}

// NewKeys reads keys separated by commas, the newest first. Each has at least [Least] characters. Errors name a
// key by its position, from 1.
func NewKeys(list string) (*Keys, error) {
	keys := &Keys{all: map[string]*key{}}
	for n, text := range strings.Split(list, ",") {
		text = strings.TrimSpace(text)
		if len(text) < Least {
			return nil, fmt.Errorf("key %d has %d characters, it must have %d or more", n+1, len(text), Least)
		}
		k, err := newKey(text)
		switch {
		case err != nil:
			return nil, fmt.Errorf("key %d: %w", n+1, err)
		case keys.all[k.id] != nil:
			return nil, fmt.Errorf("key %d is there twice", n+1)
		case keys.newest == nil:
			keys.newest = k
		}
		keys.all[k.id] = k
	}
	return keys, nil
}

// newKey derives a key and its id from a passphrase. The id does not reveal the key.
func newKey(passphrase string) (*key, error) {
	secret, err := derive(passphrase, "darkroom seal v1: key", 32)
	if err != nil {
		return nil, err
	}
	id, err := derive(passphrase, "darkroom seal v1: id", 4)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &key{id: hex.EncodeToString(id), aead: aead}, err
}

func derive(passphrase, purpose string, size int) ([]byte, error) {
	return hkdf.Key(sha256.New, []byte(passphrase), nil, purpose, size)
}

const version = "v1"

var encoding = base64.RawURLEncoding.Strict()

// Seal seals a secret with the newest key for a place.
func (k *Keys) Seal(plain []byte, place string) string {
	sealed := k.newest.aead.Seal(nil, nil, plain, additional(place))
	return version + "." + k.newest.id + "." + encoding.EncodeToString(sealed)
}

// Open opens a text that was sealed for the same place; newest reports whether the newest key sealed it.
func (k *Keys) Open(sealed, place string) (plain []byte, newest bool, err error) {
	id, text, err := parts(sealed)
	if err != nil {
		return nil, false, err
	}
	key := k.all[id]
	if key == nil {
		return nil, false, ErrUnknownKey
	}
	plain, err = key.aead.Open(nil, nil, text, additional(place))
	if err != nil {
		return nil, false, ErrNotOurs
	}
	return plain, key == k.newest, nil
}

// Newest reports whether the newest key sealed a text. It does not open the text.
func (k *Keys) Newest(sealed string) bool {
	id, _, err := parts(sealed)
	return err == nil && id == k.newest.id
}

// parts returns the key's id and the ciphertext of a sealed text.
func parts(sealed string) (id string, text []byte, err error) {
	fields := strings.Split(sealed, ".")
	if len(fields) != 3 || fields[0] != version || strings.ContainsAny(sealed, "\r\n") { // base64 skips line breaks
		return "", nil, ErrMalformed
	}
	text, err = encoding.DecodeString(fields[2])
	if err != nil {
		return "", nil, ErrMalformed
	}
	return fields[1], text, nil
}

// additional returns the data that is authenticated but not encrypted.
func additional(place string) []byte { return []byte(version + "\x00" + place) }

const hidden = "[keys]"

// Format implements [fmt.Formatter]: no verb prints a key.
func (k *Keys) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) }

// LogValue implements [slog.LogValuer].
func (k *Keys) LogValue() slog.Value { return slog.StringValue(hidden) }
