package kit

import (
	"cmp"
	"hash/fnv"
	"strconv"

	"github.com/slack-go/slack"
)

// Field is a field of a form: an input under its label, with a hint unless that is "".
func Field(id, label, hint string, element slack.BlockElement) *slack.InputBlock {
	block := slack.NewInputBlock(id, PlainText(label), nil, element)
	if hint != "" {
		block.Hint = PlainText(hint)
	}
	return block
}

// Beside puts a problem of a submitted form beside the field that it is about.
func Beside(view slack.View, field, problem string) map[string]string {
	return map[string]string{BlockOf(view, field): problem}
}

// Boxes adds an input for each text: the first one, and more for words that are longer than Slack
// lets one hold. block makes the id of each.
func (p *Page) Boxes(field, label, hint string, texts []string, block func(part int) string) *Page {
	for i, text := range texts {
		label += OnlyIf(i == 1, " (more)")
		p.Put(Field(block(i), label, hint, Multiline(field, text, MaxInput)).WithOptional(true))
	}
	return p
}

// MaxTextBoxes bounds the boxes of one field: a command line is shorter.
const MaxTextBoxes = 4

// BlockID changes with every attempt, so that a form shown again starts from
// its initial values; within one attempt it stays, and what is being typed
// survives an update (Slack: docs.slack.dev/surfaces/modals).
func BlockID(field string, attempt, part int) string {
	return field + ":" + strconv.Itoa(attempt) + OnlyIf(part > 0, ":"+strconv.Itoa(part))
}

// Hash is a few letters that stand for an id of any length.
func Hash(id string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(id)) // never fails
	return strconv.FormatUint(sum.Sum64(), 36)
}

// ChannelSelect is a menu of the channels that the person is in.
func ChannelSelect(action, chosen string) *slack.SelectBlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeConversations, PlainText("Choose a channel"), action)
	choose.Filter = &slack.SelectBlockElementFilter{Include: []string{"public", "private"}, ExcludeBotUsers: true}
	if IsChannel(chosen) {
		choose.InitialConversation = chosen
	}
	return choose
}

// LiveInput is a box whose words are kept while they are typed.
func LiveInput(id, label, hint string, box *slack.PlainTextInputBlockElement) *slack.InputBlock {
	return live(Field(id, label, hint, box), box)
}

func live(block *slack.InputBlock, box *slack.PlainTextInputBlockElement) *slack.InputBlock {
	box.DispatchActionConfig = &slack.DispatchActionConfig{TriggerActionsOn: []string{"on_character_entered"}}
	return block.WithDispatchAction(true)
}

// maxBoxes bounds a form; a draft beyond it cannot have come from one.
const maxBoxes = 10

// InBoxes packs lines into as few boxes as hold them; always at least one.
func InBoxes(values []string) []string {
	boxes := packed(values, MaxInput)
	return boxes[:min(len(boxes), maxBoxes)]
}

// Input is a box for one line.
func Input(field, value string, limit int) *slack.PlainTextInputBlockElement {
	box := slack.NewPlainTextInputBlockElement(nil, field)
	box.InitialValue = Clip(value, limit)
	box.MaxLength = limit
	return box
}

// Multiline is a box for several lines.
func Multiline(field, value string, limit int) *slack.PlainTextInputBlockElement {
	return Input(field, value, limit).WithMultiline(true)
}

// OptionOf is the option with that value, nil when there is none.
func OptionOf(options []*slack.OptionBlockObject, value string) *slack.OptionBlockObject {
	for _, option := range options {
		if option.Value == value {
			return option
		}
	}
	return nil
}

// TickBox is a single box to tick, told at once.
func TickBox(action, block, label, says string, ticked bool) slack.Block {
	option := slack.NewOptionBlockObject("yes", PlainText(says), nil)
	choose := slack.NewCheckboxGroupsBlockElement(action, option)
	if ticked {
		choose.InitialOptions = []*slack.OptionBlockObject{option}
	}
	return Field(block, label, "", choose).WithOptional(true).WithDispatchAction(true)
}

// Radio lets one of the options be chosen: the first, while none of them was.
func (p *Page) Radio(field, label, hint, chosen string, options ...*slack.OptionBlockObject) {
	choose := slack.NewRadioButtonsBlockElement(field, options...)
	choose.InitialOption = cmp.Or(OptionOf(options, chosen), options[0])
	p.Put(Field(BlockID(field, 0, 0), label, hint, choose))
}
