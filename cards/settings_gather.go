package cards

import (
	"darkroom/store"

	"github.com/slack-go/slack"
)

// gatherSettings say whether the channel is told of orders that become ready within a minute one by one.
var gatherSettings = settingsSwitch{
	field: "gather", label: "Several deliveries within a minute", hint: "Each review is in its order's thread either way.",
	off:  slack.NewOptionBlockObject("each", plainText("Each is shown in the channel"), plainText("At once, with its images.")),
	on:   slack.NewOptionBlockObject("one", plainText("One message for all"), plainText("A minute after the first, with a link to each review.")),
	is:   func(settings *store.Settings) *bool { return &settings.Gather },
	says: "*Several deliveries within a minute* are one message here. Each review is in its order's thread.",
}.part()
