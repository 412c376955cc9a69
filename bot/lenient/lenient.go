// Package lenient decodes Slack's JSON.
//
// Slack's objects vary: an empty map comes as [], a number as text, or a block has a type that slack-go
// does not know (slack-go#943, #316, #1265). A malformed value is lost alone, at any depth.
package lenient

import (
	"bytes"
	"encoding"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/slack-go/slack"
)

// ErrMalformed is the error of a payload that is not Slack's.
var ErrMalformed = errors.New("malformed payload")

// MaxDepth bounds the nesting of a payload. Slack's have about ten levels. Later readers of stored
// payloads rely on it.
const MaxDepth = 100

// Both options replace invalid UTF-8 by U+FFFD. For a repeated name the last value counts, but repeated
// objects are merged.
var (
	strict = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	// lenient leaves a malformed value zero.
	lenient = json.JoinOptions(strict, json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFunc(readBlocks), json.UnmarshalFromFunc(readPart),
	)))
)

// Decode decodes a JSON object into a zero struct. A malformed value stays zero. It fails only if raw is
// not a JSON object.
func Decode(raw []byte, into any) error {
	if stdjson.Unmarshal(raw, into) == nil {
		return nil
	}
	return readLenient(raw, into)
}

// DecodeNarrow decodes a JSON object into a zero struct with few fields. It matches names exactly. It
// fails only if doc is not a JSON object or is nested deeper than deepest.
func DecodeNarrow(doc []byte, into any, deepest int) error {
	if mayBeDeeper(doc, deepest) && depth(doc) > deepest {
		return fmt.Errorf("%w: nested too deep", ErrMalformed)
	}
	return Read(doc, into)
}

// Read decodes strictly, which is fast, and leniently if that fails.
func Read(doc []byte, into any) error {
	if jsontext.Value(doc).Kind() == '{' && json.Unmarshal(doc, into, strict) == nil {
		return nil
	}
	return readLenient(doc, into)
}

func readLenient(doc []byte, into any) error {
	if jsontext.Value(doc).Kind() != '{' {
		return fmt.Errorf("%w: no JSON object", ErrMalformed)
	}
	reflect.ValueOf(into).Elem().SetZero() // a failed decoding may have set some fields
	err := json.Unmarshal(doc, into, lenient)
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("%w: no JSON, at byte %d", ErrMalformed, syntax.ByteOffset)
	}
	if err != nil {
		return ErrMalformed // the error's text may hold a secret
	}
	return nil
}

// mayBeDeeper is a fast check that is false for most documents within the depth. Every level that is open
// in the middle is opened before and closed after it.
func mayBeDeeper(doc []byte, deepest int) bool {
	first, second := doc[:len(doc)/2], doc[len(doc)/2:]
	return bytes.Count(first, []byte("{"))+bytes.Count(first, []byte("[")) > deepest ||
		bytes.Count(second, []byte("}"))+bytes.Count(second, []byte("]")) > deepest
}

// depth returns the deepest nesting of objects and lists in a JSON document.
func depth(doc []byte) (deepest int) {
	level := 0
	for at := 0; at < len(doc); at++ {
		switch doc[at] {
		case '{', '[':
			level++
			deepest = max(deepest, level)
		case '}', ']':
			level--
		case '"':
			for at++; at < len(doc) && doc[at] != '"'; at++ {
				if doc[at] == '\\' {
					at++
				}
			}
		}
	}
	return deepest
}

// readPart decodes a value that may be malformed. It leaves objects and lists to the library, which calls
// readPart for their elements.
func readPart(dec *jsontext.Decoder, into any) error {
	v := reflect.ValueOf(into).Elem()
	if hasParts(v.Type(), dec.PeekKind()) {
		return errors.ErrUnsupported
	}
	v.SetZero()
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	switch at := into.(type) {
	case *slack.File:
		into = &at.ID // some places have only its id
	case ByID:
		into = at.IDField()
	}
	if v.CanInt() {
		var n Count
		_ = n.UnmarshalJSON(raw) // it never fails
		v.SetInt(int64(n))
	} else if json.Unmarshal(raw, into, strict) != nil {
		v.SetZero()
	}
	return nil
}

// ByID is an object that Slack may replace by its id alone. IDField returns the field for the id.
type ByID interface{ IDField() *string }

// hasParts reports whether a value is the object or list that the type expects, whose elements are decoded
// one by one.
func hasParts(t reflect.Type, value jsontext.Kind) bool {
	pointer := reflect.PointerTo(t)
	if pointer.Implements(reflect.TypeFor[stdjson.Unmarshaler]()) || pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return false
	}
	switch t.Kind() {
	case reflect.Pointer:
		return hasParts(t.Elem(), value)
	case reflect.Struct, reflect.Map:
		return value == '{'
	case reflect.Slice:
		return value == '['
	}
	return false
}

// readBlocks decodes the blocks that slack-go knows.
func readBlocks(raw []byte, all *slack.Blocks) error {
	var each []stdjson.RawMessage
	_ = stdjson.Unmarshal(raw, &each) // a malformed list has no blocks
	*all = slack.Blocks{}
	for _, one := range each {
		var read slack.Blocks
		if list, err := stdjson.Marshal([]stdjson.RawMessage{one}); err == nil && stdjson.Unmarshal(list, &read) == nil {
			all.BlockSet = append(all.BlockSet, read.BlockSet...)
		}
	}
	return nil
}

// Count is a positive integer, given as a number or text. Anything else is 0.
type Count int64

// UnmarshalJSON decodes a number or text.
func (c *Count) UnmarshalJSON(raw []byte) error {
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `" `), 64)
	if *c = 0; err == nil && n > 0 && n < 1<<53 {
		*c = Count(n)
	}
	return nil
}

// Truth is a boolean, given as such or as text. Anything else is false.
type Truth bool

// UnmarshalJSON decodes a boolean or text.
func (t *Truth) UnmarshalJSON(raw []byte) error {
	var text string
	_ = json.Unmarshal(raw, &text, strict) // fails for a boolean
	*t = string(raw) == "true" || text == "true"
	return nil
}

// String is a string that Slack may replace by an object with an id, such as the user of team_join or the
// channel of channel_created. Anything else is "".
type String string

// UnmarshalJSON decodes a string or an object.
func (s *String) UnmarshalJSON(raw []byte) error {
	switch jsontext.Value(raw).Kind() {
	case '"':
		text, _ := jsontext.AppendUnquote(nil, raw) // invalid UTF-8 is replaced
		*s = String(text)
	case '{':
		var object struct {
			ID string `json:"id"`
		}
		_ = readLenient(raw, &object) // raw is a valid object
		*s = String(object.ID)
	default:
		*s = ""
	}
	return nil
}
