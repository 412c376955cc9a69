package person

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/sandbox/workspace"
)

type object = map[string]any

// surface is one thing that holds blocks: a modal, a home or a message, or
// some rows of one.
type surface struct {
	view    *workspace.View
	message *workspace.Message
	rows    []object
	held    map[string]map[string]any // what was chosen in a message
}

func (s surface) blocks() []object {
	if s.rows != nil {
		return s.rows
	}
	if s.view != nil {
		return s.view.Blocks
	}
	return s.message.Blocks
}

// state is what an element of the surface holds now.
func (s surface) state(block, action string) object {
	values := s.held
	if s.view != nil {
		values = s.view.Values
	}
	state, _ := values[block][action].(object)
	return state
}

// words is everything readable on a surface, a line for each block.
func (p *Person) words(s surface) string {
	if s.message != nil && len(s.message.Blocks) == 0 {
		return strings.Join(append([]string{p.readable(s.message.Text)}, p.attachments(*s.message)...), "\n")
	}
	var lines []string
	for _, b := range s.blocks() {
		lines = append(lines, p.block(s, b)...)
	}
	if s.message != nil {
		lines = append(lines, p.attachments(*s.message)...)
	}
	return strings.Join(lines, "\n")
}

func (p *Person) attachments(m workspace.Message) []string {
	var lines []string
	for _, f := range m.Files {
		lines = append(lines, "(file: "+f.Title+")")
	}
	return lines
}

// block is one block as lines.
func (p *Person) block(s surface, b object) []string {
	switch str(b, "type") {
	case "divider":
		return []string{"----"}
	case "image":
		return []string{strings.TrimSpace(p.text(b["title"]) + " " + imageWords(b))}
	case "input":
		return p.input(s, b)
	case "context", "actions":
		return []string{strings.Join(p.parts(s, b), " ")}
	case "card":
		return p.card(s, b)
	case "layout":
		return p.nest(s, b)
	}
	return p.section(s, b)
}

func (p *Person) section(s surface, b object) []string {
	var lines []string
	if text := p.text(b["text"]); text != "" {
		lines = append(lines, text)
	}
	for _, f := range list(b["fields"]) {
		lines = append(lines, p.text(f))
	}
	if e, present := b["accessory"].(object); present {
		lines = append(lines, p.element(s, b, e))
	}
	return lines
}

func (p *Person) parts(s surface, b object) []string {
	var parts []string
	for _, e := range list(b["elements"]) {
		if kind := str(e, "type"); kind == "mrkdwn" || kind == "plain_text" {
			parts = append(parts, p.text(e))
			continue
		}
		parts = append(parts, p.element(s, b, e))
	}
	return parts
}

func (p *Person) input(s surface, b object) []string {
	label := p.text(b["label"])
	if optional, _ := b["optional"].(bool); optional {
		label += " (optional)"
	}
	e, _ := b["element"].(object)
	lines := []string{label + ": " + p.element(s, b, e)}
	if hint := p.text(b["hint"]); hint != "" {
		lines = append(lines, "  ("+hint+")")
	}
	if s.view != nil && s.view.Errors[str(b, "block_id")] != "" {
		lines = append(lines, "  ! "+s.view.Errors[str(b, "block_id")])
	}
	return lines
}

// element is a button, a picture or a field with what it holds.
func (p *Person) element(s surface, b, e object) string {
	switch kind := str(e, "type"); kind {
	case "image":
		return imageWords(e)
	case "button":
		return "[" + p.text(e["text"]) + "]"
	case "overflow":
		return "[… " + strings.Join(p.offered(e), " | ") + "]"
	case "checkboxes", "radio_buttons":
		return p.boxes(s, b, e)
	}
	held := p.shown(workspace.ValueIn(s.state(str(b, "block_id"), str(e, "action_id"))))
	if held == "" && str(e, "type") == "file_input" {
		return "[Add files]"
	}
	if held == "" {
		return "[" + p.text(e["placeholder"]) + "]"
	}
	return held
}

func (p *Person) boxes(s surface, b, e object) string {
	held := workspace.ValueIn(s.state(str(b, "block_id"), str(e, "action_id")))
	chosen := list(held)
	if one, single := held.(object); single {
		chosen = []object{one}
	}
	var parts []string
	for _, o := range list(e["options"]) {
		box := "( ) "
		if slices.ContainsFunc(chosen, func(c object) bool { return str(c, "value") == str(o, "value") }) {
			box = "(x) "
		}
		parts = append(parts, strings.TrimSpace(box+p.text(o["text"])+" "+p.text(o["description"])))
	}
	return strings.Join(parts, " ")
}

// shown is a field's value as the person reads it.
func (p *Person) shown(value any) string {
	switch v := value.(type) {
	case string:
		return p.named(v)
	case object:
		if name := str(v, "name"); name != "" {
			return name
		}
		return p.text(v["text"])
	case []any:
		var parts []string
		for _, one := range v {
			parts = append(parts, p.shown(one))
		}
		return strings.Join(parts, ", ")
	case nil:
		return ""
	}
	return fmt.Sprint(value)
}

// named is the name of a chosen channel or person, any other text as it is.
func (p *Person) named(value string) string {
	if u := p.ws.User(value); value != "" && u.ID == value {
		return "@" + u.RealName
	}
	if c := p.ws.Channel(value); value != "" && c.ID == value {
		return p.conversation(value)
	}
	return value
}

func (p *Person) offered(e object) []string {
	var texts []string
	for _, o := range list(e["options"]) {
		texts = append(texts, p.text(o["text"]))
	}
	return texts
}

// text is a text object as it reads.
func (p *Person) text(value any) string {
	t, _ := value.(object)
	if str(t, "type") == "mrkdwn" {
		return p.readable(str(t, "text"))
	}
	return str(t, "text")
}

func either(first, second string) string {
	if first != "" {
		return first
	}
	return second
}

func imageWords(e object) string { return "(image: " + str(e, "alt_text") + ")" }

func str(o object, key string) string {
	s, _ := o[key].(string)
	return s
}

func list(v any) []object {
	var out []object
	switch all := v.(type) {
	case []object:
		return all
	case []any:
		for _, one := range all {
			if o, ok := one.(object); ok {
				out = append(out, o)
			}
		}
	}
	return out
}
