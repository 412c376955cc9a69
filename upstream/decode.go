package upstream

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/shopspring/decimal"
)

// The types below read one JSON value each and never fail: what cannot be read
// is absent, so that one odd field does not cost the whole order.

// text is a string, or a number with its digits exactly as sent.
type text string

func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case plainText(b):
		*t = text(b[1 : len(b)-1])
	case b[0] == '-' || b[0] >= '0' && b[0] <= '9':
		*t = text(b)
	case json.Unmarshal(b, &s) == nil:
		*t = text(s)
	}
	return nil
}

// plainText says that a JSON value is a string that stands for itself, as most do: there is nothing to decode.
func plainText(b []byte) bool {
	if b[0] != '"' {
		return false
	}
	for _, c := range b[1 : len(b)-1] {
		if c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return true
}

// amount is an exact decimal, sent as a number or as a string.
type amount struct{ decimal.NullDecimal }

// plainNumber bounds the exponent: writing out 1e999999999 would take a gigabyte.
var plainNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[+-]?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?$`)
})

func (a *amount) UnmarshalJSON(b []byte) error {
	var t text
	_ = t.UnmarshalJSON(b)
	s := strings.TrimSpace(string(t))
	if !plainNumber().MatchString(s) {
		return nil
	}
	d, err := decimal.NewFromString(s)
	if err == nil { // 0.10 as 0.1, so that equal amounts are equal values
		d, err = decimal.NewFromString(d.String())
	}
	a.NullDecimal = decimal.NullDecimal{Decimal: d, Valid: err == nil}
	return nil
}

// count is a whole number, sent as a number or as a string.
type count struct {
	n    int
	told bool
}

func (c *count) UnmarshalJSON(b []byte) error {
	if n, plain := plainNumberOf(b); plain {
		c.n, c.told = n, true
		return nil
	}
	var a amount
	_ = a.UnmarshalJSON(b)
	limit := decimal.NewFromInt(1 << 31)
	if a.Valid && a.Decimal.IsInteger() && a.Decimal.Abs().LessThan(limit) {
		c.n, c.told = int(a.Decimal.IntPart()), true
	}
	return nil
}

// plainNumberOf reads a number of a few digits and nothing else, as nearly all are.
func plainNumberOf(b []byte) (n int, plain bool) {
	if len(b) > 9 {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, len(b) > 0
}

// moment is a time in UTC.
type moment struct{ time.Time }

// layouts: with and without a colon in the offset, or with its hours only;
// fractions of a second are accepted by all.
var layouts = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07"}

func (m *moment) UnmarshalJSON(b []byte) error {
	var t text
	_ = t.UnmarshalJSON(b)
	for _, layout := range layouts {
		at, err := time.Parse(layout, strings.TrimSpace(string(t)))
		if err != nil {
			continue
		}
		if at = at.UTC(); at.Year() > 0 && at.Year() < 10000 { // what JSON can hold
			m.Time = at
		}
		return nil
	}
	return nil
}

// single reads an object, or the only one of an array, into a struct, and reports whether
// there is one.
func single(data json.RawMessage, into any) bool {
	items := elements(data)
	return len(items) == 1 && items[0][0] == '{' && json.Unmarshal(items[0], into) == nil
}

// many is an array, an object standing for its only element, or the map with
// numbers for keys that PHP makes of an array with gaps. It is nil when there
// is no such thing; an element of another kind is dropped.
type many[T any] []T

func (m *many[T]) UnmarshalJSON(b []byte) error {
	items := elements(b)
	if items == nil {
		return nil
	}
	*m = make(many[T], 0, len(items))
	for _, item := range items {
		var value T
		if item[0] != 'n' && json.Unmarshal(item, &value) == nil {
			*m = append(*m, value)
		}
	}
	return nil
}

// elements are the values of a list, however it was written; nil when the
// value is no list.
func elements(b []byte) []json.RawMessage {
	var items []json.RawMessage
	var numbered map[int]json.RawMessage
	switch b = bytes.TrimSpace(b); {
	case bytes.HasPrefix(b, []byte("[")):
		_ = json.Unmarshal(b, &items)
	case bytes.HasPrefix(b, []byte("{")):
		if named(b) || json.Unmarshal(b, &numbered) != nil { // a key is no number
			return []json.RawMessage{b}
		}
		items = make([]json.RawMessage, 0, len(numbered))
		for _, n := range slices.Sorted(maps.Keys(numbered)) {
			items = append(items, numbered[n])
		}
	}
	return items
}

// named says that the first key of an object begins with a letter, so that it is no number.
func named(object []byte) bool {
	key := bytes.TrimLeft(object[1:], " \t\r\n")
	return len(key) > 1 && key[0] == '"' && (key[1] >= 'a' && key[1] <= 'z' || key[1] >= 'A' && key[1] <= 'Z')
}

// complaints are the errors of an answer. Null, false and "" are none; one
// sentence alone or a map of them is accepted; odd is an error without words.
type complaints struct {
	texts   []string
	present bool
	odd     bool
}

func (c *complaints) UnmarshalJSON(b []byte) error {
	c.present = true
	var v any
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if _ = d.Decode(&v); v != nil && v != false && v != "" { // it is JSON, or it would not be here
		c.add(v)
	}
	return nil
}

func (c *complaints) add(v any) {
	switch v := v.(type) {
	case string:
		if v = strings.TrimSpace(Unescape(v)); v == "" {
			c.odd = true
			return
		}
		c.texts = append(c.texts, v)
	case json.Number:
		c.add(v.String())
	case []any:
		for _, item := range v {
			c.add(item)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			c.add(v[key])
		}
	default:
		c.odd = true
	}
}
