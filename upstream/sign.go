package upstream

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// dialect is a way of writing JSON. The service signs the JSON that its own language writes, so every byte
// counts: separators, escapes, and whether a number is a string.
type dialect struct {
	comma, colon string
	ascii        bool // characters beyond ASCII as \uXXXX
	slash        bool // "/" as "\/"
	del          bool // U+007F as an escape too
	numbers      bool // numbers as numbers, not as strings
	flat         bool // arrays and maps as the sent text, as json_encode($_REQUEST) writes them
}

var dialects = map[string]dialect{
	"":            php,
	"php":         php,
	"php-flat":    flatly(php),
	"plain":       plain,
	"plain-flat":  flatly(plain),
	"python":      python,
	"python-flat": flatly(python),
}

// flat ends the name of a flat dialect.
const flat = "-flat"

var (
	php    = dialect{comma: ",", colon: ":", ascii: true, slash: true} // json_encode without flags
	plain  = dialect{comma: ",", colon: ":"}
	python = dialect{comma: ", ", colon: ": ", ascii: true, del: true}
)

func flatly(d dialect) dialect {
	d.flat = true
	return d
}

// How numbers are signed: see [Config].
const (
	asString = "string"
	asNumber = "number"
	asSent   = "sent"
)

// dialect returns the dialect to sign a request in. inBody says that its parameters travel in a JSON body.
func (c Config) dialect(inBody bool) dialect {
	d := dialects[c.Signature]
	d.numbers = c.Numbers == asNumber || c.Numbers == asSent && inBody
	d.flat = d.flat && !inBody // JSON has real arrays
	return d
}

// sign returns the lower-case hexadecimal HMAC-SHA256 of the text.
func sign(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// encode writes a value with ascending map keys.
func (d dialect) encode(v any) string {
	var b strings.Builder
	d.write(&b, v)
	return b.String()
}

// write knows exactly the types that parameters have.
func (d dialect) write(b *strings.Builder, v any) {
	switch v := v.(type) {
	case string:
		d.quote(b, v)
	case int64:
		d.number(b, v)
	case []string:
		list(d, b, v)
	case [][]string:
		list(d, b, v)
	case map[string][]string:
		object(d, b, v)
	case params:
		object(d, b, v.signable(d))
	}
}

func (d dialect) number(b *strings.Builder, n int64) {
	text := strconv.FormatInt(n, 10)
	if !d.numbers {
		text = `"` + text + `"`
	}
	b.WriteString(text)
}

func list[T any](d dialect, b *strings.Builder, items []T) {
	b.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			b.WriteString(d.comma)
		}
		d.write(b, item)
	}
	b.WriteByte(']')
}

func object[T any](d dialect, b *strings.Builder, m map[string]T) {
	b.WriteByte('{')
	for i, key := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			b.WriteString(d.comma)
		}
		d.quote(b, key)
		b.WriteString(d.colon)
		d.write(b, m[key])
	}
	b.WriteByte('}')
}

func (d dialect) quote(b *strings.Builder, s string) {
	b.WriteByte('"')
	for _, r := range s {
		d.rune(b, r)
	}
	b.WriteByte('"')
}

// shortEscapes are the same in all dialects.
var shortEscapes = map[rune]string{
	'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`,
}

func (d dialect) rune(b *strings.Builder, r rune) {
	escape, ok := shortEscapes[r]
	switch {
	case ok:
		b.WriteString(escape)
	case r == '/' && d.slash:
		b.WriteString(`\/`)
	case r < ' ', r == 0x7f && d.del:
		unicodeEscape(b, r)
	case r < utf8.RuneSelf || !d.ascii:
		b.WriteRune(r)
	case r > 0xffff:
		high, low := utf16.EncodeRune(r)
		unicodeEscape(b, high)
		unicodeEscape(b, low)
	default:
		unicodeEscape(b, r)
	}
}

func unicodeEscape(b *strings.Builder, r rune) { fmt.Fprintf(b, `\u%04x`, r) }
