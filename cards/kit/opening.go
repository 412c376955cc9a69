package kit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/slack-go/slack"
)

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
		if input, is := block.(*slack.InputBlock); is {
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
