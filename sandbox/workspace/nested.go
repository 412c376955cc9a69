package workspace

import (
	"maps"
	"slices"
)

// Every is each block and, right after it, those nested in it, as a reader meets them. What
// a layout falls back to is not among them.
func Every(blocks []map[string]any) []map[string]any {
	var found []object
	for _, b := range blocks {
		found = append(append(found, b), Every(Nested(b))...)
	}
	return found
}

// Nested are the blocks directly within a block, in order: the items of a layout.
func Nested(b map[string]any) []map[string]any {
	if str(b, "type") != "layout" {
		return nil
	}
	var items []object
	for _, row := range objects(b["rows"]) {
		for _, item := range objects(row["items"]) {
			block, _ := item["block"].(object)
			items = append(items, block)
		}
	}
	return items
}

// everywhere is Every with what layouts fall back to.
func everywhere(blocks []object) []object {
	all := Every(blocks)
	for _, b := range slices.Clone(all) {
		if str(b, "type") == "layout" {
			all = append(all, objects(b["fallback"])...)
		}
	}
	return all
}

// Elements are the interactive elements of a block and its images, in order; those of
// nested blocks are their own.
func Elements(b map[string]any) []map[string]any {
	var found []object
	for _, key := range []string{"icon", "hero_image", "accessory", "element"} {
		if e, present := b[key].(object); present {
			found = append(found, e)
		}
	}
	switch str(b, "type") {
	case "actions", "context":
		found = append(found, objects(b["elements"])...)
	case "card":
		found = append(found, objects(b["actions"])...)
	}
	return found
}

// renested is a copy of the block with its lists of nested blocks passed through change,
// which gives one block for one, except of a fallback.
func renested(b object, change func([]object) []object) object {
	b = maps.Clone(b)
	if str(b, "type") != "layout" {
		return b
	}
	rows := make([]object, 0, len(objects(b["rows"])))
	for _, row := range objects(b["rows"]) {
		rows = append(rows, relaid(row, change))
	}
	b["rows"], b["fallback"] = rows, change(objects(b["fallback"]))
	return b
}

// relaid is renested of one row of a layout.
func relaid(row object, change func([]object) []object) object {
	items := make([]object, 0, len(objects(row["items"])))
	for _, item := range objects(row["items"]) {
		item = maps.Clone(item)
		if block, isBlock := item["block"].(object); isBlock {
			item["block"] = change([]object{block})[0]
		}
		items = append(items, item)
	}
	row = maps.Clone(row)
	setIf(row, "items", items, row != nil)
	return row
}

// identified gives every block and element the ids Slack makes up for those that came
// without, and every layout its fallback, or nothing; the blocks given are
// not changed.
func (w *Workspace) identified(blocks []object) []object {
	out := make([]object, 0, len(blocks))
	for _, b := range blocks {
		b = renested(b, w.identified)
		if str(b, "block_id") == "" {
			b["block_id"] = w.id("b")
		}
		for _, key := range []string{"accessory", "element"} {
			if e, ok := b[key].(object); ok {
				b[key] = w.named(e)
			}
		}
		if list := map[string]string{"actions": "elements", "card": "actions"}[str(b, "type")]; b[list] != nil {
			named := make([]any, 0, len(objects(b[list])))
			for _, e := range objects(b[list]) {
				named = append(named, w.named(e))
			}
			b[list] = named
		}
		out = append(out, b)
	}
	return out
}

func (w *Workspace) named(element object) object {
	element = maps.Clone(element)
	if str(element, "action_id") == "" && str(element, "type") != "image" {
		element["action_id"] = w.id("a")
	}
	return element
}
