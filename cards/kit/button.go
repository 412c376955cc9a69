package kit

import (
	"github.com/slack-go/slack"
)

// Button is a button.
func Button(label, action, value string) *slack.ButtonBlockElement {
	return slack.NewButtonBlockElement(action, Clip(value, maxValue), PlainText(label))
}

// PrimaryButton is the button that most people want.
func PrimaryButton(label, action, value string) *slack.ButtonBlockElement {
	return Button(label, action, value).WithStyle(slack.StylePrimary)
}
