package kit

import (
	"github.com/slack-go/slack"
)

// Mrkdwn returns a text object of safe text with markup.
func Mrkdwn(safe string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.MarkdownType, safe, false, true)
}

// PlainText returns a text object without markup.
func PlainText(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, s, true, false)
}
