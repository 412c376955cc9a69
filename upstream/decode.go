package upstream

import (
	"bytes"
	"encoding/json"
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/shopspring/decimal"

	"darkroom/order"
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

// amount is a decimal, sent as a number or as a string, as [order.Credits] has it.
type amount struct{ decimal.NullDecimal }

// longestNumber is how many bytes of an amount, a count or a time there may be.
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
		if at = at.UTC(); at.Year() > 0 && at.Year() < 10000 { // what JSON can hold
			m.Time = at
		}
		return nil
	}
	return nil
}

// single reads an object, or the only one of an array, into a struct, and reports whether
// there is one.
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

// mostItems is how many elements of a list are read from either end of it.
const mostItems = 500

// many is an array, an object standing for its only element, or the map with
// numbers for keys that PHP makes of an array with gaps. It is nil when there
// is no such thing; an element of another kind is dropped. Of a longer list the middle is left out.
type many[T any] []T

func (m *many[T]) UnmarshalJSON(b []byte) error {
	items, list := elements(b)
	if !list {
		return nil
	}
	*m = many[T]{}
	var last [][]byte // a ring
	n := 0
	for item := range items {
		switch {
		case n < mostItems:
			m.add(item)
		case n < 2*mostItems:
			last = append(last, item)
		default:
			last[n%mostItems] = item
		}
		n++
	}
	first := 0
	if len(last) == mostItems {
		first = n % mostItems
	}
	for _, item := range slices.Concat(last[first:], last[:first]) {
		m.add(item)
	}
	return nil
}

// add reads an element.
func (m *many[T]) add(item []byte) {
	var value T
	if item[0] != 'n' && json.Unmarshal(item, &value) == nil {
		*m = append(*m, value)
	}
}

// complaints are the errors of an answer. Null, false and "" are none; one
// sentence alone or a map of them is accepted; odd is an error without words.
type complaints struct {
	texts   []string
	present bool
	odd     bool
}

// What is read of an answer's errors.
const (
	mostReasons   = 60   // an order has fifty images, each of which may be wrong
	longestReason = 4000 // bytes: it may quote an address
	deepestReason = 4    // lists in lists
)

func (c *complaints) UnmarshalJSON(b []byte) error {
	c.present = true
	if none := string(b); none != "null" && none != "false" && none != `""` {
		c.add(b, deepestReason)
	}
	return nil
}

// add adds what a JSON value says, which has so many lists in lists at most.
func (c *complaints) add(value []byte, depth int) {
	var t text
	_ = t.UnmarshalJSON(value)
	says := strings.TrimSpace(Unescape(clip(string(t), longestReason)))
	switch first := value[0]; {
	case len(c.texts) == mostReasons:
	case depth > 0 && (first == '[' || first == '{'):
		for _, item := range sorted(members(value)) {
			c.add(item, depth-1)
		}
	case says == "":
		c.odd = true
	default:
		c.texts = append(c.texts, says)
	}
}

// sorted are the first values of a list, those of a map by their keys.
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

// clip cuts a text to so many bytes, and no letter in two.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
