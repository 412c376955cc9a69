package person

import (
	"strings"

	"darkroom/sandbox/workspace"
)

// spot is one element on the screen.
type spot struct {
	surface surface
	block   object
	element object
	target  workspace.Target
}

func (s spot) kind() string { return str(s.element, "type") }

func (s spot) state() object { return s.surface.state(s.target.Block, s.target.Action) }

// spots are the elements of a surface, top to bottom, those of nested blocks among them.
func (s surface) spots() []spot {
	var found []spot
	for _, b := range workspace.Every(s.blocks()) {
		for _, e := range workspace.Elements(b) {
			t := workspace.Target{Block: str(b, "block_id"), Action: str(e, "action_id")}
			if s.view != nil {
				t.View = s.view.ID
			} else {
				t.Channel, t.TS = s.message.Channel, s.message.TS
			}
			found = append(found, spot{surface: s, block: b, element: e, target: t})
		}
	}
	return found
}

// field finds an input by its label, its placeholder, the text beside it or, in a row of buttons, what its box says. Exact
// words come before words within.
func (p *Person) field(label string) (spot, bool) { return p.fieldOf(label, p.surfaces()) }

func (p *Person) fieldOf(label string, surfaces []surface) (spot, bool) {
	var all []spot
	for _, s := range surfaces {
		for _, one := range s.spots() {
			if one.kind() != "button" && one.kind() != "image" && one.kind() != "overflow" {
				all = append(all, one)
			}
		}
	}
	for _, one := range all {
		if equal(p.text(one.block["label"]), label) || equal(p.text(one.element["placeholder"]), label) || equal(p.text(one.block["text"]), label) {
			return one, true
		}
	}
	for _, one := range all {
		if str(one.block, "type") == "actions" && p.option(list(one.element["options"]), label) != nil {
			return one, true
		}
	}
	for _, one := range all {
		if beside := p.text(one.block["text"]); beside != "" && holds(beside, label) {
			return one, true
		}
	}
	return spot{}, false
}

func equal(a, b string) bool { return collapsed(a) == collapsed(b) }

// named reports whether a button or a menu's entry has the label. The same words are written in capitals on a button and not in a menu.
func named(text, label string) bool { return strings.EqualFold(collapsed(text), collapsed(label)) }

// press is a button or one entry of an overflow menu.
type press struct {
	spot
	state object // nil for a button
}

// button finds what can be pressed by its label on the surfaces given.
func (p *Person) button(label string, surfaces []surface) (press, bool) {
	for _, s := range surfaces {
		for _, one := range s.spots() {
			switch {
			case one.kind() == "button" && named(p.text(one.element["text"]), label):
				return press{spot: one}, true
			case one.kind() == "overflow":
				if option := p.option(list(one.element["options"]), label); option != nil {
					return press{spot: one, state: workspace.StateOf("overflow", option)}, true
				}
			}
		}
	}
	return press{}, false
}

// option is the one with the text; nil: not found.
func (p *Person) option(options []object, text string) object {
	var begins []object
	for _, o := range options {
		switch says := p.text(o["text"]); {
		case named(says, text):
			return o
		case strings.HasPrefix(says, text):
			begins = append(begins, o)
		}
	}
	if len(begins) == 1 {
		return begins[0]
	}
	return nil
}

// dialog is an open confirmation.
type dialog struct {
	press press
	times workspace.Times
	texts object
}

func (d *dialog) words(p *Person) string {
	return strings.Join([]string{
		"== " + p.text(d.texts["title"]) + " ==", p.text(d.texts["text"]),
		"[" + p.text(d.texts["deny"]) + "] [" + p.text(d.texts["confirm"]) + "]", "",
	}, "\n")
}
