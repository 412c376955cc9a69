package workspace

import (
	"slices"
	"strings"
)

// carried is the state of a view's elements: kept where the element is still
// there, else what the app made the initial value.
func (w *Workspace) carried(v *View) map[string]map[string]any {
	values := map[string]map[string]any{}
	for _, b := range everywhere(v.Blocks) {
		block := str(b, "block_id")
		for _, e := range statefulElements(b) {
			action := str(e, "action_id")
			if values[block] == nil {
				values[block] = map[string]any{}
			}
			kept, known := v.Values[block][action].(object)
			if known && str(kept, "type") == str(e, "type") {
				values[block][action] = kept
				continue
			}
			values[block][action] = initialState(e, v.window)
		}
	}
	return values
}

// statefulElements are the elements of a block that hold a value.
func statefulElements(b object) []object {
	var found []object
	for _, e := range Elements(b) {
		switch str(e, "type") {
		case "button", "overflow", "image":
		default:
			found = append(found, e)
		}
	}
	return found
}

// valueKey is the member of an element's state that holds its value, and the
// member of the element that holds its initial value.
func valueKey(kind string) (key, initial string) {
	switch kind {
	case "static_select", "external_select", "radio_buttons", "overflow":
		return "selected_option", "initial_option"
	case "multi_static_select", "multi_external_select", "checkboxes":
		return "selected_options", "initial_options"
	case "file_input":
		return "files", "initial_files"
	case "plain_text_input":
		return "value", "initial_value"
	}
	what := strings.TrimSuffix(strings.TrimPrefix(kind, "multi_"), "s_select") // user, conversation, channel
	if strings.HasPrefix(kind, "multi_") {
		return "selected_" + what + "s", "initial_" + what + "s"
	}
	return "selected_" + what, "initial_" + what
}

// initialState is an element's state before anybody touched it.
func initialState(e object, win *Window) object {
	kind := str(e, "type")
	key, initial := valueKey(kind)
	value := e[initial]
	if value == nil && kind == "conversations_select" && flag(e, "default_to_current_conversation") && win != nil {
		value = win.current(e)
	}
	if value == nil && (strings.HasPrefix(kind, "multi_") || kind == "checkboxes" || kind == "file_input") {
		value = []any{}
	}
	return object{"type": kind, key: value}
}

// current is the conversation the person stands in when the select's filter
// lets it through; the caller holds the lock.
func (win *Window) current(e object) any {
	if c := win.w.channel(win.place); c != nil && win.w.passes(c, e) {
		return c.ID
	}
	return nil
}

// passes tells whether a conversations select offers the channel.
func (w *Workspace) passes(c *Channel, e object) bool {
	filter, _ := e["filter"].(object)
	include, limited := filter["include"].([]any)
	kind := map[string]string{"im": "im", "mpim": "mpim", "private_channel": "private", "public_channel": "public"}[c.kind()]
	switch {
	case limited && !slices.Contains(include, any(kind)):
		return false
	case flag(filter, "exclude_external_shared_channels") && w.external(c):
		return false
	}
	return c.IM == "" || !flag(filter, "exclude_bot_users")
}

// Offers tells whether a conversations select offers the channel.
func (w *Workspace) Offers(element map[string]any, channel string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.channel(channel)
	return c != nil && w.passes(c, element)
}

// StateOf is the state of an element of the kind that holds the value; Slack
// sends empty text as null.
func StateOf(kind string, value any) map[string]any {
	key, _ := valueKey(kind)
	if value == "" {
		value = nil
	}
	return object{"type": kind, key: value}
}

// ValueIn is the value an element's state holds; nil is empty.
func ValueIn(state map[string]any) any {
	key, _ := valueKey(str(state, "type"))
	switch value := state[key].(type) {
	case string:
		if value != "" {
			return value
		}
	case []any:
		if len(value) > 0 {
			return value
		}
	default:
		return value
	}
	return nil
}
