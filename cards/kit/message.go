package kit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/slack-go/slack"
)

// Message is one post. Text holds the full meaning, for notifications and screen readers. Metadata is nil for
// private answers.
type Message struct {
	Text     string
	Blocks   []slack.Block
	Metadata *slack.SlackMetadata
}

// TextOnly drops the blocks, as the last resort when Slack rejects them. Metadata stays so that the post can
// be found.
func TextOnly(m Message) Message {
	return Message{Text: m.Text, Metadata: m.Metadata}
}

// MetaText returns a metadata value as text. Slack returns numbers as another type.
func MetaText(v any) string {
	switch v := v.(type) {
	case string, json.Number, int, int64:
		return fmt.Sprint(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// MetadataText returns a field of a message's metadata as text, or "" for metadata of another type. Anybody may
// write such metadata, so trust it only on the app's own messages.
func MetadataText(m slack.Message, eventType, field string) string {
	if m.Metadata.EventType != eventType {
		return ""
	}
	return MetaText(m.Metadata.EventPayload[field])
}

// Say returns a message of one safe sentence.
func Say(sentence string) Message { return SayWith(sentence, "") }

// SayWith is [Say] with the typed text, so that the person can copy it.
func SayWith(sentence, typed string) Message {
	return NewPage(cmp.Or(Cut(sentence, MaxSection), "Nothing to show.")).Typed("Your text:", typed).Message()
}

// Loading returns the modal that opens at once, before its content is known.
func Loading(title, externalID string) slack.ModalViewRequest {
	return NewPage("One moment…").Modal(title, externalID, Meta{})
}

// Notice returns a modal that shows a safe sentence in place of a form.
func Notice(title, sentence, externalID string) slack.ModalViewRequest {
	return NoticeWith(title, sentence, "", externalID)
}

// NoticeWith is [Notice] with the typed text, so that the person can copy it.
func NoticeWith(title, sentence, typed, externalID string) slack.ModalViewRequest {
	return NewWindow(cmp.Or(Cut(sentence, MaxSection), "Nothing to show.")).Typed("Your text:", typed).
		Modal(title, externalID, Meta{})
}
