package bot

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/slack-go/slack"
)

// Slack's objects vary: an empty map comes as [], a number as text, a block is of a kind
// that the library does not know. What is read here costs only itself when it is odd, see
// slack-go#943, #316 and #1265.

// Decode reads a JSON object of Slack's into a struct, which is zero before. What is odd in
// it costs only itself, however deep it lies; only what is no JSON, or no object, is an error.
func Decode(raw []byte, into any) error {
	if json.Unmarshal(raw, into) == nil {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	decodeFields(fields, reflect.ValueOf(into).Elem())
	return nil
}

// decodeFields sets the fields of a struct one by one.
func decodeFields(fields map[string]json.RawMessage, into reflect.Value) {
	into.SetZero() // what was read until now may be half of something
	for _, field := range reflect.VisibleFields(into.Type()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if raw, there := fields[cmp.Or(name, field.Name)]; there && field.IsExported() {
			decodePart(raw, into.FieldByIndex(field.Index))
		}
	}
}

// decodePart reads what it can of a value that may be odd.
func decodePart(raw json.RawMessage, into reflect.Value) {
	switch at := into.Addr().Interface().(type) {
	case *slack.File:
		*at = decodeFile(raw)
		return
	case *slack.Blocks:
		*at = decodeBlocks(raw)
		return
	default:
		if json.Unmarshal(raw, at) == nil {
			return
		}
	}
	into.SetZero()
	var list []json.RawMessage
	var fields map[string]json.RawMessage
	switch kind := into.Kind(); {
	case kind == reflect.Slice && json.Unmarshal(raw, &list) == nil:
		into.Set(reflect.MakeSlice(into.Type(), len(list), len(list)))
		for n, item := range list {
			decodePart(item, into.Index(n))
		}
	case json.Unmarshal(raw, &fields) != nil:
	case kind == reflect.Struct:
		decodeFields(fields, into)
	case kind == reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		decodePart(raw, into.Elem())
	case kind == reflect.Map:
		into.Set(reflect.MakeMap(into.Type()))
		for key, value := range fields {
			item := reflect.New(into.Type().Elem()).Elem()
			decodePart(value, item)
			into.SetMapIndex(reflect.ValueOf(key), item)
		}
	}
}

// decodeFile reads one file; Slack may write its size as text, and in some places only
// its id.
func decodeFile(raw json.RawMessage) slack.File {
	var f slack.File
	if Decode(raw, &f) != nil {
		_ = json.Unmarshal(raw, &f.ID) // else it stays without one
	}
	if f.Size <= 0 {
		var text struct {
			Size count `json:"size"`
		}
		_ = Decode(raw, &text) // what is no file has no size
		f.Size = int(text.Size)
	}
	return f
}

// count is a whole number, however Slack writes it; anything else is 0.
type count int64

func (c *count) UnmarshalJSON(raw []byte) error {
	n, err := strconv.ParseFloat(strings.Trim(string(raw), `" `), 64)
	if *c = 0; err == nil && n > 0 && n < 1<<53 {
		*c = count(n)
	}
	return nil
}

// decodeBlocks reads the blocks that the library can read.
func decodeBlocks(raw json.RawMessage) slack.Blocks {
	var each []json.RawMessage
	_ = json.Unmarshal(raw, &each) // a list that is none has no blocks
	var all slack.Blocks
	for _, one := range each {
		var read slack.Blocks
		if list, err := json.Marshal([]json.RawMessage{one}); err == nil && json.Unmarshal(list, &read) == nil {
			all.BlockSet = append(all.BlockSet, read.BlockSet...)
		}
	}
	return all
}

// flexString is a string where Slack sometimes sends an object with an id. Anything else is
// nothing.
type flexString string

func (l *flexString) UnmarshalJSON(b []byte) error {
	var s string
	var o struct{ ID string }
	if json.Unmarshal(b, &s) == nil {
		*l = flexString(s)
	} else if json.Unmarshal(b, &o) == nil {
		*l = flexString(o.ID)
	}
	return nil
}
