// Package lenient reads Slack's JSON.
//
// Slack's objects vary: an empty map comes as [], a number as text, a block is of a kind that slack-go does not know
// (slack-go#943, #316, #1265). A malformed value costs only itself, however deep it lies.
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

// ErrMalformed is the error of a payload that Slack did not make.
var ErrMalformed = errors.New("malformed payload")

// MaxDepth bounds the nesting of a payload: Slack's have some ten levels, and others read again what is kept.
const MaxDepth = 100

// How JSON is read. Invalid UTF-8 becomes U+FFFD. Of a name that comes twice the last value counts, but the names of two
// objects are put together.
var (
	strict = json.JoinOptions(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	// lenient leaves a malformed value zero.
	lenient = json.JoinOptions(strict, json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFunc(readBlocks), json.UnmarshalFromFunc(readPart),
	)))
)

// Decode reads a JSON object of Slack's into a struct, which is zero before. A malformed value in
// it is left zero. It fails only if raw is no JSON object.
func Decode(raw []byte, into any) error {
	if stdjson.Unmarshal(raw, into) == nil {
		return nil
	}
	return readLenient(raw, into)
}

// DecodeNarrow reads a JSON object into a struct of few fields, which is zero before. It matches names exactly.
// It fails only if doc is no JSON object, or is nested deeper than that.
func DecodeNarrow(doc []byte, into any, deepest int) error {
	if mayBeDeeper(doc, deepest) && depth(doc) > deepest {
		return fmt.Errorf("%w: nested too deep", ErrMalformed)
	}
	return Read(doc, into)
}

// Read reads strictly, since that is fast, and leniently if that fails.
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
	reflect.ValueOf(into).Elem().SetZero() // what was read until now may be half of something
	err := json.Unmarshal(doc, into, lenient)
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return fmt.Errorf("%w: no JSON, at byte %d", ErrMalformed, syntax.ByteOffset)
	}
	if err != nil {
		return ErrMalformed // its own text may hold a secret
	}
	return nil
}

// mayBeDeeper is false for most documents that are nested no deeper than that, and fast. What is open at a byte was
// opened before it and is closed after it.
func mayBeDeeper(doc []byte, deepest int) bool {
	first, second := doc[:len(doc)/2], doc[len(doc)/2:]
	return bytes.Count(first, []byte("{"))+bytes.Count(first, []byte("[")) > deepest ||
		bytes.Count(second, []byte("}"))+bytes.Count(second, []byte("]")) > deepest
}

// depth is the deepest nesting of objects and lists in a JSON document.
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

// readPart reads what it can of a value that may be malformed. It leaves objects and lists to the library, which calls
// it for their parts.
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
		into = &at.ID // in some places there is only its id
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

// ByID is an object in whose place Slack may send its id alone; IDField takes it.
type ByID interface{ IDField() *string }

// hasParts tells whether a value is the object or list that a type wants, whose parts are read one by one.
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

// readBlocks reads the blocks that the library can read.
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

// Count is a positive whole number, or text of one; anything else is 0.
type Count int64

// UnmarshalJSON reads a number or a text of one.
func (c *Count) UnmarshalJSON(raw []byte) error {
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `" `), 64)
	if *c = 0; err == nil && n > 0 && n < 1<<53 {
		*c = Count(n)
	}
	return nil
}

// Truth is true or false, or text of that; anything else is false.
type Truth bool

// UnmarshalJSON reads a boolean or a text of one.
func (t *Truth) UnmarshalJSON(raw []byte) error {
	var text string
	_ = json.Unmarshal(raw, &text, strict) // a boolean is no text
	*t = string(raw) == "true" || text == "true"
	return nil
}

// String is a string where Slack sometimes sends an object with an id: the user of team_join, the channel of
// channel_created. Anything else is "".
type String string

// UnmarshalJSON reads a string or an object.
func (s *String) UnmarshalJSON(raw []byte) error {
	switch jsontext.Value(raw).Kind() {
	case '"':
		text, _ := jsontext.AppendUnquote(nil, raw) // invalid UTF-8 is replaced
		*s = String(text)
	case '{':
		var object struct {
			ID string `json:"id"`
		}
		_ = readLenient(raw, &object) // it is JSON
		*s = String(object.ID)
	default:
		*s = ""
	}
	return nil
}
