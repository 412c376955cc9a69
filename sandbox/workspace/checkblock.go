package workspace

import (
	"fmt"
	"slices"
)

// block checks one block.
func (c *checker) block(at string, b object) {
	if b == nil {
		c.fail(at, "must be an object")
		return
	}
	c.blockID(at, b)
	kind := str(b, "type")
	switch {
	case slices.Contains(c.unknown, kind):
		c.novel++
		c.fail(at+"/type", "unsupported type: %s", kind)
		return
	case kind == "alert" && c.surface != inModal:
		c.fail(at+"/type", "unsupported type: %s", kind)
		return
	}
	switch kind {
	case "section":
		c.section(at, b)
	case "header":
		c.textObject(at, b, "text", maxHeader, true, true)
	case "divider":
	case "context":
		c.context(at, b)
	case "actions":
		c.actions(at, b)
	case "input":
		c.input(at, b)
	case "image":
		c.image(at, b)
		c.textObject(at, b, "title", maxLabel, true, false)
	case "alert":
		c.textObject(at, b, "text", maxAlert, false, true)
		c.oneOf(at, b, "level", "default", "info", "warning", "error", "success")
	case "card":
		c.card(at, b)
	case "layout":
		c.layout(at, b)
	default:
		c.fail(at+"/type", "unsupported type: %s", kind)
	}
}

func (c *checker) blockID(at string, b object) {
	c.size(at, b, "block_id", maxID, false)
	id := str(b, "block_id")
	if id == "" {
		return
	}
	if c.blockIDs[id] {
		c.fail(at+"/block_id", "`block_id` must be unique, %q already exists", id)
	}
	c.blockIDs[id] = true
}

func (c *checker) section(at string, b object) {
	fields := objects(b["fields"])
	_, hasFields := b["fields"]
	c.textObject(at, b, "text", maxText, false, !hasFields)
	if hasFields {
		c.count(at+"/fields", len(fields), 1, maxFields)
	}
	for i, f := range fields {
		c.textOf(fmt.Sprintf("%s/fields/%d", at, i), f, maxFieldText, false)
	}
	if e, present := b["accessory"].(object); present {
		c.element(at+"/accessory", e, sectionElements)
	}
}

func (c *checker) context(at string, b object) {
	elements := objects(b["elements"])
	c.count(at+"/elements", len(elements), 1, maxContext)
	for i, e := range elements {
		place := fmt.Sprintf("%s/elements/%d", at, i)
		if str(e, "type") == "image" {
			c.image(place, e)
			continue
		}
		c.textOf(place, e, maxText, false)
	}
}

func (c *checker) actions(at string, b object) {
	c.elements(at+"/elements", objects(b["elements"]), maxActions, actionElements)
}

// elements checks a list of interactive elements that stand beside each other.
func (c *checker) elements(at string, elements []object, most int, allowed []string) {
	c.count(at, len(elements), 1, most)
	seen := map[string]bool{}
	for i, e := range elements {
		place := fmt.Sprintf("%s/%d", at, i)
		c.element(place, e, allowed)
		id := str(e, "action_id")
		if id != "" && seen[id] {
			c.fail(place+"/action_id", "`action_id` must be unique in a block, %q already exists", id)
		}
		seen[id] = true
	}
}

func (c *checker) input(at string, b object) {
	c.inputs++
	c.textObject(at, b, "label", maxLabel, true, true)
	c.textObject(at, b, "hint", maxLabel, true, false)
	e, present := b["element"].(object)
	if !present {
		c.fail(at+"/element", "missing required field: element")
		return
	}
	c.element(at+"/element", e, inputElements)
}

// image checks an image block or element.
func (c *checker) image(at string, o object) {
	c.size(at, o, "alt_text", maxAlt, true)
	file, isFile := o["slack_file"].(object)
	_, isURL := o["image_url"]
	switch {
	case isFile == isURL:
		c.fail(at, "must have exactly one of image_url and slack_file")
	case isURL:
		c.size(at, o, "image_url", maxURL, true)
		c.images = append(c.images, image{at + "/image_url", str(o, "image_url")})
	case (str(file, "id") == "") == (str(file, "url") == ""):
		c.fail(at+"/slack_file", "must have exactly one of id and url")
	default:
		c.files = append(c.files, image{at + "/slack_file", str(file, "id") + str(file, "url")})
	}
}
