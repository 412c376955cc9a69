package workspace

import (
	"fmt"
	"slices"
)

// What may stand within what. Where sources differ only what all of them have is taken: a
// form field within a layout is in slack-go alone, rich_text within a container in Slack's
// page but not in what others saw accepted.
// Slack: docs.slack.dev/reference/block-kit/blocks/layout-block and …/container-block.
var (
	steady            = []string{"context", "divider", "header", "image", "rich_text", "section", "table"}
	layoutChildren    = append([]string{"actions", "alert", "card", "carousel", "container"}, steady...)
	containerChildren = []string{"actions", "context", "divider", "header", "image", "layout", "section", "table"}
)

// child checks a block within another where only some types are allowed.
func (c *checker) child(at string, b object, allowed []string) {
	kind := str(b, "type")
	deeper := kind == "layout" || kind == "container"
	switch {
	case b != nil && !slices.Contains(allowed, kind):
		c.fail(at+"/type", "unsupported type: %s", kind)
	case deeper && c.nesting >= maxNesting:
		c.fail(at, "no more than %d levels of layout and container allowed", maxNesting)
	default:
		c.block(at, b)
	}
}

func (c *checker) layout(at string, b object) {
	c.size(at, b, "label", maxTitle, true)
	c.text += length(str(b, "label"))
	c.boolean(at, b, "is_label_visible")
	c.oneOf(at, b, "grid_lines", "none", "rows", "outer")
	rows := objects(b["rows"])
	c.count(at+"/rows", len(rows), 1, maxRows)
	c.nesting++
	for i, row := range rows {
		c.row(fmt.Sprintf("%s/rows/%d", at, i), row)
	}
	c.nesting--
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
		// slack-go tells of restrictions on a carousel's size without naming them.
		if str(block, "type") == "carousel" && len(items) > 1 {
			c.fail(place+"/block", "a carousel must be alone in its row")
		}
		c.child(place+"/block", block, layoutChildren)
	}
}

// container wants one of two titles; the rich one wins.
func (c *checker) container(at string, b object) {
	rich, isRich := b["rich_text_title"].(object)
	c.textObject(at, b, "title", maxTitle, true, !isRich)
	if isRich {
		c.richText(at+"/rich_text_title", rich)
	}
	c.textObject(at, b, "subtitle", maxTitle, false, false)
	c.oneOf(at, b, "width", "narrow", "standard", "wide", "full")
	c.picture(at, b, "icon")
	for _, key := range []string{"is_collapsible", "default_collapsed", "has_header_divider"} {
		c.boolean(at, b, key)
	}
	if flag(b, "default_collapsed") && !flag(b, "is_collapsible") {
		c.fail(at+"/default_collapsed", "requires is_collapsible")
	}
	if flag(b, "has_header_divider") && flag(b, "is_collapsible") {
		c.fail(at+"/has_header_divider", "must not be collapsible")
	}
	children := objects(b["child_blocks"])
	c.count(at+"/child_blocks", len(children), 1, maxChildren)
	c.nesting++
	for i, child := range children {
		c.child(fmt.Sprintf("%s/child_blocks/%d", at, i), child, containerChildren)
	}
	c.nesting--
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

func (c *checker) carousel(at string, b object) {
	cards := objects(b["elements"])
	c.count(at+"/elements", len(cards), 1, maxCards)
	for i, card := range cards {
		c.child(fmt.Sprintf("%s/elements/%d", at, i), card, []string{"card"})
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
