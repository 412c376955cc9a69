package workspace

import (
	"fmt"
	"slices"
)

// What may stand in a line of rich text. Slack: docs.slack.dev/reference/block-kit/blocks/rich-text-block.
var (
	inlineKinds = []string{"text", "link", "emoji", "user", "usergroup", "channel", "broadcast", "color", "date", "team"}
	codeKinds   = []string{"text", "link"}
)

// inlineNeeds is the member that an inline element is nothing without.
var inlineNeeds = map[string]string{
	"text": "text", "link": "url", "emoji": "name", "user": "user_id", "usergroup": "usergroup_id", "channel": "channel_id",
	"broadcast": "range", "color": "value", "date": "format", "team": "team_id",
}

// richText checks a rich_text block; nothing in it may be empty.
func (c *checker) richText(at string, b object) {
	elements := objects(b["elements"])
	c.count(at+"/elements", len(elements), 1, maxViewBlocks)
	for i, e := range elements {
		place := fmt.Sprintf("%s/elements/%d", at, i)
		switch kind := str(e, "type"); kind {
		case "rich_text_section", "rich_text_quote":
			c.inline(place, e, inlineKinds)
		case "rich_text_preformatted":
			c.inline(place, e, codeKinds)
		case "rich_text_list":
			c.richList(place, e)
		default:
			c.fail(place+"/type", "unsupported type: %s", kind)
		}
	}
}

func (c *checker) richList(at string, e object) {
	if _, given := e["style"]; !given {
		c.fail(at+"/style", "missing required field: style")
	}
	c.oneOf(at, e, "style", "bullet", "ordered")
	c.rangeOf(at, e, "indent", 0, maxIndent)
	items := objects(e["elements"])
	c.count(at+"/elements", len(items), 1, maxViewBlocks)
	for i, item := range items {
		place := fmt.Sprintf("%s/elements/%d", at, i)
		if kind := str(item, "type"); kind != "rich_text_section" {
			c.fail(place+"/type", "unsupported type: %s", kind)
			continue
		}
		c.inline(place, item, inlineKinds)
	}
}

// inline checks the texts, links and mentions of one line, quote or piece of code.
func (c *checker) inline(at string, e object, allowed []string) {
	elements := objects(e["elements"])
	if len(elements) == 0 {
		c.fail(at+"/elements", "missing element")
	}
	for i, one := range elements {
		place, kind := fmt.Sprintf("%s/elements/%d", at, i), str(one, "type")
		if !slices.Contains(allowed, kind) {
			c.fail(place+"/type", "unsupported type: %s", kind)
			continue
		}
		c.size(place, one, inlineNeeds[kind], maxURL, true)
		c.text += length(str(one, "text"))
	}
}

// table checks rows of cells, all their text together.
// Slack: docs.slack.dev/reference/block-kit/blocks/table-block.
func (c *checker) table(at string, b object) {
	c.tables++
	rows, _ := b["rows"].([]any)
	c.count(at+"/rows", len(rows), 1, maxTableRows)
	before := c.text
	for i, row := range rows {
		place := fmt.Sprintf("%s/rows/%d", at, i)
		cells := objects(row)
		c.count(place, len(cells), 1, maxTableColumns)
		for j, cell := range cells {
			c.cell(fmt.Sprintf("%s/%d", place, j), cell)
		}
	}
	if c.text-before > maxTableText {
		c.fail(at+"/rows", "all cells must be less than %d characters", maxTableText+1)
	}
	settings := objects(b["column_settings"])
	c.count(at+"/column_settings", len(settings), 0, maxTableColumns)
	for i, s := range settings {
		c.oneOf(fmt.Sprintf("%s/column_settings/%d", at, i), s, "align", "left", "center", "right")
	}
}

func (c *checker) cell(at string, cell object) {
	switch kind := str(cell, "type"); kind {
	case "raw_text":
		c.size(at, cell, "text", maxTableText, true)
		c.text += length(str(cell, "text"))
	case "raw_number":
		if _, isNumber := cell["value"].(float64); !isNumber {
			c.fail(at+"/value", "missing required field: value")
		}
		c.text += length(str(cell, "text"))
	case "rich_text":
		c.richText(at, cell)
	default:
		c.fail(at+"/type", "unsupported type: %s", kind)
	}
}
