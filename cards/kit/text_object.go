package kit

import (
	"github.com/slack-go/slack"
)

// Mrkdwn is safe text with markup.
func Mrkdwn(safe string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.MarkdownType, safe, false, true)
}

// PlainText is text without markup.
func PlainText(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, s, true, false)
}
