package cards

import (
	"cmp"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// PickBlock begins a picker's block id. The name of the saved text follows.
const PickBlock = "pick:"

// Limits of an option (docs.slack.dev/reference/block-kit/composition-objects/option-object) and of the answer
// to an external select.
const (
	maxOption  = 75
	MaxChoices = 100
)

// Pick lets a person choose a verb's order by typing part of its name. words is the text typed after the verb,
// saved under note. Without choices a sentence says why.
func Pick(verb string, fitting []store.Tracked, words, note string) kit.Message {
	if len(Choices(fitting)) == 0 {
		return kit.SayWith(NothingFits(verb, len(fitting)), words)
	}
	return picker("Which order? "+fit(len(fitting))+" Choose one, or name it: `/order "+kit.Code(verb)+" ID`", OrderSelect(verb), words, note)
}

// picker asks with a menu beside the question.
func picker(question string, menu slack.BlockElement, words, note string) kit.Message {
	p := &kit.Page{}
	p.Section(question, slack.NewAccessory(menu))
	p.Blocks[0].(*slack.SectionBlock).BlockID = kit.Clip(PickBlock+note, kit.MaxID)
	return p.Typed("Your text is saved:", words).Message()
}

// PickNamed is [Pick] among orders of one name.
func PickNamed(verb, name string, fitting []store.Tracked, words, note string) kit.Message {
	options := Choices(fitting)
	if len(options) == 0 {
		return kit.SayWith(NothingFits(verb, len(fitting)), words)
	}
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, kit.PlainText("Choose an order"), ActionPick+verb, options...)
	return picker(strconv.Itoa(len(fitting))+" orders have a name like “"+kit.Inline(name, 80)+"”. Which one?", choose, words, note)
}

// NothingFits says why there is no order to choose. fitting counts orders whose ids are too long for a picker.
func NothingFits(verb string, fitting int) string {
	if fitting > 0 {
		return "Which order? " + fit(fitting) + " Name it: `/order " + kit.Code(verb) + " ID`. The ID is on its card"
	}
	return cmp.Or(nothingFits[verb], "This channel has no orders yet. Place the first one: `/order new`")
}

var nothingFits = map[string]string{
	"approve":   "No order of this channel is ready for review. See how they stand: `/order list`",
	"revise":    "No order of this channel is ready for review. See how they stand: `/order list`",
	"cancel":    "No order of this channel can be canceled: the photo service takes one back only in its first minutes. See how they stand: `/order list`",
	"message":   "No order of this channel is open, so no editor could get this. Place one: `/order new`",
	"reference": "No order of this channel is open, so no editor could get this. Place one: `/order new`",
}

func fit(n int) string {
	return kit.Plural(n, "One fits.", strconv.Itoa(n)+" fit.")
}

// Choices returns a picker's options, at most [MaxChoices]. Each carries a [Value]. It leaves out orders whose
// ids are too long.
func Choices(orders []store.Tracked) []*slack.OptionBlockObject {
	var options []*slack.OptionBlockObject
	for _, t := range orders {
		value := Value(t.ID, t.Order.Rev())
		if kit.Units(value) > kit.MaxOptionValue || len(options) == MaxChoices {
			continue
		}
		options = append(options, kit.Option(value, choice(t), ""))
	}
	return options
}

// choice returns "Smith wedding [K7Q2XM] · Ready for review". A long name is cut, never the order code.
func choice(t store.Tracked) string {
	name, mark := ProjectName(t)
	tail := kit.Plain(mark, 24) + " · " + kit.Plain(plainStatus(t), 30)
	name = kit.Plain(name, maxOption-kit.Units(tail)-2)
	if strings.ContainsFunc(name, kit.RightToLeft) {
		name = kit.Isolate + name + kit.Pop
	}
	return name + tail
}

// AskedBelow is shown in a window that opened before the order was known.
const AskedBelow = "I cannot tell which order you mean. Close this window and choose in the conversation."
