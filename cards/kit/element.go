package kit

import (
	"github.com/slack-go/slack"
)

// Button returns a button in Slack's default style.
func Button(label, action, value string) *slack.ButtonBlockElement {
	return slack.NewButtonBlockElement(action, Clip(value, MaxValue), PlainText(label))
}

// PrimaryButton returns a green button, for the action most people want.
func PrimaryButton(label, action, value string) *slack.ButtonBlockElement {
	return Button(label, action, value).WithStyle(slack.StylePrimary)
}

// Limits of a confirmation (docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object).
const (
	MaxConfirmTitle = 100
	maxConfirmText  = 300
	maxConfirmLabel = 30
)

// Confirm returns the question that Slack asks before an element acts. Clients show its text without markup or
// dates (github.com/slackapi/node-slack-sdk/issues/1612).
func Confirm(title, text, yes, no string) *slack.ConfirmationBlockObject {
	return slack.NewConfirmationBlockObject(PlainText(Plain(title, MaxConfirmTitle)), PlainText(Plain(text, maxConfirmText)),
		PlainText(Plain(yes, maxConfirmLabel)), PlainText(Plain(no, maxConfirmLabel)))
}

// Mrkdwn returns a text object of safe text with markup.
func Mrkdwn(safe string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.MarkdownType, safe, false, true)
}

// PlainText returns a text object without markup.
func PlainText(s string) *slack.TextBlockObject {
	return slack.NewTextBlockObject(slack.PlainTextType, s, true, false)
}
