package cards

import (
	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldFinals = "finals"

// What was chosen for the final images.
const (
	finalsNo  = "no"
	finalsYes = "yes"
)

// finalSettings say whether the final images come into the thread of an order that is approved.
var finalSettings = settingsPart{
	ask: func(p *builder, now store.Settings) {
		chosen := finalsNo
		if now.FinalImages {
			chosen = finalsYes
		}
		p.radio(fieldFinals, "Final images into the thread at approval", "It needs the app's permission to upload files (files:write). Without it, the links are there as before.", chosen,
			slack.NewOptionBlockObject(finalsNo, plainText("No"), plainText("Links to them.")),
			slack.NewOptionBlockObject(finalsYes, plainText("Yes"), plainText("The files themselves, up to 200 MB each.")))
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		switch fieldOf(view, fieldFinals).SelectedOption.Value {
		case finalsNo:
			now.FinalImages = false
		case finalsYes:
			now.FinalImages = true
		}
		return nil
	},
	says: func(now store.Settings) string {
		return onlyIf(now.FinalImages, "The final images come into an order's thread when it is approved, if the app may upload files (files:write).")
	},
}
