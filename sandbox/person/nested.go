package person

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/sandbox/workspace"
)

// nest is what a layout, a container or a carousel says itself, and then what is in it.
func (p *Person) nest(s surface, b object) []string {
	var lines []string
	if visible, _ := b["is_label_visible"].(bool); visible {
		lines = append(lines, str(b, "label"))
	}
	if title, isRich := b["rich_text_title"].(object); isRich {
		lines = append(lines, p.rich(title)...)
	} else {
		lines = append(lines, p.lines(b, "title")...)
	}
	lines = append(lines, p.lines(b, "subtitle")...)
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

// table is a line for each row.
func (p *Person) table(b object) []string {
	var lines []string
	rows, _ := b["rows"].([]any)
	for _, row := range rows {
		var cells []string
		for _, cell := range list(row) {
			switch {
			case str(cell, "type") == "rich_text":
				cells = append(cells, strings.Join(p.rich(cell), " "))
			case str(cell, "text") == "" && cell["value"] != nil:
				cells = append(cells, fmt.Sprint(cell["value"]))
			default:
				cells = append(cells, str(cell, "text"))
			}
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	return lines
}

// rich is a rich_text block, each of its paragraphs, quotes and list items by itself.
func (p *Person) rich(b object) []string {
	var lines []string
	for _, e := range list(b["elements"]) {
		if str(e, "type") != "rich_text_list" {
			lines = append(lines, p.inline(e))
			continue
		}
		for i, item := range list(e["elements"]) {
			bullet := "• "
			if str(e, "style") == "ordered" {
				bullet = fmt.Sprintf("%d. ", i+1)
			}
			lines = append(lines, bullet+p.inline(item))
		}
	}
	return lines
}

// inline is the text of a paragraph, or of what stands in one.
func (p *Person) inline(o object) string {
	var words strings.Builder
	switch str(o, "type") {
	case "user":
		words.WriteString(p.person(str(o, "user_id")))
	case "channel":
		words.WriteString(p.conversation(str(o, "channel_id")))
	case "link":
		words.WriteString(either(str(o, "text"), str(o, "url")))
	case "emoji":
		words.WriteString(":" + str(o, "name") + ":")
	case "broadcast":
		words.WriteString("@" + str(o, "range"))
	default:
		words.WriteString(either(str(o, "text"), str(o, "fallback")))
	}
	for _, e := range list(o["elements"]) {
		words.WriteString(p.inline(e))
	}
	return words.String()
}

// closest is the smallest part of a block that holds the text and has something to press or
// fill: one card, one item or row of a layout, some of what a container holds.
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
	switch str(b, "type") {
	case "carousel":
		for _, card := range workspace.Nested(b) {
			found = append(found, []object{card})
		}
	case "container":
		found = append(found, sections(workspace.Nested(b))...)
	case "layout":
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
