package kit

import (
	"github.com/slack-go/slack"
)

// Button returns a button in Slack's default style.
func Button(label, action, value string) *slack.ButtonBlockElement {
	return slack.NewButtonBlockElement(action, Clip(value, maxValue), PlainText(label))
}

// PrimaryButton returns a green button, for the action most people want.
func PrimaryButton(label, action, value string) *slack.ButtonBlockElement {
	return Button(label, action, value).WithStyle(slack.StylePrimary)
}

// Mrkdwn returns a text object of safe text with markup.
func Mrkdwn(safe string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.MarkdownType, safe, false, true)
}

// PlainText returns a text object without markup.
func PlainText(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, s, true, false)
}
