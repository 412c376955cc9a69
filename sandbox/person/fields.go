package person

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/sandbox/workspace"
)

// Fill types text into the field with the label, in place of what it held.
func (p *Person) Fill(label, text string) error { return p.FillOn("", label, text) }

// FillOn types into the field of what the text belongs to, where several
// fields have the label.
func (p *Person) FillOn(near, label, text string) error {
	return p.change(near, label, func(s spot) (object, error) {
		if s.kind() == "plain_text_input" {
			return workspace.StateOf(s.kind(), text), nil
		}
		return nil, fmt.Errorf("%s takes no text", s.kind())
	})
}

// Folded are the fields that the order form shows behind [MoreOptions].
var Folded = []string{"Photo links", "Project name", "Customer ID", "Post to", "Per photo", "Add more photos"}

// MoreOptions is the button that shows the folded fields.
const MoreOptions = "More Options"

// unfolded is the field with the label. A folded one is looked for behind the button first.
func (p *Person) unfolded(label string, surfaces func() []surface) (spot, bool) {
	s, found := p.fieldOf(label, surfaces())
	if found || !slices.Contains(Folded, label) {
		return s, found
	}
	more, there := p.button(MoreOptions, p.surfaces())
	if !there || more.surface.view == nil || p.opened == more.surface.view.Hash {
		return s, false
	}
	if p.win.Act(more.target, nil, workspace.Once) == nil {
		p.opened = more.surface.view.Hash
		return p.fieldOf(label, surfaces())
	}
	return s, false
}

// change puts a new state into the field with the label, when it is there:
// anywhere, or in what a text belongs to.
func (p *Person) change(near, label string, state func(spot) (object, error)) error {
	return p.attempt("field "+quoted(label), func() error {
		s, found := p.unfolded(label, func() []surface { return p.where(near) })
		if !found {
			return errNotThere
		}
		next, err := state(s)
		if err != nil {
			return err
		}
		return p.win.Act(s.target, next, workspace.Once)
	})
}

// Choose picks the options with the texts: of a select, "#name" of a channel
// select, "@Name" of a people select, radio buttons. A select for many takes
// exactly these.
func (p *Person) Choose(label string, options ...string) error {
	return p.ChooseOn("", label, options...)
}

// ChooseOn chooses in the field of what the text belongs to, where several
// fields have the label.
func (p *Person) ChooseOn(near, label string, options ...string) error {
	return p.change(near, label, func(s spot) (object, error) {
		var chosen []any
		for _, text := range options {
			value, err := p.pick(s, text)
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, value)
		}
		if strings.HasPrefix(s.kind(), "multi_") || s.kind() == "checkboxes" {
			return workspace.StateOf(s.kind(), chosen), nil
		}
		if len(chosen) != 1 {
			return nil, fmt.Errorf("%s takes one option", s.kind())
		}
		return workspace.StateOf(s.kind(), chosen[0]), nil
	})
}

// pick is the value of one option of an element.
func (p *Person) pick(s spot, text string) (any, error) {
	kind := strings.TrimPrefix(s.kind(), "multi_")
	switch kind {
	case "conversations_select", "channels_select":
		return p.pickChannel(s, kind, text)
	case "users_select":
		return p.pickPerson(text)
	}
	options := list(s.element["options"])
	for _, g := range list(s.element["option_groups"]) {
		options = append(options, list(g["options"])...)
	}
	if kind == "external_select" {
		return p.pickSuggested(s, text)
	}
	if o := p.option(options, text); o != nil {
		return o, nil
	}
	return nil, fmt.Errorf("option %q: %w", text, errNotThere)
}

// pickSuggested types the text into an external select and takes the option
// that reads so, or the only one that holds it.
func (p *Person) pickSuggested(s spot, text string) (any, error) {
	options, err := p.win.Suggest(s.target, text)
	if err != nil {
		return nil, err
	}
	if o := p.option(options, text); o != nil {
		return o, nil
	}
	holding := slices.DeleteFunc(slices.Clone(options), func(o object) bool { return !holds(p.text(o["text"]), text) })
	switch len(holding) {
	case 0:
		return nil, fmt.Errorf("option %q: the app does not offer it", text)
	case 1:
		return holding[0], nil
	}
	return nil, fmt.Errorf("option %q: the app offers %d that hold it", text, len(holding))
}

// SeesOptions types into the external select and wants exactly the options
// with the texts, in this order.
func (p *Person) SeesOptions(label, typed string, texts ...string) error {
	return p.attempt("field "+quoted(label), func() error {
		s, found := p.field(label)
		if !found {
			return errNotThere
		}
		options, err := p.win.Suggest(s.target, typed)
		if err != nil {
			return err
		}
		var offered []string
		for _, o := range options {
			offered = append(offered, p.text(o["text"]))
		}
		if !slices.Equal(offered, texts) {
			return fmt.Errorf("%q offers %q, not %q", typed, offered, texts)
		}
		return nil
	})
}

func (p *Person) pickChannel(s spot, kind, name string) (any, error) {
	c := p.ws.Channel(name)
	switch {
	case c.ID == "", c.Private && !c.Has(p.user.ID), c.Archived:
		return nil, fmt.Errorf("channel %s: %w", name, errNotThere)
	case kind == "channels_select" && c.Private, kind == "conversations_select" && !p.ws.Offers(s.element, c.ID):
		return nil, fmt.Errorf("channel %s: not offered", name)
	}
	return c.ID, nil
}

func (p *Person) pickPerson(name string) (any, error) {
	u := p.ws.User(name)
	if u.ID == "" {
		return nil, fmt.Errorf("person %s: %w", name, errNotThere)
	}
	return u.ID, nil
}

// Check ticks boxes of the field; without options, all of them.
func (p *Person) Check(label string, options ...string) error {
	return p.tick(label, options, func(held []any, option object) []any {
		return append(without(held, option), option)
	})
}

// Uncheck unticks boxes of the field; without options, all of them.
func (p *Person) Uncheck(label string, options ...string) error {
	return p.tick(label, options, without)
}

func without(held []any, option object) []any {
	return slices.DeleteFunc(slices.Clone(held), func(o any) bool {
		other, _ := o.(object)
		return str(other, "value") == str(option, "value")
	})
}

func (p *Person) tick(label string, texts []string, apply func([]any, object) []any) error {
	return p.change("", label, func(s spot) (object, error) {
		options := list(s.element["options"])
		if len(texts) == 0 {
			texts = p.offered(s.element)
		}
		held, _ := workspace.ValueIn(s.state()).([]any)
		for _, text := range texts {
			o := p.option(options, text)
			if o == nil {
				return nil, fmt.Errorf("box %q: %w", text, errNotThere)
			}
			held = apply(held, o)
		}
		return workspace.StateOf(s.kind(), held), nil
	})
}

// Slack: docs.slack.dev/reference/block-kit/block-elements/file-input-element.
const maxUpload = 10 << 20 // bytes of one file

// Upload adds files to the file field with the label.
func (p *Person) Upload(label string, files ...workspace.Upload) error {
	return p.change("", label, func(s spot) (object, error) {
		if s.kind() != "file_input" {
			return nil, fmt.Errorf("%s takes no files", s.kind())
		}
		held, _ := workspace.ValueIn(s.state()).([]any)
		most, limited := s.element["max_files"].(float64)
		if !limited {
			most = 10
		}
		if len(held)+len(files) > int(most) {
			return nil, fmt.Errorf("%s takes at most %d files", label, int(most))
		}
		for _, f := range files {
			if len(f.Content) > maxUpload {
				return nil, fmt.Errorf("%s: a file field takes at most 10 MB", f.Name)
			}
		}
		given, _ := workspace.ValueIn(p.win.Give(files...)).([]any)
		return workspace.StateOf("file_input", append(slices.Clone(held), given...)), nil
	})
}
