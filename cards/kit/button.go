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
