package upstream

import (
	"bytes"
	"encoding/json"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"darkroom/order"
)

// The types below decode one JSON value each and never fail. An unreadable value is absent, so that one malformed field
// does not cost the whole order.

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

// plainText reports whether a JSON value is a string that needs no decoding, as most do.
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

// amount is a decimal, sent as a number or as a string, without float noise: see [order.Credits].
type amount struct{ decimal.NullDecimal }

// longestNumber is the most bytes of an amount, a count or a time.
const longestNumber = 100

// plainNumber bounds the exponent: writing out 1e999999999 would take a gigabyte.
var plainNumber = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[+-]?[0-9]{1,40}(\.[0-9]{1,40})?([eE][+-]?[0-9]{1,2})?$`)
})

func (a *amount) UnmarshalJSON(b []byte) error {
	if len(b) > longestNumber {
		return nil
	}
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
	a.NullDecimal = decimal.NullDecimal{Decimal: order.Credits(d), Valid: err == nil}
	return nil
}

// count is a whole number, sent as a number or as a string.
type count struct {
	n       int
	present bool
}

func (c *count) UnmarshalJSON(b []byte) error {
	if c.n, c.present = shortNumber(b); c.present {
		return nil
	}
	var a amount
	_ = a.UnmarshalJSON(b)
	limit := decimal.NewFromInt(1 << 31)
	if a.Valid && a.Decimal.IsInteger() && a.Decimal.Abs().LessThan(limit) {
		c.n, c.present = int(a.Decimal.IntPart()), true
	}
	return nil
}

// shortNumber reads a JSON number of a few digits, as nearly all are; false for any other value.
func shortNumber(b []byte) (n int, ok bool) {
	if len(b) > 9 || b[0] < '0' || b[0] > '9' {
		return 0, false
	}
	n, err := strconv.Atoi(string(b))
	return n, err == nil
}

// moment is a time in UTC.
type moment struct{ time.Time }

// layouts have an offset with a colon, without one, or in hours only. All accept fractions of a second.
var layouts = []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07"}

func (m *moment) UnmarshalJSON(b []byte) error {
	if len(b) > longestNumber {
		return nil
	}
	var t text
	_ = t.UnmarshalJSON(b)
	for _, layout := range layouts {
		at, err := time.Parse(layout, strings.TrimSpace(string(t)))
		if err != nil {
			continue
		}
		if at = at.UTC(); at.Year() > 0 && at.Year() < 10000 { // JSON holds four digits of a year
			m.Time = at
		}
		return nil
	}
	return nil
}

// single decodes an object, or the only object of an array, into a struct. It reports whether there is one.
func single(data []byte, into any) bool {
	items, _ := elements(data)
	var only []byte
	for item := range items {
		if only != nil {
			return false
		}
		only = item
	}
	return only != nil && only[0] == '{' && json.Unmarshal(only, into) == nil
}

// mostItems is how many elements are read from either end of a list.
const mostItems = 500

// many is an array, a single object, or the map with numeric keys that PHP makes of an array with gaps. It is
// nil for any other value. Elements of the wrong kind are dropped, and so is the middle of a long list.
type many[T any] []T

func (m *many[T]) UnmarshalJSON(b []byte) error {
	items, list := elements(b)
	if !list {
		return nil
	}
	*m = many[T]{}
	var last [][]byte // at least the last mostItems elements, without the first
	n := 0
	for item := range items {
		if n++; n <= mostItems {
			m.add(item)
			continue
		}
		if last = append(last, item); len(last) == 2*mostItems {
			last = last[:copy(last, last[mostItems:])]
		}
	}
	for _, item := range last[max(0, len(last)-mostItems):] {
		m.add(item)
	}
	return nil
}

// add decodes an element.
func (m *many[T]) add(item []byte) {
	var value T
	if item[0] != 'n' && json.Unmarshal(item, &value) == nil {
		*m = append(*m, value)
	}
}

// reasons are the errors of an answer: an array, a map or a single sentence. Null, false and "" mean no error.
type reasons struct {
	texts     []string
	present   bool
	malformed bool // an error has no text
}

// Bounds on the errors of an answer.
const (
	mostReasons   = 60   // each of an order's fifty images may have one
	longestReason = 4000 // bytes: it may quote an address
	deepestReason = 4    // levels of nested lists
)

func (r *reasons) UnmarshalJSON(b []byte) error {
	r.present = true
	if value := string(b); value != "null" && value != "false" && value != `""` {
		r.add(b, deepestReason)
	}
	return nil
}

// add adds the texts of a JSON value with at most depth levels of nested lists.
func (r *reasons) add(value []byte, depth int) {
	var t text
	_ = t.UnmarshalJSON(value)
	reason := strings.TrimSpace(Unescape(clip(string(t), longestReason)))
	switch first := value[0]; {
	case len(r.texts) == mostReasons:
	case depth > 0 && (first == '[' || first == '{'):
		for _, item := range sorted(members(value)) {
			r.add(item, depth-1)
		}
	case reason == "":
		r.malformed = true
	default:
		r.texts = append(r.texts, reason)
	}
}

// sorted returns the first values of a list, or of a map sorted by key.
func sorted(all iter.Seq2[[]byte, []byte]) (values [][]byte) {
	var keys [][]byte
	for key, value := range all {
		at, _ := slices.BinarySearchFunc(keys, key, bytes.Compare)
		if key == nil {
			at = len(keys)
		}
		keys, values = slices.Insert(keys, at, key), slices.Insert(values, at, value)
		if len(values) == mostReasons {
			break
		}
	}
	return values
}

// clip shortens a text to at most so many bytes, without splitting a character.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
