package kit

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/slack-go/slack"
)

// Field returns an input with its label, and a hint unless hint is "".
func Field(id, label, hint string, element slack.BlockElement) *slack.InputBlock {
	block := slack.NewInputBlock(id, PlainText(label), nil, element)
	if hint != "" {
		block.Hint = PlainText(hint)
	}
	return block
}

// Beside returns a form error that Slack shows at the field.
func Beside(view slack.View, field, problem string) map[string]string {
	return map[string]string{BlockOf(view, field): problem}
}

// Boxes adds one input for each text: long text needs several, because Slack limits each. block makes each id.
func (p *Page) Boxes(field, label, hint string, texts []string, block func(part int) string) *Page {
	for i, text := range texts {
		label += OnlyIf(i == 1, " (more)")
		p.Put(Field(block(i), label, hint, Multiline(field, text, MaxInput)).WithOptional(true))
	}
	return p
}

// MaxTextBoxes bounds the inputs of one field. It holds more text than a command line.
const MaxTextBoxes = 4

// BlockID returns a block id for one attempt at a form. Slack keeps typed text while the id stays, so a new
// attempt starts from initial values (docs.slack.dev/surfaces/modals).
func BlockID(field string, attempt, part int) string {
	return field + ":" + strconv.Itoa(attempt) + OnlyIf(part > 0, ":"+strconv.Itoa(part))
}

// Hash shortens an id of any length to a few letters.
func Hash(id string) string {
	sum := fnv.New64a()
	_, _ = sum.Write([]byte(id)) // never fails
	return strconv.FormatUint(sum.Sum64(), 36)
}

// ChannelSelect returns a menu of the channels that its user is in.
func ChannelSelect(action, chosen string) *slack.SelectBlockElement {
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeConversations, PlainText("Choose a channel"), action)
	choose.Filter = &slack.SelectBlockElementFilter{Include: []string{"public", "private"}, ExcludeBotUsers: true}
	if IsChannel(chosen) {
		choose.InitialConversation = chosen
	}
	return choose
}

// LiveInput returns an input that reports each typed character, so that its text can be saved.
func LiveInput(id, label, hint string, box *slack.PlainTextInputBlockElement) *slack.InputBlock {
	return live(Field(id, label, hint, box), box)
}

func live(block *slack.InputBlock, box *slack.PlainTextInputBlockElement) *slack.InputBlock {
	box.DispatchActionConfig = &slack.DispatchActionConfig{TriggerActionsOn: []string{"on_character_entered"}}
	return block.WithDispatchAction(true)
}

// maxBoxes bounds the inputs of a form. No form writes a longer draft.
const maxBoxes = 10

// InBoxes packs lines into as few inputs as hold them, at least one.
func InBoxes(values []string) []string {
	boxes := Packed(values, MaxInput)
	return boxes[:min(len(boxes), maxBoxes)]
}

// Input returns a one-line text input.
func Input(field, value string, limit int) *slack.PlainTextInputBlockElement {
	box := slack.NewPlainTextInputBlockElement(nil, field)
	box.InitialValue = Clip(value, limit)
	box.MaxLength = limit
	return box
}

// Multiline returns a text input of several lines.
func Multiline(field, value string, limit int) *slack.PlainTextInputBlockElement {
	return Input(field, value, limit).WithMultiline(true)
}

// Option returns an option of a menu. An empty description shows none.
func Option(value, label, description string) *slack.OptionBlockObject {
	option := slack.NewOptionBlockObject(value, PlainText(label), nil)
	if description != "" {
		option.Description = PlainText(description)
	}
	return option
}

// OptionOf returns the option with that value, or nil.
func OptionOf(options []*slack.OptionBlockObject, value string) *slack.OptionBlockObject {
	if i := slices.IndexFunc(options, func(o *slack.OptionBlockObject) bool { return o.Value == value }); i >= 0 {
		return options[i]
	}
	return nil
}

// Checkboxes returns checkboxes. Those with a value in ticked are ticked.
func Checkboxes(action string, options []*slack.OptionBlockObject, ticked ...string) *slack.CheckboxGroupsBlockElement {
	choose := slack.NewCheckboxGroupsBlockElement(action, options...)
	for _, option := range options {
		if slices.Contains(ticked, option.Value) {
			choose.InitialOptions = append(choose.InitialOptions, option)
		}
	}
	return choose
}

// Menu returns a menu. The first option is chosen if chosen is not among them.
func Menu(action, chosen string, options []*slack.OptionBlockObject) *slack.SelectBlockElement {
	menu := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, PlainText("Choose"), action, options...)
	menu.InitialOption = cmp.Or(OptionOf(options, chosen), options[0])
	return menu
}

// YesBox returns a single checkbox.
func YesBox(action, says string, ticked bool) *slack.CheckboxGroupsBlockElement {
	return Checkboxes(action, []*slack.OptionBlockObject{Option("yes", says, "")}, OnlyIf(ticked, "yes"))
}

// TickBox returns a single checkbox in an input that reports each change at once.
func TickBox(action, block, label, says string, ticked bool) slack.Block {
	return Field(block, label, "", YesBox(action, says, ticked)).WithOptional(true).WithDispatchAction(true)
}

// Radio adds radio buttons. The first option is chosen if chosen is not among them.
func (p *Page) Radio(field, label, hint, chosen string, options ...*slack.OptionBlockObject) {
	choose := slack.NewRadioButtonsBlockElement(field, options...)
	choose.InitialOption = cmp.Or(OptionOf(options, chosen), options[0])
	p.Put(Field(BlockID(field, 0, 0), label, hint, choose))
}

// Parts splits text into 1 to most parts of at most limit units. It splits at a line end or space if one is
// near. The last part holds the rest.
func Parts(words string, limit, most int) []string {
	var all []string
	for len(all) < most-1 && Units(words) > limit {
		end := partEnd(words[:unitsEnd(words, limit)])
		all, words = append(all, strings.TrimSpace(words[:end])), strings.TrimSpace(words[end:])
	}
	return append(all, words)
}

// partEnd returns the best place to split: a line end, else a space, in the last sixth of head. Earlier places
// would need more parts.
func partEnd(head string) int {
	for _, at := range []string{"\n", " "} {
		if i := strings.LastIndex(head, at); i > len(head)*5/6 {
			return i
		}
	}
	return len(head)
}

// unitsEnd returns the byte offset after the first limit units of s.
func unitsEnd(s string, limit int) int {
	size := 0
	for i, r := range s {
		if size += utf16.RuneLen(r); size > limit {
			return i
		}
	}
	return len(s)
}

// Packed joins lines into as few texts as possible, at least one. A text has at most limit units, unless one
// line is longer.
func Packed(lines []string, limit int) []string {
	texts := []string{""}
	for _, line := range lines {
		last := len(texts) - 1
		if longer := texts[last] + "\n" + line; texts[last] == "" {
			texts[last] = line
		} else if Units(longer) <= limit {
			texts[last] = longer
		} else {
			texts = append(texts, line)
		}
	}
	return texts
}
