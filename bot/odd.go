package bot

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/slack-go/slack"
)

// Slack's objects vary: an empty map comes as [], a number as text, a block is of a kind
// that the library does not know. What is read here costs only itself when it is odd, see
// slack-go#943, #316 and #1265.

// Decode reads a JSON object of Slack's into a struct, which is zero before. A field that
// is odd costs only itself; only what is no JSON, or no object, is an error.
func Decode(raw []byte, into any) error {
	if json.Unmarshal(raw, into) == nil {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return err
	}
	reflect.ValueOf(into).Elem().SetZero() // what was read until then may be half of something
	for name, value := range fields {
		one, err := json.Marshal(map[string]json.RawMessage{name: value})
		if err == nil {
			_ = json.Unmarshal(one, into) // the odd one
		}
	}
	return nil
}

// Files are those of a message or of an upload field, decoded one by one: what cannot be
// read of one is missing in it, and a file of which nothing can be read has no ID.
type Files []slack.File

// UnmarshalJSON never fails.
func (f *Files) UnmarshalJSON(raw []byte) error {
	*f = nil
	var each []json.RawMessage
	if json.Unmarshal(raw, &each) != nil {
		return nil //nolint:nilerr // a list that is none holds nothing
	}
	for _, one := range each {
		*f = append(*f, decodeFile(one))
	}
	return nil
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

// decodeState reads what a form holds, field by field: `values` may be [] where it is empty.
func decodeState(raw json.RawMessage) *slack.ViewState {
	var state struct {
		Values map[string]json.RawMessage `json:"values"`
	}
	if absent(raw) || Decode(raw, &state) != nil {
		return nil
	}
	values := map[string]map[string]slack.BlockAction{}
	for block, inside := range state.Values {
		var fields map[string]json.RawMessage
		_ = json.Unmarshal(inside, &fields) // [], when nothing was filled in
		held := map[string]slack.BlockAction{}
		for action, value := range fields {
			held[action] = decodeHeld(value)
		}
		values[block] = held
	}
	return &slack.ViewState{Values: values}
}

// decodeHeld reads what one field holds.
func decodeHeld(raw json.RawMessage) slack.BlockAction {
	var held slack.BlockAction
	var with struct {
		Files Files `json:"files"`
	}
	_ = Decode(without(raw, "files"), &held) // a field of which nothing can be read is empty
	_ = Decode(raw, &with)
	held.Files = with.Files
	return held
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
