package kit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/slack-go/slack"
)

// Answer is one block of a submitted view, with its value.
type Answer struct {
	Block string
	slack.BlockAction
}

// AnswersOf returns a field's blocks in order. It searches by prefix, because a block id holds the attempt
// too.
func AnswersOf(view slack.View, field string) []Answer {
	var all []Answer
	for _, id := range blocksOf(view, field) {
		for _, action := range view.State.Values[id] { // each block has one
			all = append(all, Answer{id, action})
		}
	}
	return all
}

// blocksOf returns the ids of a field's blocks, in order.
func blocksOf(view slack.View, field string) []string {
	if view.State == nil {
		return nil
	}
	var ids []string
	for id := range view.State.Values {
		if rest, ok := strings.CutPrefix(id, field); ok && (rest == "" || rest[0] == ':') {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return ids
}

// HasField reports whether a view has a block of the field.
func HasField(view slack.View, field string) bool { return len(blocksOf(view, field)) > 0 }

// BlockOf returns the block at which Slack shows the field's error.
func BlockOf(view slack.View, field string) string {
	if all := blocksOf(view, field); len(all) > 0 {
		return all[0]
	}
	return BlockID(field, 0, 0)
}

// AnswerOf returns the first answer of a field.
func AnswerOf(view slack.View, field string) slack.BlockAction {
	for _, first := range AnswersOf(view, field) {
		return first.BlockAction
	}
	return slack.BlockAction{}
}

// TextOf joins the text of all of a field's blocks.
func TextOf(view slack.View, field string) string {
	return strings.Join(Map(AnswersOf(view, field), func(_ int, box Answer) string { return box.Value }), "\n")
}

// ValuesOf maps a field's block ids to their answers.
func ValuesOf(view slack.View, field string) map[string]slack.BlockAction {
	values := map[string]slack.BlockAction{}
	for _, one := range AnswersOf(view, field) {
		values[one.Block] = one.BlockAction
	}
	return values
}

// Answers are a form's values by field.
type Answers map[string]slack.BlockAction

// Values returns the answers as comparable text.
func (a Answers) Values() map[string]string {
	values := make(map[string]string, len(a))
	for field, action := range a {
		values[field] = AnswerText(action)
	}
	return values
}

// AnswerText returns an answer as text. The order of several choices does not matter.
func AnswerText(a slack.BlockAction) string {
	several := slices.Sorted(slices.Values(ChosenIn(a)))
	return cmp.Or(a.SelectedOption.Value, strings.Join(several, " "), strings.TrimSpace(a.Value))
}

// ChosenIn returns the users and options chosen in a field.
func ChosenIn(a slack.BlockAction) []string {
	return append(slices.Clone(a.SelectedUsers), Map(a.SelectedOptions, func(_ int, o slack.OptionBlockObject) string { return o.Value })...)
}

// Opening returns the initial values of the page's inputs.
func (p *Page) Opening() Answers {
	all := Answers{}
	for _, block := range p.Blocks {
		if input, ok := block.(*slack.InputBlock); ok {
			all[FieldIn(input.BlockID)] = initialOf(input.Element)
		}
	}
	return all
}

func initialOf(element slack.BlockElement) (a slack.BlockAction) {
	switch e := element.(type) {
	case *slack.RadioButtonsBlockElement:
		a.SelectedOption = *e.InitialOption
	case *slack.SelectBlockElement:
		a.SelectedOption = *e.InitialOption
	case *slack.MultiSelectBlockElement:
		a.SelectedUsers = e.InitialUsers
		a.SelectedOptions = Map(e.InitialOptions, func(_ int, o *slack.OptionBlockObject) slack.OptionBlockObject { return *o })
	case *slack.CheckboxGroupsBlockElement:
		a.SelectedOptions = Map(e.InitialOptions, func(_ int, o *slack.OptionBlockObject) slack.OptionBlockObject { return *o })
	case *slack.PlainTextInputBlockElement:
		a.Value = e.InitialValue
	}
	return a
}

// FieldIn returns the field of a block id.
func FieldIn(block string) string {
	field, _, _ := strings.Cut(block, ":")
	return field
}
