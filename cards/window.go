package cards

import (
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// The windows that follow a submitted form: what was asked for is on its way, waits for the
// service, was done, was denied, or nobody knows.

// Notes of such windows.
const (
	OnItsWay    = "You can close this window. The result appears on the order's card, and if anything goes wrong you are told."
	InTheThread = " in the order's thread, and if anything goes wrong you are told."
	NothingToDo = "There is nothing for you to do. If anything goes wrong you are told."
)

// NotNow begins what waits for the service.
const NotNow = "The photo service does not answer just now. Nothing "

// WindowOn makes the window that shows these paragraphs and this note about an order, as [Expand]
// completes them.
func WindowOn(title, note string, paragraphs ...string) func(t store.Tracked, externalID string) slack.ModalViewRequest {
	show := WindowWith(title, note, paragraphs...)
	return func(t store.Tracked, externalID string) slack.ModalViewRequest { return show(t, "", externalID) }
}

// WindowWith is windowOn with what the person had typed, so that it can be copied.
func WindowWith(title, note string, paragraphs ...string) func(t store.Tracked, words, externalID string) slack.ModalViewRequest {
	return func(t store.Tracked, words, externalID string) slack.ModalViewRequest {
		p := &kit.Page{Wide: true}
		for _, paragraph := range paragraphs {
			p.Say(Expand(paragraph, t))
		}
		return p.Typed("Your words:", words).Note(Expand(note, t)).Modal(title, externalID, MetaOf(t))
	}
}

// DeniedWith makes the window that says in a sentence of ours, safe as it is, why nothing was done.
func DeniedWith(title string) func(t store.Tracked, words, sentence, externalID string) slack.ModalViewRequest {
	return func(t store.Tracked, words, sentence, externalID string) slack.ModalViewRequest {
		return kit.NewAlert(sentence).Typed("Your words:", words).Modal(title, externalID, MetaOf(t))
	}
}

// ToOrder is " of {order} ", nothing without an order.
func ToOrder(word string, t store.Tracked) string {
	return kit.OnlyIf(t.ID != "", word+" {order} ")
}
