package kit

import (
	"cmp"

	"github.com/slack-go/slack"
)

// Loading is what opens at once, before anything is known.
func Loading(title, externalID string) slack.ModalViewRequest {
	return NewPage("One moment…").Modal(title, externalID, Meta{})
}

// Notice is a safe sentence instead of a form.
func Notice(title, sentence, externalID string) slack.ModalViewRequest {
	return NoticeWith(title, sentence, "", externalID)
}

// NoticeWith is [Notice] with what the person had typed, so that it can be copied.
func NoticeWith(title, sentence, words, externalID string) slack.ModalViewRequest {
	return NewWindow(cmp.Or(Cut(sentence, MaxSection), "Nothing to show.")).Typed("Your words:", words).
		Modal(title, externalID, Meta{})
}
