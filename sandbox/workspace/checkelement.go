package workspace

import (
	"fmt"
	"slices"
	"strings"
)

// Where each element may stand. Slack: docs.slack.dev/reference/block-kit/block-elements.
var (
	selects = []string{
		"static_select", "external_select", "users_select", "conversations_select", "channels_select",
		"multi_static_select", "multi_external_select", "multi_users_select", "multi_conversations_select", "multi_channels_select",
	}
	choices         = append([]string{"checkboxes", "radio_buttons"}, selects...)
	sectionElements = append([]string{"button", "image", "overflow"}, choices...)
	actionElements  = append([]string{"button", "overflow"}, choices...)
	inputElements   = append([]string{"plain_text_input", "file_input"}, choices...)
)

// element checks one element where only some kinds are allowed.
func (c *checker) element(at string, e object, allowed []string) {
	kind := str(e, "type")
	if !slices.Contains(allowed, kind) {
		c.fail(at+"/type", "unsupported type: %s", kind)
		return
	}
	c.size(at, e, "action_id", maxID, false)
	c.textObject(at, e, "placeholder", maxPlaceholder, true, false)
	c.confirm(at, e)
	if flag(e, "focus_on_load") {
		c.focused++
	}
	switch kind {
	case "image":
		c.image(at, e)
	case "button":
		c.button(at, e)
	case "overflow":
		c.options(at+"/options", objects(e["options"]), maxOverflow, true)
	case "checkboxes", "radio_buttons":
		c.options(at+"/options", objects(e["options"]), maxFewOptions, false)
		c.initial(at, e)
	case "static_select", "multi_static_select":
		c.staticSelect(at, e)
	case "plain_text_input":
		c.plainInput(at, e)
	case "file_input":
		c.fileInput(at, e)
	case "conversations_select", "multi_conversations_select":
		c.filter(at, e)
	}
	c.dispatch(at, e)
}

func (c *checker) button(at string, e object) {
	c.textObject(at, e, "text", maxButtonText, true, true)
	c.size(at, e, "value", maxButtonValue, false)
	c.size(at, e, "url", maxURL, false)
	c.size(at, e, "accessibility_label", maxButtonText, false)
	c.style(at, e)
}

func (c *checker) staticSelect(at string, e object) {
	_, hasOptions := e["options"]
	groups, hasGroups := e["option_groups"]
	switch {
	case hasOptions == hasGroups:
		c.fail(at, "must have exactly one of options and option_groups")
	case hasOptions:
		c.options(at+"/options", objects(e["options"]), maxOptions, true)
	default:
		c.groups(at+"/option_groups", objects(groups))
	}
	c.initial(at, e)
}

func (c *checker) groups(at string, groups []object) {
	c.count(at, len(groups), 1, maxOptions)
	for i, g := range groups {
		place := fmt.Sprintf("%s/%d", at, i)
		c.textObject(place, g, "label", maxOptionText, true, true)
		c.options(place+"/options", objects(g["options"]), maxOptions, true)
	}
}

// initial wants the chosen options to be among those offered.
func (c *checker) initial(at string, e object) {
	chosen := objects(e["initial_options"])
	if one, present := e["initial_option"].(object); present {
		chosen = append(chosen, one)
	}
	offered := offeredOptions(e)
	for _, o := range chosen {
		if !slices.ContainsFunc(offered, func(other object) bool { return str(other, "value") == str(o, "value") }) {
			c.fail(at, "initial option %q must be one of the options", str(o, "value"))
		}
	}
}

// offeredOptions are an element's options, those in groups included.
func offeredOptions(e object) []object {
	all := slices.Clone(objects(e["options"]))
	for _, g := range objects(e["option_groups"]) {
		all = append(all, objects(g["options"])...)
	}
	return all
}

func (c *checker) plainInput(at string, e object) {
	c.rangeOf(at, e, "min_length", 0, maxText)
	c.rangeOf(at, e, "max_length", 1, maxText)
	c.size(at, e, "initial_value", maxText, false)
	if most, given := number(e["max_length"]); given && float64(length(str(e, "initial_value"))) > most {
		c.fail(at+"/initial_value", "must be less than %d characters", int(most)+1)
	}
}

// filter wants a conversations select to say which kinds it offers in Slack's words.
func (c *checker) filter(at string, e object) {
	filter, present := e["filter"].(object)
	if !present {
		return
	}
	include, hasInclude := filter["include"].([]any)
	if len(filter) == 0 || hasInclude && len(include) == 0 {
		c.fail(at+"/filter", "must not be empty")
	}
	for _, kind := range include {
		if !slices.Contains([]any{"im", "mpim", "private", "public"}, kind) {
			c.fail(at+"/filter/include", "must be one of: im, mpim, private, public")
		}
	}
}

// dispatch checks when an input tells the app what is typed.
func (c *checker) dispatch(at string, e object) {
	config, present := e["dispatch_action_config"].(object)
	if !present {
		return
	}
	on, _ := config["trigger_actions_on"].([]any)
	if len(on) == 0 {
		c.fail(at+"/dispatch_action_config", "missing required field: trigger_actions_on")
	}
	for _, when := range on {
		if !slices.Contains([]any{"on_enter_pressed", "on_character_entered"}, when) {
			c.fail(at+"/dispatch_action_config", "must be one of: on_enter_pressed, on_character_entered")
		}
	}
}

func (c *checker) fileInput(at string, e object) {
	if c.surface != inModal {
		c.fail(at+"/type", "unsupported type: file_input")
	}
	c.rangeOf(at, e, "max_files", 1, 10)
	kinds, _ := e["filetypes"].([]any)
	for i, kind := range kinds {
		if s, isText := kind.(string); !isText || s == "" || strings.HasPrefix(s, ".") {
			c.fail(fmt.Sprintf("%s/filetypes/%d", at, i), "must be a file extension without a dot")
		}
	}
}

func (c *checker) rangeOf(at string, e object, key string, least, most float64) {
	value, present := e[key]
	if n, ok := number(value); present && (!ok || n < least || n > most) {
		c.fail(at+"/"+key, "must be between %d and %d", int(least), int(most))
	}
}
