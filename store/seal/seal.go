// Package seal makes secrets unreadable to whoever reads Redis, a copy of its file, or a backup of that.
//
// A sealed text is AES-256-GCM with a random nonce; its key comes from a passphrase of the environment by
// HKDF. It is bound to what the caller names, such as a workspace and what the secret is: put into
// another's place it does not open. It begins with its version and with which key sealed it,
// so that several keys may be known at a time: the newest seals, all of them open.
//
//	v1.0f3a9c52.BASE64URL(nonce, ciphertext, tag)
//
// No error and no printing of a value of this package has a word of a secret or of a key.
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

// Least is how many characters a key has at least.
const Least = 32

// What keeps a sealed text from opening, for errors.Is.
var (
	ErrMalformed  = errors.New("not a sealed text")
	ErrUnknownKey = errors.New("sealed with a key that is not among those of ENCRYPTION_KEY")
	ErrNotOurs    = errors.New("the sealed text does not open here: it was changed, or sealed for another place")
)

// Keys are the keys that open, the first of which seals. They are safe for concurrent use, and print as nothing.
type Keys struct {
	newest *key
	all    map[string]*key // by id
}

type key struct {
	id   string
	aead cipher.AEAD
}

// NewKeys reads keys that are separated by commas, the newest first, each of [Least] characters or more. Its
// errors name a key by its place.
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

// newKey makes a key and its id of a passphrase: neither tells the other.
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

// Seal seals a secret with the newest key, for the place that bound names.
func (k *Keys) Seal(plain []byte, bound string) string {
	sealed := k.newest.aead.Seal(nil, nil, plain, additional(bound))
	return version + "." + k.newest.id + "." + encoding.EncodeToString(sealed)
}

// Open opens what was sealed for that place; newest tells that the newest key sealed it.
func (k *Keys) Open(sealed, bound string) (plain []byte, newest bool, err error) {
	id, text, err := parts(sealed)
	if err != nil {
		return nil, false, err
	}
	key := k.all[id]
	if key == nil {
		return nil, false, ErrUnknownKey
	}
	plain, err = key.aead.Open(nil, nil, text, additional(bound))
	if err != nil {
		return nil, false, ErrNotOurs
	}
	return plain, key == k.newest, nil
}

// Newest tells, without opening it, whether the newest key sealed a text.
func (k *Keys) Newest(sealed string) bool {
	id, _, err := parts(sealed)
	return err == nil && id == k.newest.id
}

// parts are the key's id and the bytes of a sealed text.
func parts(sealed string) (id string, text []byte, err error) {
	fields := strings.Split(sealed, ".")
	if len(fields) != 3 || fields[0] != version || strings.ContainsAny(sealed, "\r\n") { // which base64 passes over
		return "", nil, ErrMalformed
	}
	text, err = encoding.DecodeString(fields[2])
	if err != nil {
		return "", nil, ErrMalformed
	}
	return fields[1], text, nil
}

// additional is what is authenticated beside the secret.
func additional(bound string) []byte { return []byte(version + "\x00" + bound) }

const hidden = "[keys]"

// Format implements [fmt.Formatter]: no verb prints a key.
func (k *Keys) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(hidden)) }

// LogValue implements [slog.LogValuer].
func (k *Keys) LogValue() slog.Value { return slog.StringValue(hidden) }
