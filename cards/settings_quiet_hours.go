package cards

import (
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const (
	fieldQuietFrom  = "quiet-from"
	fieldQuietUntil = "quiet-until"
)

// quietSettings say when nothing is sent that can wait.
var quietSettings = settingsPart{
	ask: func(p *builder, now store.Settings) {
		p.choice(fieldQuietFrom, "Quiet hours from", "Reminders and the digest wait until they are over. Deliveries and what people do are told at once.",
			string(now.Quiet.From), clockChoices())
		p.choice(fieldQuietUntil, "Quiet hours until", "", string(now.Quiet.Until), clockChoices())
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		quiet := now.Quiet
		if from, asked := chosenClock(view, fieldQuietFrom); asked {
			quiet.From = from
		}
		if until, asked := chosenClock(view, fieldQuietUntil); asked {
			quiet.Until = until
		}
		if quiet == (order.QuietHours{}) || quiet.On() {
			now.Quiet = quiet
			return nil
		}
		return beside(view, fieldQuietUntil, "Quiet hours need a beginning and another time at which they end. Choose both, or Off for both.")
	},
	says: func(now store.Settings) string {
		return onlyIf(now.Quiet.On(), "*Quiet hours*: from "+string(now.Quiet.From)+" until "+string(now.Quiet.Until)+", reminders and the digest wait.")
	},
}
