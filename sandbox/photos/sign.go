package photos

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
)

// Dialect is the way the signed JSON is written.
type Dialect string

// The dialects: json_encode of PHP, bare UTF-8 as JSON.stringify of JavaScript,
// and json.dumps of Python.
const (
	PHP    Dialect = "php"
	Plain  Dialect = "plain"
	Python Dialect = "python"
)

var errSignature = errors.New("invalid signature")

// signer computes the signature that a request should have had.
type signer struct {
	secret  []byte
	dialect Dialect
	numbers bool // numbers are signed as numbers
	sent    bool // numbers are signed as they came
}

func newSigner(o Options) signer {
	if !slices.Contains([]Dialect{PHP, Plain, Python}, o.Signature) {
		panic(fmt.Sprintf("photos: unknown signature dialect %q", o.Signature))
	}
	if !slices.Contains([]Placement{Anywhere, Query, QueryOnly, FormBody, JSONBody}, o.Params) {
		panic(fmt.Sprintf("photos: unknown placement of parameters %q", o.Params))
	}
	return signer{secret: []byte(o.Secret), dialect: o.Signature, numbers: o.NumbersAsNumbers, sent: o.NumbersAsSent}
}

// verify checks key, time and signature, takes them out of the parameters, and reads the arrays that came as text.
func (s *Service) verify(p params, r *http.Request) error {
	key, sent, signature := p.text("api_key"), p.text("timestamp"), p.text("signature")
	delete(p, "signature")
	right, with := s.keys()
	want := with.sign(p)
	delete(p, "api_key")
	delete(p, "timestamp")
	if s.opts.ArraysAsSent {
		p.readArrays()
	}
	known := hmac.Equal([]byte(key), []byte(right))
	signed := hmac.Equal([]byte(signature), []byte(want))
	if !known || !signed || s.opts.BasicAuth && !s.basic(r) {
		return errSignature
	}
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || s.opts.Now().Sub(time.Unix(seconds, 0)).Abs() > s.opts.ClockSkew {
		return fmt.Errorf("%w: the timestamp is too far from the time of the service", errSignature)
	}
	return nil
}

// SetKey replaces the account's key and secret: those before are refused.
func (s *Service) SetKey(key, secret string) {
	defer s.change()()
	s.opts.Key, s.opts.Secret = key, secret
	s.signer.secret = []byte(secret)
}

// keys are the key that counts, and the signer of its secret.
func (s *Service) keys() (string, signer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opts.Key, s.signer
}

func (s *Service) basic(r *http.Request) bool {
	key, secret, ok := r.BasicAuth()
	return ok && hmac.Equal([]byte(key+"\n"+secret), []byte(s.opts.Key+"\n"+s.opts.Secret))
}

// sign is the lower-case hexadecimal HMAC-SHA256 of the serialized parameters.
func (g signer) sign(p params) string {
	mac := hmac.New(sha256.New, g.secret)
	mac.Write([]byte(g.serialize(p)))
	return hex.EncodeToString(mac.Sum(nil))
}

// serialize writes the parameters as one JSON object, ordered by key.
func (g signer) serialize(p params) string {
	var members object
	for _, name := range slices.Sorted(maps.Keys(p)) {
		value := p[name]
		if text, ok := value.(string); ok && g.numbers && numeric(name, text) {
			value = json.Number(text)
		}
		members = append(members, member{name, value})
	}
	var b strings.Builder
	g.object(&b, members)
	return b.String()
}

// numeric reports whether a parameter that travelled as text is a number.
func numeric(name, text string) bool {
	_, err := strconv.Atoi(text)
	return integer(name) && err == nil
}

func (g signer) value(b *strings.Builder, value any) {
	switch v := value.(type) {
	case object:
		g.object(b, v)
	case []any:
		g.array(b, v)
	case string:
		g.string(b, v)
	case json.Number:
		g.number(b, v)
	case bool:
		b.WriteString(strconv.FormatBool(v))
	default:
		b.WriteString("null")
	}
}

func (g signer) object(b *strings.Builder, members object) {
	if len(members) == 0 && g.dialect == PHP {
		b.WriteString("[]") // PHP cannot tell an empty map from an empty array
		return
	}
	b.WriteByte('{')
	for i, m := range members {
		g.separate(b, i)
		g.string(b, m.name)
		b.WriteByte(':')
		if g.dialect == Python {
			b.WriteByte(' ')
		}
		g.value(b, m.value)
	}
	b.WriteByte('}')
}

func (g signer) array(b *strings.Builder, elements []any) {
	b.WriteByte('[')
	for i, element := range elements {
		g.separate(b, i)
		g.value(b, element)
	}
	b.WriteByte(']')
}

func (g signer) separate(b *strings.Builder, i int) {
	if i == 0 {
		return
	}
	b.WriteByte(',')
	if g.dialect == Python {
		b.WriteByte(' ')
	}
}

func (g signer) number(b *strings.Builder, n json.Number) {
	if g.numbers || g.sent {
		b.WriteString(n.String())
		return
	}
	g.string(b, n.String())
}

func (g signer) string(b *strings.Builder, text string) {
	b.WriteByte('"')
	for _, r := range text {
		g.rune(b, r)
	}
	b.WriteByte('"')
}

func (g signer) rune(b *strings.Builder, r rune) {
	short := strings.IndexRune("\b\f\n\r\t\"\\", r)
	switch {
	case short >= 0:
		b.WriteByte('\\')
		b.WriteByte("bfnrt\"\\"[short])
	case r == '/' && g.dialect == PHP:
		b.WriteString(`\/`)
	case r < ' ', r > '~' && g.dialect == Python, r > '\x7f' && g.dialect == PHP:
		escape(b, r)
	default:
		b.WriteRune(r)
	}
}

// escape writes \uXXXX in lower-case hex, a surrogate pair above U+FFFF.
func escape(b *strings.Builder, r rune) {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		fmt.Fprintf(b, `\u%04x\u%04x`, high, low)
		return
	}
	fmt.Fprintf(b, `\u%04x`, r)
}
