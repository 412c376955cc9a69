package cards

import (
	"slices"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const (
	fieldDigest = "digest"
	fieldZone   = "zone"
)

// digestSettings say when the channel reads each day how its orders stand.
var digestSettings = settingsPart{
	ask: func(p *builder, now store.Settings) {
		p.choice(fieldDigest, "Morning digest", "One message a day: what waits for review, what is late, paused or due today. Nothing when there is nothing to say.",
			string(now.Digest), clockChoices())
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		if at, asked := chosenClock(view, fieldDigest); asked {
			now.Digest = at
		}
		return nil
	},
	says: func(now store.Settings) string {
		if !now.Digest.Valid() {
			return ""
		}
		return "*Morning digest*: each day at " + string(now.Digest) + " (" + inline(now.Clock().String(), 60) + "), when there is something to say."
	},
}

// zoneSettings say by which clock the channel's times go.
var zoneSettings = settingsPart{
	ask: func(p *builder, now store.Settings) {
		p.choice(fieldZone, "Time zone", "Of the digest, the quiet hours, and the morning until which a reminder is snoozed.", now.Clock().String(), zoneChoices(now))
	},
	read: func(view slack.View, now *store.Settings) map[string]string {
		chosen := fieldOf(view, fieldZone).SelectedOption.Value
		switch {
		case chosen == "":
		case order.KnownZone(chosen):
			now.Zone = chosen
		default:
			return beside(view, fieldZone, "I do not know this time zone. Choose another one.")
		}
		return nil
	},
	says: func(now store.Settings) string {
		return onlyIf(now.Zone != "" && (now.Reminds() || now.Quiet.On()), "*Time zone*: "+inline(now.Zone, 60)+".")
	},
}

// zoneChoices are the zones that can be chosen, that of the settings among them.
func zoneChoices(now store.Settings) []slack.OptionBlockObject {
	zones := order.Zones()
	if mine := now.Clock().String(); !slices.Contains(zones, mine) {
		zones = append([]string{mine}, zones...)
	}
	options := make([]slack.OptionBlockObject, len(zones))
	for i, zone := range zones {
		options[i] = *slack.NewOptionBlockObject(clip(zone, maxOptionValue), plainText(clip(zone, maxOptionText)), nil)
	}
	return options
}
