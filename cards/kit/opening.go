package kit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/slack-go/slack"
)

// Answers are the answers of a form, by field.
type Answers map[string]slack.BlockAction

// Values are the answers as they are compared and written down.
func (a Answers) Values() map[string]string {
	values := make(map[string]string, len(a))
	for field, action := range a {
		values[field] = AnswerText(action)
	}
	return values
}

// AnswerText is an answer as text, whatever the order in which several were chosen.
func AnswerText(a slack.BlockAction) string {
	several := slices.Sorted(slices.Values(ChosenIn(a)))
	return cmp.Or(a.SelectedOption.Value, strings.Join(several, " "), strings.TrimSpace(a.Value))
}

// ChosenIn returns the users and options chosen in a field.
func ChosenIn(a slack.BlockAction) []string {
	return append(slices.Clone(a.SelectedUsers), Map(a.SelectedOptions, func(_ int, o slack.OptionBlockObject) string { return o.Value })...)
}

// Opening are the answers that a form begins with.
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

// FieldIn is the field that a block is of.
func FieldIn(block string) string {
	field, _, _ := strings.Cut(block, ":")
	return field
}
