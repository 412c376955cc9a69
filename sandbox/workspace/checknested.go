package workspace

import (
	"fmt"
	"slices"
)

// What may stand within a layout and what it may fall back to. A form field within a layout
// is in slack-go alone: it is not taken. Neither is a block that the app does not send.
// Slack: docs.slack.dev/reference/block-kit/blocks/layout-block.
var (
	steady         = []string{"context", "divider", "header", "image", "section"}
	layoutChildren = append([]string{"actions", "alert", "card"}, steady...)
)

// child checks a block within another where only some types are allowed.
func (c *checker) child(at string, b object, allowed []string) {
	if kind := str(b, "type"); b != nil && !slices.Contains(allowed, kind) {
		c.fail(at+"/type", "unsupported type: %s", kind)
		return
	}
	c.block(at, b)
}

func (c *checker) layout(at string, b object) {
	c.size(at, b, "label", maxTitle, true)
	c.text += length(str(b, "label"))
	c.boolean(at, b, "is_label_visible")
	c.oneOf(at, b, "grid_lines", "none", "rows", "outer")
	rows := objects(b["rows"])
	c.count(at+"/rows", len(rows), 1, maxRows)
	for i, row := range rows {
		c.row(fmt.Sprintf("%s/rows/%d", at, i), row)
	}
	for i, f := range objects(b["fallback"]) {
		c.child(fmt.Sprintf("%s/fallback/%d", at, i), f, steady)
	}
}

func (c *checker) row(at string, row object) {
	items := objects(row["items"])
	c.count(at+"/items", len(items), 1, maxItems)
	for i, item := range items {
		place := fmt.Sprintf("%s/items/%d", at, i)
		c.oneOf(place, item, "width", "narrow", "standard", "wide")
		c.oneOf(place, item, "horizontal_alignment", "start", "center", "end")
		block, isBlock := item["block"].(object)
		if !isBlock {
			c.fail(place+"/block", "missing required field: block")
			continue
		}
		c.child(place+"/block", block, layoutChildren)
	}
}

// card wants something to show. Slack: docs.slack.dev/reference/block-kit/blocks/card-block.
func (c *checker) card(at string, b object) {
	shows := func(key string) bool { return b[key] != nil }
	if !slices.ContainsFunc([]string{"hero_image", "title", "body", "actions"}, shows) {
		c.fail(at, "must have at least one of hero_image, title, body and actions")
	}
	c.picture(at, b, "hero_image")
	c.picture(at, b, "icon")
	if shows("icon") && shows("slack_icon") {
		c.fail(at, "must have at most one of icon and slack_icon")
	}
	c.textObject(at, b, "title", maxTitle, false, false)
	c.textObject(at, b, "subtitle", maxTitle, false, false)
	c.textObject(at, b, "body", maxCardText, false, false)
	c.textObject(at, b, "subtext", maxCardText, false, false)
	if shows("actions") {
		c.elements(at+"/actions", objects(b["actions"]), maxCardActions, []string{"button"})
	}
}

// picture checks an image element under a key of its own.
func (c *checker) picture(at string, o object, key string) {
	if o[key] == nil {
		return
	}
	e, _ := o[key].(object)
	c.element(at+"/"+key, e, []string{"image"})
}

func (c *checker) boolean(at string, o object, key string) {
	value, present := o[key]
	if _, isBool := value.(bool); present && !isBool {
		c.fail(at+"/"+key, "must be a boolean")
	}
}
