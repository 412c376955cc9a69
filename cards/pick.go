package cards

import (
	"strconv"

	"github.com/slack-go/slack"
)

// PickBlock begins the block id of a picker; the name of the note that keeps the typed
// words follows.
const PickBlock = "pick:"

// Pick lets a person choose the order that a verb is for, when more than one fits: they
// type a part of its name. words are what they typed after the verb, kept in note.
func Pick(verb string, fitting int, words, note string) Message {
	p := &page{}
	if fitting == 0 {
		p.say("No order here fits that just now. See them all with `/order list`, or place one with `/order new`")
		p.kept("Your words:", words)
		return p.message()
	}
	choose := slack.NewOptionsSelectBlockElement(slack.OptTypeExternal, plainText("Type a part of its name"), ActionPick+verb)
	choose.MinQueryLength = new(int)
	p.section("Which order? "+strconv.Itoa(fitting)+" fit. Choose one, or name it: `/order "+code(verb)+" ID`", slack.NewAccessory(choose))
	p.blocks[0].(*slack.SectionBlock).BlockID = PickBlock + note
	p.kept("Your words are kept:", words)
	return p.message()
}

// NotFoundWith is [NotFound] with what else was typed, so that it can be copied.
func NotFoundWith(id, words string) Message {
	p := &page{}
	p.say(NotFound(id))
	p.kept("Your words:", words)
	return p.message()
}

// Missing is [NotFoundWith] as a modal.
func Missing(title, id, words, externalID string) slack.ModalViewRequest {
	p := &page{}
	p.say(NotFound(id))
	p.kept("Your words:", words)
	return p.modal(title, externalID, Meta{})
}
