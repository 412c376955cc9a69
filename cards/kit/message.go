package kit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/slack-go/slack"
)

// Message is one post. Text is read by notifications and screen readers and
// holds the full meaning; Metadata is nil for private answers.
type Message struct {
	Text     string
	Blocks   []slack.Block
	Metadata *slack.SlackMetadata
}

// TextOnly is the same message without its blocks: the last resort when Slack
// rejects them. The metadata stays, so that the post is still found.
func TextOnly(m Message) Message {
	return Message{Text: m.Text, Metadata: m.Metadata}
}

// MetaText is a value of metadata as text: a number comes back as another type.
func MetaText(v any) string {
	switch v := v.(type) {
	case string, json.Number, int, int64:
		return fmt.Sprint(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// Say is a sentence of ours as a message.
func Say(sentence string) Message { return SayWith(sentence, "") }

// SayWith is [Say] with what the person had typed, so that it can be copied.
func SayWith(sentence, words string) Message {
	return NewPage(cmp.Or(Cut(sentence, MaxSection), "Nothing to show.")).Typed("Your words:", words).Message()
}
