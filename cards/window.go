package cards

import (
	"darkroom/cards/kit"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Windows that follow a submitted form: the request is on its way, waits for the service, succeeded, was
// denied, or its outcome is unknown.

// Notes of these windows.
const (
	OnItsWay    = "You can close this window. The result appears on the order's card. If anything goes wrong, I tell you."
	InTheThread = " in the order's thread. If anything goes wrong, I tell you."
	NothingToDo = "You need not do anything. If anything goes wrong, I tell you."
)

// NotNow begins the text of a request that waits for the service.
const NotNow = "The photo service does not answer just now. Nothing "

// WindowOn returns a function that shows paragraphs and a note about an order; see [Expand].
func WindowOn(title, note string, paragraphs ...string) func(t store.Tracked, externalID string) slack.ModalViewRequest {
	show := WindowWith(title, note, paragraphs...)
	return func(t store.Tracked, externalID string) slack.ModalViewRequest { return show(t, "", externalID) }
}

// WindowWith is [WindowOn] with the typed text, so that the person can copy it.
func WindowWith(title, note string, paragraphs ...string) func(t store.Tracked, words, externalID string) slack.ModalViewRequest {
	return func(t store.Tracked, words, externalID string) slack.ModalViewRequest {
		p := &kit.Page{Wide: true}
		for _, paragraph := range paragraphs {
			p.Say(Expand(paragraph, t))
		}
		return p.Typed("Your text:", words).Note(Expand(note, t)).Modal(title, externalID, MetaOf(t))
	}
}

// DeniedWith returns a function that says why nothing was done. sentence is safe text.
func DeniedWith(title string) func(t store.Tracked, words, sentence, externalID string) slack.ModalViewRequest {
	return func(t store.Tracked, words, sentence, externalID string) slack.ModalViewRequest {
		return kit.NewAlert(sentence).Typed("Your text:", words).Modal(title, externalID, MetaOf(t))
	}
}

// ToOrder returns word and {order} between spaces, or "" without an order.
func ToOrder(word string, t store.Tracked) string {
	return kit.OnlyIf(t.ID != "", word+" {order} ")
}
