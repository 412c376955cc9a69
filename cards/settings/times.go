package settings

import (
	"slices"
	"strconv"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const (
	fieldDigest = "digest"
	fieldZone   = "zone"
)

// digestSetting says when the channel gets its daily digest.
var digestSetting = setting{
	ask: func(p *kit.Page, now Values) {
		addChoice(p, fieldDigest, "Morning digest", "One message about open orders.", string(now.Digest), clockChoices())
	},
	read: func(view slack.View, now *Values) map[string]string {
		readClock(view, fieldDigest, &now.Digest)
		return nil
	},
	says: func(now Values) string {
		return kit.Either(now.Digest.Valid(), "A digest comes at "+string(now.Digest)+" ("+kit.Inline(order.ZoneName(now.Clock().String()), 60)+").", "No digest.")
	},
}

// zoneSetting is the time zone of the channel's times.
var zoneSetting = setting{
	ask: func(p *kit.Page, now Values) {
		addChoice(p, fieldZone, "Time zone", "", now.Clock().String(), zoneChoices(now.Settings))
	},
	read: func(view slack.View, now *Values) map[string]string {
		chosen := kit.AnswerOf(view, fieldZone).SelectedOption.Value
		switch {
		case chosen == "":
		case order.KnownZone(chosen):
			now.Zone = chosen
		default:
			return kit.Beside(view, fieldZone, notOffered)
		}
		return nil
	},
	says: func(Values) string { return "" }, // the digest says it
}

// zoneChoices returns the time zones, including the current one.
func zoneChoices(now store.Settings) []*slack.OptionBlockObject {
	zones := order.Zones()
	if mine := now.Clock().String(); !slices.Contains(zones, mine) {
		zones = append([]string{mine}, zones...)
	}
	return kit.Map(zones, func(_ int, zone string) *slack.OptionBlockObject {
		return kit.Option(kit.Clip(zone, kit.MaxOptionValue), kit.Clip(order.ZoneName(zone), kit.MaxOptionText), "")
	})
}

// clockChoices returns off and the full hours of a day.
func clockChoices() []*slack.OptionBlockObject {
	options := []*slack.OptionBlockObject{kit.Option(chosenOff, "Off", "")}
	for hour := range 24 {
		at := order.FullHour(hour)
		options = append(options, kit.Option(string(at), string(at), ""))
	}
	return options
}

// readClock reads the chosen time. It keeps the time if the form did not ask.
func readClock(view slack.View, field string, at *order.ClockTime) {
	switch chosen := order.ClockTime(kit.AnswerOf(view, field).SelectedOption.Value); {
	case chosen.Valid():
		*at = chosen
	case chosen == chosenOff:
		*at = ""
	}
}

const (
	fieldQuietFrom  = "quiet-from"
	fieldQuietUntil = "quiet-until"
)

// quietSetting says when reminders and the digest wait.
var quietSetting = setting{
	ask: func(p *kit.Page, now Values) {
		addChoice(p, fieldQuietFrom, "Quiet hours from", "Reminders and the digest wait.", string(now.Quiet.From), clockChoices())
		addChoice(p, fieldQuietUntil, "Quiet hours until", "", string(now.Quiet.Until), clockChoices())
	},
	read: func(view slack.View, now *Values) map[string]string {
		quiet := now.Quiet
		readClock(view, fieldQuietFrom, &quiet.From)
		readClock(view, fieldQuietUntil, &quiet.Until)
		if quiet == (order.QuietHours{}) || quiet.On() {
			now.Quiet = quiet
			return nil
		}
		return kit.Beside(view, fieldQuietUntil, "Choose two different times, or Off for both.")
	},
	says: func(now Values) string {
		return kit.OnlyIf(now.Quiet.On(), "Quiet hours are from "+string(now.Quiet.From)+" until "+string(now.Quiet.Until)+".")
	},
}

const fieldRemind = "remind"

// remindChoices returns the waiting times before a reminder, in hours.
func remindChoices() []*slack.OptionBlockObject {
	return []*slack.OptionBlockObject{
		kit.Option(chosenOff, "Off", ""),
		kit.Option("4", "4 hours", ""), kit.Option("8", "8 hours", ""), kit.Option("24", "1 day", ""),
		kit.Option("48", "2 days", ""), kit.Option("72", "3 days", ""), kit.Option("168", "1 week", ""),
	}
}

// remindSetting says when somebody is reminded of a waiting order.
var remindSetting = setting{
	ask: func(p *kit.Page, now Values) {
		addChoice(p, fieldRemind, "Remind after waiting", "", strconv.Itoa(now.RemindHours), remindChoices())
	},
	read: func(view slack.View, now *Values) map[string]string {
		if chosen := kit.AnswerOf(view, fieldRemind).SelectedOption.Value; kit.OptionOf(remindChoices(), chosen) != nil {
			now.RemindHours, _ = strconv.Atoi(chosen) // off is 0
		}
		return nil
	},
	says: func(now Values) string {
		return kit.Either(now.RemindHours > 0, "A waiting order reminds after "+longHours(now.RemindHours)+".", "No reminders.")
	},
}

// longHours formats a number of hours.
func longHours(n int) string {
	return kit.Either(n >= 24 && n%24 == 0, kit.Count(n/24, "day", "days"), kit.Count(n, "hour", "hours"))
}
