package cards

import (
	"strconv"
	"strings"

	"darkroom/store"

	"github.com/slack-go/slack"
)

// PickBlock begins the block id of a picker; the name of the note that keeps the typed
// words follows.
const PickBlock = "pick:"

// Limits of an option (docs.slack.dev/reference/block-kit/composition-objects/option-object)
// and of the answer to an external select.
const (
	maxOption      = 75
	maxOptionValue = 150
	MaxChoices     = 100
)

// Pick lets a person choose the order that a verb is for, when more than one fits: they
// type a part of its name. words are what they typed after the verb, kept in note. Without
// an order to choose there is no picker, and a sentence says why.
func Pick(verb string, fitting []store.Tracked, words, note string) Message {
	if len(Choices(fitting)) == 0 {
		return SayWith(NothingFits(verb, len(fitting)), words)
	}
	p := &builder{}
	p.section("Which order? "+fit(len(fitting))+" Choose one, or name it: `/order "+code(verb)+" ID`", slack.NewAccessory(orderSelect(verb)))
	p.blocks[0].(*slack.SectionBlock).BlockID = clip(PickBlock+note, maxID)
	return p.kept("Your words are kept:", words).message()
}

// PickNamed is [Pick] between the orders of one name: they alone are offered.
func PickNamed(verb, name string, fitting []store.Tracked, words, note string) Message {
	options := Choices(fitting)
	if len(options) == 0 {
		return SayWith(NothingFits(verb, len(fitting)), words)
	}
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeStatic, plainText("Choose an order"), ActionPick+verb, options...)
	p := &builder{}
	p.section(strconv.Itoa(len(fitting))+" orders are called like “"+inline(name, 80)+"”. Which one?", slack.NewAccessory(choose))
	p.blocks[0].(*slack.SectionBlock).BlockID = clip(PickBlock+note, maxID)
	return p.kept("Your words are kept:", words).message()
}

// NothingFits says why there is no order to choose, and what can be done. fitting are the orders
// that would fit, and cannot be carried by a picker.
func NothingFits(verb string, fitting int) string {
	if fitting > 0 {
		return "Which order? " + fit(fitting) + " Name it: `/order " + code(verb) + " ID`. The ID is on its card"
	}
	return orElse(nothingFits[verb], "There is no order here yet. Place the first one with `/order new`")
}

var nothingFits = map[string]string{
	"approve":   "No order here is ready for review just now. See how they stand with `/order list`",
	"revise":    "No order here is ready for review just now. See how they stand with `/order list`",
	"cancel":    "No order here can be canceled: the service takes one back only in its first minutes. See how they stand with `/order list`",
	"message":   "No order here is open, so there is no editor who could get this. Place one with `/order new`",
	"reference": "No order here is open, so there is no editor who could get this. Place one with `/order new`",
}

func fit(n int) string {
	return plural(n, "One fits.", strconv.Itoa(n)+" fit.")
}

// Choices are the options of a picker, at most [MaxChoices]: each carries the [Value] of
// its order. An order whose id is too long to be carried is left out.
func Choices(orders []store.Tracked) []*slack.OptionBlockObject {
	var options []*slack.OptionBlockObject
	for _, t := range orders {
		value := Value(t.ID, t.Order.Rev())
		if units(value) > maxOptionValue || len(options) == MaxChoices {
			continue
		}
		options = append(options, slack.NewOptionBlockObject(value, plainText(choice(t)), nil))
	}
	return options
}

// choice is "Smith wedding [K7Q2XM] · Ready for review": a long name loses its end, never
// the reference.
func choice(t store.Tracked) string {
	name, mark := projectName(t)
	tail := plain(mark, 24) + " · " + plain(plainStatus(t), 24)
	name = plain(name, maxOption-units(tail)-2)
	if strings.ContainsFunc(name, rightToLeft) {
		name = isolate + name + pop
	}
	return name + tail
}

// AskedBelow is shown in a window that opened before it was known which order is meant.
const AskedBelow = "More than one order may be meant, or none. I ask you in the conversation behind this window: close it and choose there."
