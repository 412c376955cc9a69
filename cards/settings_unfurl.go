package cards

import (
	"darkroom/store"

	"github.com/slack-go/slack"
)

// unfurlSettings say whether a message that names orders by their references is answered.
var unfurlSettings = settingsSwitch{
	field: "unfurl", label: "References in messages", hint: "An order's reference in square brackets, like [K7Q2XM].",
	off:  slack.NewOptionBlockObject("no", plainText("Say nothing"), nil),
	on:   slack.NewOptionBlockObject("yes", plainText("Answer in the message's thread"), plainText("How the order stands, if everybody here may see it.")),
	is:   func(settings *store.Settings) *bool { return &settings.Unfurl },
	says: "A message with an order's reference in square brackets is answered in its thread with how the order stands, if everybody here may see that order.",
}.part()
