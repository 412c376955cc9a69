package person

import (
	"slices"
	"strings"

	"darkroom/sandbox/workspace"
)

// nest is what a layout says itself, and then what is in it.
func (p *Person) nest(s surface, b object) []string {
	var lines []string
	if visible, _ := b["is_label_visible"].(bool); visible {
		lines = append(lines, str(b, "label"))
	}
	for _, inner := range workspace.Nested(b) {
		lines = append(lines, p.block(s, inner)...)
	}
	return lines
}

// lines are the text objects of a block under the keys, those that are there.
func (p *Person) lines(b object, keys ...string) []string {
	var lines []string
	for _, key := range keys {
		if text := p.text(b[key]); text != "" {
			lines = append(lines, text)
		}
	}
	return lines
}

func (p *Person) card(s surface, b object) []string {
	var lines []string
	if e, present := b["hero_image"].(object); present {
		lines = append(lines, imageWords(e))
	}
	lines = append(lines, p.lines(b, "title", "subtitle", "body", "subtext")...)
	var buttons []string
	for _, e := range list(b["actions"]) {
		buttons = append(buttons, p.element(s, b, e))
	}
	if len(buttons) > 0 {
		lines = append(lines, strings.Join(buttons, " "))
	}
	return lines
}

// closest is the smallest part of a block that holds the text and has something to press or
// fill: one item or row of a layout.
func (p *Person) closest(s surface, b object, text string) ([]object, bool) {
	for _, group := range groups(b) {
		if !p.says(s, group, text) {
			continue
		}
		for _, inner := range group {
			if part, found := p.closest(s, inner, text); found {
				return part, true
			}
		}
		if one := slices.IndexFunc(group, func(inner object) bool { return p.says(s, []object{inner}, text) && touchable(inner) }); one >= 0 {
			return group[one : one+1], true
		}
		return group, slices.ContainsFunc(group, touchable)
	}
	return nil, false
}

// groups are the blocks within a block that belong together.
func groups(b object) [][]object {
	var found [][]object
	if str(b, "type") == "layout" {
		for _, row := range list(b["rows"]) {
			found = append(found, workspace.Nested(object{"type": "layout", "rows": []object{row}}))
		}
	}
	return found
}

// sections are blocks parted before each section, header, divider and card.
func sections(blocks []object) [][]object {
	var found [][]object
	for _, b := range blocks {
		if len(found) == 0 || slices.Contains([]string{"section", "header", "divider", "card"}, str(b, "type")) {
			found = append(found, nil)
		}
		found[len(found)-1] = append(found[len(found)-1], b)
	}
	return found
}

// says tells whether the text can be read in blocks of a surface.
func (p *Person) says(s surface, blocks []object, text string) bool {
	var lines []string
	for _, b := range blocks {
		lines = append(lines, p.block(s, b)...)
	}
	return holds(strings.Join(lines, "\n"), text)
}

// touchable tells whether a block, or one in it, has a button or a field.
func touchable(b object) bool {
	return slices.ContainsFunc(workspace.Every([]object{b}), func(b object) bool {
		return slices.ContainsFunc(workspace.Elements(b), func(e object) bool {
			kind := str(e, "type")
			return kind != "image" && kind != "mrkdwn" && kind != "plain_text"
		})
	})
}
