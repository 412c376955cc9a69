package kit

import (
	"cmp"

	"github.com/slack-go/slack"
)

// Loading returns the modal that opens at once, before its content is known.
func Loading(title, externalID string) slack.ModalViewRequest {
	return NewPage("One moment…").Modal(title, externalID, Meta{})
}

// Notice returns a modal that shows a safe sentence in place of a form.
func Notice(title, sentence, externalID string) slack.ModalViewRequest {
	return NoticeWith(title, sentence, "", externalID)
}

// NoticeWith is [Notice] with the typed text, so that the person can copy it.
func NoticeWith(title, sentence, words, externalID string) slack.ModalViewRequest {
	return NewWindow(cmp.Or(Cut(sentence, MaxSection), "Nothing to show.")).Typed("Your words:", words).
		Modal(title, externalID, Meta{})
}
