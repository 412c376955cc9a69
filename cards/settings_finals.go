package cards

import (
	"darkroom/store"

	"github.com/slack-go/slack"
)

// finalSettings say whether the final images come into the thread of an order that is approved.
var finalSettings = settingsSwitch{
	field: "finals", label: "Final images into the thread at approval",
	hint: "It needs the app's permission to upload files (files:write). Without it, the links are there as before.",
	off:  slack.NewOptionBlockObject("no", plainText("No"), plainText("Links to them.")),
	on:   slack.NewOptionBlockObject("yes", plainText("Yes"), plainText("The files themselves, up to 200 MB each.")),
	is:   func(settings *store.Settings) *bool { return &settings.FinalImages },
	says: "The final images come into an order's thread when it is approved, if the app may upload files (files:write).",
}.part()
