package workspace

import "fmt"

// block checks one block.
func (c *checker) block(at string, b object) {
	if b == nil {
		c.fail(at, "must be an object")
		return
	}
	c.blockID(at, b)
	switch kind := str(b, "type"); kind {
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
	case "rich_text":
		c.count(at+"/elements", len(objects(b["elements"])), 1, maxViewBlocks)
	case "markdown":
		c.markdownBlock(at, b)
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
	elements := objects(b["elements"])
	c.count(at+"/elements", len(elements), 1, maxActions)
	seen := map[string]bool{}
	for i, e := range elements {
		place := fmt.Sprintf("%s/elements/%d", at, i)
		c.element(place, e, actionElements)
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

func (c *checker) markdownBlock(at string, b object) {
	if c.surface != inMessage {
		c.fail(at+"/type", "unsupported type: markdown")
	}
	c.size(at, b, "text", maxMarkdown, true)
	c.markdown += length(str(b, "text"))
	if c.markdown > maxMarkdown {
		c.fail(at+"/text", "all markdown blocks must be less than %d characters", maxMarkdown+1)
	}
}
